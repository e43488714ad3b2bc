// Is the service faster than at an earlier commit? The services of both run beside each other, each
// with its own store, and get the load of operator-load.ts in alternating rounds. CPU time says
// more than rates, which a noisy machine disturbs; each ratio is the median over pairs of rounds.

import { residentMiB } from '../../test/support/process/resident-memory.ts'
import { type ComparedFigure, compare, type Pairs } from '../support/compared-figure.ts'
import { runRound } from '../support/run-load.ts'
import { openWorktree } from '../support/worktree.ts'
import {
  manyMarkets,
  type OperatorLoadOptions,
  operatorMarkets,
  runAtRate,
  runWithPages,
  startWithMarkets,
} from './operator-load.ts'
import { pageLatencyOf } from './page-reads.ts'
import type { ServerUnderTest } from './servers-under-test.ts'

export type ComparedLoad = { readonly name: string; readonly figures: readonly ComparedFigure[] }

export type AgainstResult = {
  readonly options: OperatorLoadOptions
  readonly commit: string
  readonly loads: readonly ComparedLoad[]
}

export const defaultPairs = 5

const ordersPerBatch = 100
/** More would let orders wait so long on a slow machine that the service refuses them. */
const batchConnections = 8

type Sides = { readonly earlier: ServerUnderTest; readonly present: ServerUnderTest }
type Log = (text: string) => void

export async function benchAgainst(
  revision: string,
  options: OperatorLoadOptions,
  log: Log,
): Promise<AgainstResult> {
  const worktree = openWorktree(revision)
  const { commit, root } = worktree
  try {
    const few = await withSides({ root, markets: operatorMarkets }, async (sides) => {
      log(`HTTP against ${commit}, ${operatorMarkets} markets ...`)
      const { load, highestRate } = await compareOrders(sides, options)
      log(`HTTP against ${commit}, batches ...`)
      const batches = await compareBatches(sides, options)
      log(`HTTP against ${commit}, pages under full load ...`)
      const pages = await comparePages(sides, options)
      log(`HTTP against ${commit}, reads of every order ...`)
      const reads = await compareReads(sides, options)
      return { highestRate, loads: [load, batches, pages, reads] }
    })
    const many = await withSides({ root, markets: manyMarkets }, async (sides) => {
      log(`HTTP against ${commit}, ${manyMarkets} markets ...`)
      return (await compareOrders(sides, options)).load
    })
    log(`HTTP against ${commit}, at a fixed rate ...`)
    const atHalf = await withSides({ root, markets: operatorMarkets }, (sides) =>
      compareAtRate(sides, Math.round(few.highestRate / 2), options),
    )
    const [first, ...others] = few.loads
    const loads = [
      { ...first!, name: `${operatorMarkets} markets` },
      { ...many, name: `${manyMarkets.toLocaleString('en-US')} markets` },
      atHalf,
      ...others,
    ]
    return { options, commit, loads }
  } finally {
    worktree.remove()
  }
}

async function withSides<Result>(
  { root, markets }: { readonly root: string; readonly markets: number },
  run: (sides: Sides) => Promise<Result>,
): Promise<Result> {
  const earlier = await startWithMarkets(markets, root)
  try {
    const present = await startWithMarkets(markets)
    try {
      return await run({ earlier, present })
    } finally {
      await present.stop()
    }
  } finally {
    await earlier.stop()
  }
}

/** Each service is the first of every other pair. */
async function alternate<Result>(
  { earlier, present }: Sides,
  rounds: number,
  run: (server: ServerUnderTest, seed: number) => Promise<Result>,
): Promise<Pairs<Result>> {
  const pairs = { earlier: [] as Result[], present: [] as Result[] }
  // Round 0 warms both up and does not count.
  for (let seed = 0; seed <= rounds; seed += 1) {
    const isPresentFirst = seed % 2 === 0
    const [one, other] = isPresentFirst ? [present, earlier] : [earlier, present]
    const results = [await run(one, seed), await run(other, seed)] as const
    if (seed === 0) continue
    pairs.present.push(isPresentFirst ? results[0] : results[1])
    pairs.earlier.push(isPresentFirst ? results[1] : results[0])
  }
  return pairs
}

