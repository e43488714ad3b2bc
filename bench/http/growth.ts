// How does throughput change as the data grows? Orders per second over HTTP, each stored before it
// is answered: with more markets, more stored orders, more connections. The steps of a series
// alternate, so that a noisy machine disturbs all of them alike; each ratio is the median over the
// rounds, against the first step.

import { type FilledStore, fillStore, removeStore } from '../store/filled-store.ts'
import { median } from '../support/percentiles.ts'
import { runRound } from '../support/run-load.ts'
import { type ServerUnderTest, startService } from './servers-under-test.ts'

export type GrowthOptions = {
  readonly rounds: number
  readonly warmUpMs: number
  readonly measureMs: number
  /** Stored orders of the filled store. */
  readonly orders: number
}

export type GrowthStep = {
  /** The number of markets, stored orders or connections. */
  readonly size: number
  /** Orders per second: the median over the rounds. */
  readonly perSecond: number
  /** To the rate of the first step. */
  readonly ratio: number
}

export type GrowthResult = {
  readonly options: GrowthOptions
  readonly byMarkets: readonly GrowthStep[]
  readonly byStoredOrders: readonly GrowthStep[]
  readonly byConnections: readonly GrowthStep[]
}

export const defaultGrowth: GrowthOptions = {
  rounds: 3,
  warmUpMs: 1_000,
  measureMs: 3_000,
  orders: 1_000_000,
}

export const defaultConnections = 64
const marketSteps = [1, 100, 10_000]
const connectionSteps = [16, 64, 256, 1_000]

type Log = (text: string) => void
type Step = {
  readonly size: number
  readonly server: ServerUnderTest
  readonly connections: number
}

export async function benchGrowth(
  options: GrowthOptions,
  large: FilledStore,
  log: Log,
): Promise<GrowthResult> {
  log(`Growth, with ${marketSteps.join(', ')} markets ...`)
  const byMarkets = await growMarkets(options)
  log(`Growth, with 0 and ${options.orders} stored orders, and more connections ...`)
  const empty = await startService('src/main.ts', { rounds: 1 })
  try {
    const byStoredOrders = await growStoredOrders(empty, large, options)
    const steps = connectionSteps.map((size) => ({ size, server: empty, connections: size }))
    return { options, byMarkets, byStoredOrders, byConnections: await grow(steps, options) }
  } finally {
    await empty.stop()
  }
}

// Four players of each market hold shares; orders come in matching pairs.
async function growMarkets(options: GrowthOptions): Promise<GrowthStep[]> {
  const undo: (() => Promise<void> | void)[] = []
  try {
    const steps: Step[] = []
    for (const size of marketSteps) {
      const players = { players: 64, holdersPerMarket: 4 }
      const store = await fillStore({ ...players, markets: size, orders: 0, isResting: false })
      undo.push(() => removeStore(store))
      const service = await startService('src/main.ts', { rounds: 1, store })
      undo.push(() => service.stop())
      const { apiKey, markets } = store
      const target = { port: service.port, apiKey, ...markets[0]!, markets }
      // The trades of one market would mean little, and each order makes half a trade anyway.
      const server = { ...service, prepare: async () => target, trades: async () => null }
      steps.push({ size, server, connections: defaultConnections })
    }
    return await grow(steps, options)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

async function growStoredOrders(
  empty: ServerUnderTest,
  large: FilledStore,
  options: GrowthOptions,
): Promise<GrowthStep[]> {
  const full = await startService('src/main.ts', { rounds: 1, store: large })
  try {
    const connections = defaultConnections
    const steps = [
      { size: 0, server: empty, connections },
      { size: options.orders, server: full, connections },
    ]
    return await grow(steps, options)
  } finally {
    await full.stop()
  }
}

async function grow(
  steps: readonly Step[],
  { rounds, warmUpMs, measureMs }: GrowthOptions,
): Promise<GrowthStep[]> {
  const rates: number[][] = steps.map(() => [])
  // Round 0 warms up and does not count.
  for (let seed = 0; seed <= rounds; seed += 1) {
    for (const [at, { server, connections }] of steps.entries()) {
      const round = { connections, warmUpMs, measureMs, hasTransactionIds: false, seed }
      const { perSecond } = await runRound(server, round)
      if (seed > 0) rates[at]!.push(perSecond)
    }
  }
  return steps.map(({ size }, at) => ({
    size,
    perSecond: median(rates[at]!),
    ratio: median(rates[at]!.map((rate, round) => rate / rates[0]![round]!)),
  }))
}
