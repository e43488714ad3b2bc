// The load that operators have: orders of 200 players in 20 markets, each with a transactionId, at
// prices that cross. How many orders per second does the service accept, what do they cost each
// thread, how long do they take at a fixed rate, and how long do pages of records take meanwhile?
// Then the same load in one market and in thousands.

import { fillStore, removeStore } from '../store/filled-store.ts'
import { playerName } from '../store/filler.ts'
import { median } from '../support/percentiles.ts'
import { type Round, runOpenRound, runRound } from '../support/run-load.ts'
import { type Figures, figuresOf } from './http.ts'
import { type LatencyFigures, latencyFiguresOf, openConnections } from './latency.ts'
import type { OpenLoopLoadResult } from './open-loop-load.ts'
import { type PageLatencies, PageReads, type PageTimes, pageLatencyOf } from './page-reads.ts'
import { type ServerUnderTest, startService } from './servers-under-test.ts'

export type OperatorLoadOptions = {
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
  readonly rounds: number
}

export type MarketStep = {
  readonly markets: number
  readonly figures: Figures
  /** To the orders per second of the first step. */
  readonly ratio: number
}

export type RateStep = {
  /** Part of the highest rate, between 0 and 1. */
  readonly part: number
  readonly perSecond: number
  readonly figures: LatencyFigures
}

export type OperatorLoadResult = {
  readonly options: OperatorLoadOptions
  /** The first is the load that operators have. */
  readonly byMarkets: readonly MarketStep[]
  /** Orders per second: the best round of the first step. */
  readonly highestRate: number
  readonly byRate: readonly RateStep[]
  readonly pages: PageLatencies
  /** Of the orders that were placed while pages were read. */
  readonly besidePages: Figures
}

export const defaultOperatorLoad: OperatorLoadOptions = {
  connections: 64,
  warmUpMs: 1_000,
  measureMs: 3_000,
  rounds: 3,
}

export const operatorMarkets = 20
export const manyMarkets = 2_000
const marketSteps = [operatorMarkets, 1, manyMarkets, 10_000]
const rateParts = [0.25, 0.5, 0.75]

const players = Array.from({ length: 200 }, (_, number) => playerName(number))
/** In few markets every player holds shares; in many, filling the store would take minutes. */
const holdersOfMany = 4

type Log = (text: string) => void

export async function benchOperatorLoad(
  options: OperatorLoadOptions,
  log: Log,
): Promise<OperatorLoadResult> {
  const servers: ServerUnderTest[] = []
  try {
    for (const markets of marketSteps) {
      log(`HTTP, opening ${markets} markets ...`)
      servers.push(await startWithMarkets(markets))
    }
    log(`HTTP, orders in ${marketSteps.join(', ')} markets ...`)
    const rounds = await alternate(servers, options)
    const rates = rounds.map((list) => list.map(({ perSecond }) => perSecond))
    const highestRate = Math.max(...rates[0]!)
    const [server] = servers
    const byRate: RateStep[] = []
    for (const part of rateParts) {
      const perSecond = Math.round(part * highestRate)
      log(`HTTP, ${perSecond} orders/s ...`)
      byRate.push({ part, perSecond, figures: await atRate(server!, perSecond, options) })
    }
    log('HTTP, pages under full load ...')
    return {
      options,
      byMarkets: rounds.map((list, step) => ({
        markets: marketSteps[step]!,
        figures: figuresOf(list),
        ratio: median(rates[step]!.map((rate, round) => rate / rates[0]![round]!)),
      })),
      highestRate,
      byRate,
      ...(await readPages(server!, options)),
    }
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** With the root of another commit, that of its service. */
export async function startWithMarkets(markets: number, root?: string): Promise<ServerUnderTest> {
  const filling = {
    markets,
    players: players.length,
    holdersPerMarket: markets < manyMarkets ? players.length : holdersOfMany,
    orders: 0,
    isResting: false,
  }
  const store = await fillStore(filling, root)
  const undo: (() => Promise<void> | void)[] = [() => removeStore(store)]
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const other = root === undefined ? {} : { root }
    const service = await startService('src/main.ts', { rounds: 1, store, ...other })
    undo.push(() => service.stop())
    const { client, port } = service
    await client.placeResting(store.markets)
    const { apiKey, markets: list } = store
    const target = { port, apiKey, ...list[0]!, markets: list, buyers: players }
    let tradesBefore = 0
    return {
      ...service,
      prepare: async () => {
        tradesBefore = await client.tradesTotal()
        return target
      },
      trades: async () => (await client.tradesTotal()) - tradesBefore,
      stop,
    }
  } catch (fault) {
    await stop()
    throw fault
  }
}

/** The measured rounds of each server. */
async function alternate(
  servers: readonly ServerUnderTest[],
  options: OperatorLoadOptions,
): Promise<Round[][]> {
  const rounds: Round[][] = servers.map(() => [])
  // Round 0 warms up and does not count.
  for (let seed = 0; seed <= options.rounds; seed += 1) {
    for (const [at, server] of servers.entries()) {
      const round = await runRound(server, { ...options, hasTransactionIds: true, seed })
      if (seed > 0) rounds[at]!.push(round)
    }
  }
  return rounds
}

async function atRate(
  server: ServerUnderTest,
  perSecond: number,
  options: OperatorLoadOptions,
): Promise<LatencyFigures> {
  const rounds: OpenLoopLoadResult[] = []
  for (let seed = 1; seed <= options.rounds; seed += 1) {
    rounds.push(await runAtRate(server, { ...options, perSecond, seed }))
  }
  return latencyFiguresOf(rounds)
}

export type RateOptions = OperatorLoadOptions & {
  readonly perSecond: number
  readonly seed: number
}

/** One round at a fixed rate. */
export function runAtRate(
  server: ServerUnderTest,
  { warmUpMs, measureMs, perSecond, seed }: RateOptions,
): Promise<OpenLoopLoadResult> {
  const window = { warmUpMs, measureMs, connections: openConnections }
  return runOpenRound(server, { ...window, perSecond, seed, hasTransactionIds: true })
}

async function readPages(
  server: ServerUnderTest,
  options: OperatorLoadOptions,
): Promise<Pick<OperatorLoadResult, 'pages' | 'besidePages'>> {
  const rounds: RoundWithPages[] = []
  for (let seed = 1; seed <= options.rounds; seed += 1) {
    rounds.push(await runWithPages(server, options, seed))
  }
  return {
    pages: {
      orders: pageLatencyOf(rounds.flatMap(({ pages }) => pages.orders)),
      events: pageLatencyOf(rounds.flatMap(({ pages }) => pages.events)),
    },
    besidePages: figuresOf(rounds),
  }
}

export type RoundWithPages = Round & { readonly pages: PageTimes }

/** One round of orders as fast as they are answered, while pages are read. */
export async function runWithPages(
  server: ServerUnderTest,
  options: OperatorLoadOptions,
  seed: number,
): Promise<RoundWithPages> {
  const reads = new PageReads(await server.prepare())
  await reads.start()
  const onStart = () => reads.countFrom(performance.now() + options.warmUpMs)
  try {
    const round = await runRound(server, { ...options, hasTransactionIds: true, seed }, onStart)
    return { ...round, pages: await reads.stop() }
  } finally {
    // Nothing more is read after a failed round.
    await reads.stop().catch(() => undefined)
  }
}