async function compareOrders(sides: Sides, options: OperatorLoadOptions) {
  const pairs = await alternate(sides, options.rounds, (server, seed) =>
    runRound(server, { ...options, hasTransactionIds: true, seed }),
  )
  const load: ComparedLoad = {
    name: 'orders',
    figures: [
      compare('orders/s', pairs, ({ perSecond }) => perSecond),
      ...cpuFigures(pairs),
      compare('p99, ms', pairs, ({ p99 }) => p99),
      compare('trades per order', pairs, ({ tradesPerOrder }) => tradesPerOrder),
    ],
  }
  return { load, highestRate: Math.max(...pairs.earlier.map(({ perSecond }) => perSecond)) }
}

async function compareBatches(sides: Sides, options: OperatorLoadOptions): Promise<ComparedLoad> {
  const shape = { connections: batchConnections, batch: ordersPerBatch, hasTransactionIds: true }
  const pairs = await alternate(sides, options.rounds, (server, seed) =>
    runRound(server, { ...options, ...shape, seed }),
  )
  return {
    name: `batches of ${ordersPerBatch} in ${operatorMarkets} markets`,
    figures: [compare('orders/s', pairs, ({ perSecond }) => perSecond), ...cpuFigures(pairs)],
  }
}

async function compareAtRate(
  sides: Sides,
  perSecond: number,
  options: OperatorLoadOptions,
): Promise<ComparedLoad> {
  // Both are new and get as many orders, so that their memory can be compared.
  const pairs = await alternate(sides, options.rounds, async (server, seed) => {
    const latency = await runAtRate(server, { ...options, perSecond, seed })
    return { ...latency, memoryMiB: residentMiB(server.pid) }
  })
  return {
    name: `${perSecond} orders/s in ${operatorMarkets} markets, half of the earlier highest rate`,
    figures: [
      compare('p50, ms', pairs, ({ p50 }) => p50),
      compare('p99, ms', pairs, ({ p99 }) => p99),
      compare('p99.9, ms', pairs, ({ p999 }) => p999),
      compare('memory, MiB', pairs, ({ memoryMiB }) => memoryMiB),
    ],
  }
}

async function comparePages(sides: Sides, options: OperatorLoadOptions): Promise<ComparedLoad> {
  const pairs = await alternate(sides, options.rounds, (server, seed) =>
    runWithPages(server, options, seed),
  )
  return {
    name: `${operatorMarkets} markets, pages read`,
    figures: [
      compare('orders/s', pairs, ({ perSecond }) => perSecond),
      compare('p99 of GET /orders, ms', pairs, ({ pages }) => pageLatencyOf(pages.orders).p99),
      compare('p99 of GET /events, ms', pairs, ({ pages }) => pageLatencyOf(pages.events).p99),
    ],
  }
}

/** A client that reads what it has just written makes the tables follow at once. */
async function compareReads(sides: Sides, options: OperatorLoadOptions): Promise<ComparedLoad> {
  const shape = { hasTransactionIds: true, readsOrders: true }
  const pairs = await alternate(sides, options.rounds, (server, seed) =>
    runRound(server, { ...options, ...shape, seed }),
  )
  return {
    name: `${operatorMarkets} markets, every order read by its transactionId`,
    figures: [
      compare('requests/s', pairs, ({ perSecond }) => perSecond),
      compare('all threads, us per request', pairs, ({ cpu }) => cpu?.all ?? null),
      compare('p99, ms', pairs, ({ p99 }) => p99),
    ],
  }
}

const threads = [
  { of: 'main', name: 'main thread, us per order' },
  { of: 'writer', name: 'writer, us per order' },
  { of: 'all', name: 'all threads, us per order' },
] as const

function cpuFigures(pairs: Pairs<Awaited<ReturnType<typeof runRound>>>): ComparedFigure[] {
  return threads.map(({ of, name }) => compare(name, pairs, ({ cpu }) => cpu?.[of] ?? null))
}
