// A market with very many positions is listed and settled while another one trades: how long an
// order then takes, and how much memory the service needs for it.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'
import { addCrowd } from '../support/populate-market.ts'
import { started } from '../support/service-options.ts'
import { openMarket, type SceneMarket, type Trader } from '../support/trading-fixture.ts'

export type SoakFigures = {
  readonly positions: number
  readonly settled: number
  /** What was paid, and how many sets there were. */
  readonly totalPayout: string
  readonly sets: number
  /** Bytes of the lists, as they were read. */
  readonly listedBytes: number
  readonly settledBytes: number
  /** Of orders in the other market, in milliseconds: alone, while listing, while settling. */
  readonly alone: Latency
  readonly listing: Latency
  readonly settling: Latency
  /** The most that it had above what it had before; null where nobody tells. */
  readonly memoryGrowthMiB: number | null
}

type Latency = { readonly orders: number; readonly p50: number; readonly p99: number }
type SoakOptions = { readonly players: number; readonly aloneMs: number }

const run = promisify(execFile)

/** So many clients trade, each of which waits for its answer. */
const traders = 4
/** In whose names: of one alone, not so many orders may be open. */
const names = Array.from({ length: 64 }, (_, number) => `trader-${number}`)

export async function settleSoak(
  { players, aloneMs }: SoakOptions,
  say: (text: string) => void,
): Promise<SoakFigures> {
  const folder = await newFolder()
  try {
    say(`${players} players ...`)
    const first = await Service.start({ dataDir: folder, ...started() })
    const trader = { name: 'house', ...(await first.newOperator()) }
    const large = await openMarket(first, trader)
    const busy = await openMarket(first, trader)
    await first.stop()
    const crowd = await addCrowd(folder, trader, { market: large, players, hasOrders: false })
    const service = await Service.start({ dataDir: folder, ...started() })
    try {
      const figures = await measure({ service, trader, large, busy }, { aloneMs, say })
      const { positions, sets } = crowd
      return { positions, sets, ...figures }
    } finally {
      await service.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Scene = {
  readonly service: Service
  readonly trader: Trader
  readonly large: SceneMarket
  readonly busy: SceneMarket
}

async function measure(
  scene: Scene,
  { aloneMs, say }: { readonly aloneMs: number; readonly say: (text: string) => void },
) {
  const { service, trader, large } = scene
  const house = new OperatorClient(service, trader)
  const wait = (ms: number) => new Promise((wake) => setTimeout(wake, ms))
  say('Trading alone ...')
  await trading(scene, () => wait(aloneMs / 2))
  const { latency: alone } = await trading(scene, () => wait(aloneMs))
  const memory = watchMemory(service)
  try {
    say('Listing its positions ...')
    const path = `/api/v1/positions?marketId=${large.id}`
    const listing = await trading(scene, () => readWhole(service, 'GET', path, trader))
    say('Settling it ...')
    await house.act(large, 'close')
    const [winningOutcomeId] = large.outcomeIds
    await house.act(large, 'resolve', { winningOutcomeId, resolutionSource: 'the sky' })
    const settle = `/api/v1/markets/${large.id}/settle`
    const settling = await trading(scene, () => readWhole(service, 'POST', settle, trader))
    const summary = await house.get(`/markets/${large.id}/settlement-status`)
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

/** Orders in the busy market from before the work until it is done. */
async function trading<Result>(
  { service, trader, busy }: Scene,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly latency: Latency }> {
  const times: number[] = []
  let isOver = false
  const trade = async () => {
    while (!isOver) {
      const start = performance.now()
      const { status } = await service.ask('POST', '/api/v1/orders', {
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

function orderIn({ id, outcomeIds }: SceneMarket, playerId: string): Json {
  const about = { marketId: id, outcomeId: outcomeIds[0], playerId }
  return { ...about, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.4 }
}

/** Reads an answer to its end without keeping it, in a process of its own: whoever trades waits for
 * the service, and not for this. Says how long it was. */
async function readWhole(
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

/** Where the system tells. */
function residentMiB(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
  } catch {
    return null
  }
}
