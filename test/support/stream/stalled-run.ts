// As many clients that read nothing as clients that read well, on the same books: what it costs the
// service, what the healthy ones notice, and how the others end.

import { OperatorClient } from '../http/operator-client.ts'
import { trade } from '../http/random-trading.ts'
import { type Json, Service } from '../process/outcry-process.ts'
import { Random } from '../process/random.ts'
import { residentMiB } from '../process/resident-memory.ts'
import { StalledReader } from './stalled-reader.ts'
import { StreamClient } from './stream-client.ts'

export type StalledResult = {
  /** Mebibytes. */
  readonly memoryBefore: number
  readonly memoryMost: number
  /** Milliseconds from the turn to the client. */
  readonly p99Before: number
  readonly p99Beside: number
  /** Of all healthy clients together. */
  readonly updates: number
  readonly gaps: number
  /** Snapshots beyond the first of each book. */
  readonly conflations: number
  /** How many stalled clients were closed with which code. */
  readonly codes: Readonly<Record<string, number>>
}

const levels = 1_000
const measureMs = 4_000
/** Longer than a client may stall, plus the interval of the check. */
const stallMs = 13_000
const opensAtOnce = 50
/**
 * A run takes long on a busy machine: late answers to pings must not end a connection, and the
 * reason of a close stays readable. All other settings have their defaults.
 */
const settings = { pingMs: 600_000, closeMs: 120_000 }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

class Audience {
  readonly clients: StreamClient[] = []
  updates = 0
  gaps = 0
  snapshots = 0
  #delays: number[] = []

  async add(url: string, subscribe: object): Promise<void> {
    const versions = new Map<string, number>()
    const onMessage = (message: Json) => {
      const { type, outcomeId, version, timestamp } = message
      if (type === 'orderbook.snapshot') this.snapshots += 1
      else if (type !== 'orderbook.update') return
      else {
        this.updates += 1
        this.#delays.push(Date.now() - timestamp)
        if (version !== versions.get(outcomeId)! + 1) this.gaps += 1
      }
      versions.set(outcomeId, version)
    }
    const client = await StreamClient.open(url, { onMessage, isKept: false })
    client.send(subscribe)
    this.clients.push(client)
  }

  /** The 99th percentile of the delays since the last call. */
  resetP99(): number {
    const delays = this.#delays.sort((one, other) => one - other)
    this.#delays = []
    return delays[Math.floor(delays.length * 0.99)] ?? 0
  }
}

export async function runStalled(count: number, report: (text: string) => void) {
  const service = await Service.start({
    program: new URL('./stream-process.ts', import.meta.url).pathname,
    env: {
      RATE_LIMIT_ORDERS: '0',
      RATE_LIMIT_REQUESTS: '0',
      RATE_LIMIT_PUBLIC: '0',
      STREAM_SETTINGS: JSON.stringify(settings),
    },
  })
  const audience = new Audience()
  const stalled: StalledReader[] = []
  try {
    return await measure(service, { count, audience, stalled, report })
  } finally {
    for (const { socket } of audience.clients) socket.terminate()
    for (const reader of stalled) reader.destroy()
    await service.kill()
  }
}

type StalledSetup = {
  readonly count: number
  readonly audience: Audience
  readonly stalled: StalledReader[]
  readonly report: (text: string) => void
}

async function measure(service: Service, setup: StalledSetup): Promise<StalledResult> {
  const { count, audience, stalled, report } = setup
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  await fill(operator, market)
  const subscribe = { op: 'subscribe', channels: ['orderbook'], marketIds: [market.id] }
  await inGroups(count, () => audience.add(service.url, subscribe))
  const trading = trade({
    operator,
    markets: [market],
    random: new Random(1),
    traders: 1,
    pauseMs: 30,
  })
  await pause(1_000)
  audience.resetP99()
  report(`${count} healthy clients ...`)
  await pause(measureMs)
  const p99Before = audience.resetP99()
  const memoryBefore = residentMiB(service.process.pid) ?? 0
  let memoryMost = memoryBefore
  const watch = setInterval(() => {
    memoryMost = Math.max(memoryMost, residentMiB(service.process.pid) ?? 0)
  }, 50)
  await inGroups(count, async () => stalled.push(await StalledReader.open(service.url)))
  report(`${count} stalled clients ...`)
  await overfill(service, stalled, subscribe)
  const stalledAt = Date.now()
  await pause(500)
  audience.resetP99()
  await pause(measureMs)
  const p99Beside = audience.resetP99()
  await pause(Math.max(0, stalledAt + stallMs - Date.now()))
  clearInterval(watch)
  report('They read again ...')
  const codes: Record<string, number> = {}
  for (const code of await Promise.all(stalled.map((reader) => reader.resume()))) {
    codes[code] = (codes[code] ?? 0) + 1
  }
  await trading.stop()
  const { updates, gaps, snapshots } = audience
  const conflations = snapshots - 2 * count
  const measured = { memoryBefore, memoryMost, p99Before, p99Beside }
  return { ...measured, updates, gaps, conflations, codes }
}

// Deep books make large snapshots.
async function fill(operator: OperatorClient, market: Json): Promise<void> {
  await operator.mint(market, 'ann', levels)
  let next = 0
  const place = async () => {
    while (next < levels * 2) {
      const at = next++
      const outcome = at % 2
      const ticks = 100 + (at >> 1)
      await operator.buy(market, { outcome, price: ticks / 10_000, shares: 1 })
      await operator.sell(market, { outcome, price: (10_000 - ticks) / 10_000, shares: 1 })
    }
  }
  await Promise.all(Array.from({ length: 32 }, place))
}

// The kernel buffers about 4 MiB for a client that does not read, before the service buffers
// anything. Subscribing anew sends the books again. Each round waits until the service has
// processed the previous one: messages that arrive together would exceed the rate limit.
async function overfill(
  service: Service,
  stalled: readonly StalledReader[],
  subscribe: object,
): Promise<void> {
  for (let time = 0; time < 60; time += 1) {
    for (const reader of stalled) {
      reader.send({ ...subscribe, op: 'unsubscribe' })
      reader.send(subscribe)
    }
    await Promise.all([service.request('GET', '/health'), time < 9 ? null : pause(220)])
  }
}

async function inGroups(count: number, act: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += opensAtOnce) {
    const group = Math.min(opensAtOnce, count - done)
    await Promise.all(Array.from({ length: group }, act))
  }
}
