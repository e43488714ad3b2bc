// Lists and settles a market with very many positions while another market trades, and measures the
// latency of orders and the memory of the service.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'
import { residentMiB } from '../../support/process/resident-memory.ts'
import { populateMarket } from '../support/populate-market.ts'
import { serviceOptions } from '../support/process-options.ts'
import { type FixtureMarket, openMarket, type Trader } from '../support/trading-fixture.ts'

export type SoakFigures = {
  readonly positions: number
  readonly settled: number
  /** The sum of all payouts, which must equal the number of sets. */
  readonly totalPayout: string
  readonly sets: number
  /** The lengths of the responses. */
  readonly listedBytes: number
  readonly settledBytes: number
  /** The latency of orders in the other market, in milliseconds. */
  readonly alone: Latency
  readonly listing: Latency
  readonly settling: Latency
  /** The maximum growth of resident memory; null if the system does not report it. */
  readonly memoryGrowthMiB: number | null
}

type Latency = { readonly orders: number; readonly p50: number; readonly p99: number }
type SoakOptions = { readonly players: number; readonly aloneMs: number }

const run = promisify(execFile)

/** Concurrent clients; each waits for its answer before the next order. */
const traders = 4
/** Several, because the open orders of one player are limited. */
const names = Array.from({ length: 64 }, (_, number) => `trader-${number}`)

export async function settleSoak(
  { players, aloneMs }: SoakOptions,
  log: (text: string) => void,
): Promise<SoakFigures> {
  const folder = await newFolder()
  try {
    log(`${players} players ...`)
    const first = await Service.start({ dataDir: folder, ...serviceOptions() })
    const trader = { name: 'operator', ...(await first.newOperator()) }
    const large = await openMarket(first, trader)
    const busy = await openMarket(first, trader)
    await first.stop()
    const population = await populateMarket(folder, trader, {
      market: large,
      players,
      hasOrders: false,
    })
    const service = await Service.start({ dataDir: folder, ...serviceOptions() })
    try {
      const figures = await measure({ service, trader, large, busy }, { aloneMs, log })
      const { positions, sets } = population
      return { positions, sets, ...figures }
    } finally {
      await service.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type SoakFixture = {
  readonly service: Service
  readonly trader: Trader
  readonly large: FixtureMarket
  readonly busy: FixtureMarket
}

async function measure(
  fixture: SoakFixture,
  { aloneMs, log }: { readonly aloneMs: number; readonly log: (text: string) => void },
) {
  const { service, trader, large } = fixture
  const operator = new OperatorClient(service, trader)
  const wait = (ms: number) => new Promise((wake) => setTimeout(wake, ms))
  log('Trading alone ...')
  await trading(fixture, () => wait(aloneMs / 2))
  const { latency: alone } = await trading(fixture, () => wait(aloneMs))
  const memory = watchMemory(service)
  try {
    log('Listing its positions ...')
    const path = `/api/v1/positions?marketId=${large.id}`
    const listing = await trading(fixture, () => readResponse(service, 'GET', path, trader))
    log('Settling it ...')
    await operator.act(large, 'close')
    const [winningOutcomeId] = large.outcomeIds
    await operator.act(large, 'resolve', { winningOutcomeId, resolutionSource: 'the sky' })
    const settle = `/api/v1/markets/${large.id}/settle`
    const settling = await trading(fixture, () => readResponse(service, 'POST', settle, trader))
    const summary = await operator.get(`/markets/${large.id}/settlement-status`)
    return {
      settled: Number(summary.completedCount),
      totalPayout: String(summary.completedPayout),
      listedBytes: listing.result,
      settledBytes: settling.result,
      alone,
      listing: listing.latency,
      settling: settling.latency,
      memoryGrowthMiB: memory.growthMiB(),
    }
  } finally {
    memory.stop()
  }
}

/** Places orders in the busy market until the work is done. */
async function trading<Result>(
  { service, trader, busy }: SoakFixture,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly latency: Latency }> {
  const times: number[] = []
  let isOver = false
  const trade = async () => {
    while (!isOver) {
      const start = performance.now()
      const { status } = await service.request('POST', '/api/v1/orders', {
        key: trader.key,
        body: orderIn(busy, names[times.length % names.length]!),
      })
      assert.equal(status, 201)
      times.push(performance.now() - start)
    }
  }
  const traded = Promise.all(Array.from({ length: traders }, trade))
  const result = await work().finally(() => {
    isOver = true
  })
  await traded
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0
  return { result, latency: { orders: times.length, p50: at(0.5), p99: at(0.99) } }
}

function orderIn({ id, outcomeIds }: FixtureMarket, playerId: string): Json {
  const about = { marketId: id, outcomeId: outcomeIds[0], playerId }
  return { ...about, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.4 }
}

/**
 * Reads a response to its end in another process, so that the clients of this one are not slowed
 * down. Returns its length in bytes.
 */
async function readResponse(
  service: Service,
  method: string,
  path: string,
  { key }: Trader,
): Promise<number> {
  const reader = new URL('../support/read-response.ts', import.meta.url).pathname
  const { stdout } = await run(process.execPath, [reader, method, service.url + path, key])
  return Number(stdout)
}

const sampleMs = 50

function watchMemory({ process: { pid } }: Service) {
  const before = residentMiB(pid)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most ?? 0, residentMiB(pid) ?? 0)
  }, sampleMs)
  return {
    growthMiB: () => (before === null || most === null ? null : Math.round(most - before)),
    stop: () => clearInterval(timer),
  }
}
