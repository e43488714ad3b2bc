// How long does it take to send one book update to a thousand subscribers? The peer is a bare loop
// over `ws` that sends the same text to each. Rounds of both alternate, so that a noisy machine
// disturbs both alike; each ratio is the median over the rounds.

import { WebSocket } from 'ws'
import type { LoadTarget } from '../http/load-target.ts'
import { type ServerUnderTest, startOutcry } from '../http/servers-under-test.ts'
import { median } from '../support/percentiles.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

export type FanOutOptions = {
  readonly subscribers: number
  readonly updates: number
  readonly rounds: number
}

/** Medians over the rounds. */
export type FanOutFigures = {
  /** Milliseconds from the first subscriber that receives the message to the last. */
  readonly spreadMs: number
  /** Milliseconds from the request that causes the update to the last subscriber. */
  readonly wholeMs: number
  /** CPU time of the server per message and subscriber; null if unknown. */
  readonly cpuMicros: number | null
}

export type FanOutResult = {
  readonly options: FanOutOptions
  readonly messageBytes: number
  readonly outcry: FanOutFigures
  readonly peer: FanOutFigures
  /** The peer's figures divided by Outcry's: above 1, Outcry is faster. */
  readonly spreadRatio: number
  readonly cpuRatio: number | null
}

export const defaultFanOut: FanOutOptions = { subscribers: 1_000, updates: 100, rounds: 5 }

const opensAtOnce = 100

/** All subscribers of one server. */
export class Subscribers {
  readonly #sockets: WebSocket[] = []
  lastText = ''
  #missing = 0
  #firstAt = 0
  #onLast: (firstAt: number) => void = () => undefined

  async open(count: number, url: string, subscription: object | null): Promise<void> {
    while (this.#sockets.length < count) {
      const length = Math.min(opensAtOnce, count - this.#sockets.length)
      const group = Array.from({ length }, () => this.#open(url, subscription))
      await Promise.all(group)
    }
  }

  // Resolves when the subscription is answered with the book.
  #open(url: string, subscription: object | null): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.once('error', reject)
    socket.once('open', () => {
      if (subscription === null) resolve()
      else socket.send(JSON.stringify(subscription))
    })
    socket.on('message', (data: Buffer) => {
      const isUpdate = data.includes('"orderbook.update"')
      if (isUpdate) this.#count(data)
      else if (data.includes('"orderbook.snapshot"')) resolve()
    })
    this.#sockets.push(socket)
    return promise
  }

  #count(data: Buffer): void {
    const isFirst = this.#missing === this.#sockets.length
    if (isFirst) {
      this.#firstAt = performance.now()
      this.lastText = data.toString()
    }
    this.#missing -= 1
    if (this.#missing === 0) this.#onLast(this.#firstAt)
  }

  /** Resolves when every subscriber has the next message, with the time the first one got it. */
  next(): Promise<number> {
    this.#missing = this.#sockets.length
    return new Promise((resolve) => {
      this.#onLast = resolve
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate()
  }
}

type FanOutServer = {
  readonly subscribers: Subscribers
  readonly publish: () => Promise<unknown>
  readonly cpuMs: () => number | null
}

export async function benchFanOut(
  options: FanOutOptions,
  log: (text: string) => void,
): Promise<FanOutResult> {
  const outcry = await startOutcry({ rounds: 1 })
  const bare = await startServer({ script: 'bench/peers/bare-ws.ts', env: {} })
  const groups = [new Subscribers(), new Subscribers()] as const
  try {
    log(`Fan-out, ${options.subscribers} subscribers per server ...`)
    const ours = await outcrySubscribers(outcry, groups[0], options)
    // Warms up, and gives the peer the text of an update.
    await runRound(ours, options)
    const text = groups[0].lastText
    const theirs = await bareSubscribers(bare, groups[1], { text, ...options })
    await runRound(theirs, options)
    const rounds: { ours: FanOutFigures; theirs: FanOutFigures }[] = []
    while (rounds.length < options.rounds) {
      rounds.push({ ours: await runRound(ours, options), theirs: await runRound(theirs, options) })
    }
    const cpuRatios = rounds.flatMap(
      ({ ours: { cpuMicros: one }, theirs: { cpuMicros: other } }) =>
        one === null || other === null ? [] : [other / one],
    )
    return {
      options,
      messageBytes: Buffer.byteLength(text),
      outcry: middleOf(rounds.map((round) => round.ours)),
      peer: middleOf(rounds.map((round) => round.theirs)),
      spreadRatio: median(rounds.map((round) => round.theirs.spreadMs / round.ours.spreadMs)),
      cpuRatio: cpuRatios.length === 0 ? null : median(cpuRatios),
    }
  } finally {
    for (const group of groups) group.close()
    await bare.stop()
    await outcry.stop()
  }
}

async function outcrySubscribers(
  outcry: ServerUnderTest,
  subscribers: Subscribers,
  { subscribers: count }: FanOutOptions,
): Promise<FanOutServer> {
  const target = await outcry.prepare()
  const { marketId, outcomeIds } = target
  const subscribe = { op: 'subscribe', channels: ['orderbook'], marketIds: [marketId] }
  const subscription = { ...subscribe, outcomeIds: outcomeIds.slice(0, 1) }
  await subscribers.open(count, `ws://127.0.0.1:${target.port}/ws`, subscription)
  return { subscribers, publish: () => place(target), cpuMs: () => outcry.cpuMs() }
}

export async function place({ port, apiKey, marketId, outcomeIds }: LoadTarget): Promise<void> {
  const order = { marketId, outcomeId: outcomeIds[0], playerId: 'ann', side: 'BUY', type: 'LIMIT' }
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ ...order, shares: 1, price: 0.01 }),
  })
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

async function bareSubscribers(
  bare: ServerProcess,
  subscribers: Subscribers,
  { text, subscribers: count }: FanOutOptions & { readonly text: string },
): Promise<FanOutServer> {
  await subscribers.open(count, `ws://127.0.0.1:${bare.port}/`, null)
  const url = `http://127.0.0.1:${bare.port}/`
  const publish = async () => {
    await (await fetch(url, { method: 'POST', body: text })).arrayBuffer()
  }
  return { subscribers, publish, cpuMs: () => bare.cpuMs() }
}

async function runRound(server: FanOutServer, options: FanOutOptions): Promise<FanOutFigures> {
  const spreads: number[] = []
  const wholes: number[] = []
  const cpuBefore = server.cpuMs()
  for (let update = 0; update < options.updates; update += 1) {
    const startedAt = performance.now()
    const received = server.subscribers
      .next()
      .then((firstAt) => ({ firstAt, lastAt: performance.now() }))
    await server.publish()
    const { firstAt, lastAt } = await received
    spreads.push(lastAt - firstAt)
    wholes.push(lastAt - startedAt)
  }
  const cpuAfter = server.cpuMs()
  const messages = options.updates * options.subscribers
  const cpuMicros =
    cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1_000) / messages
  return { spreadMs: median(spreads), wholeMs: median(wholes), cpuMicros }
}

function middleOf(rounds: readonly FanOutFigures[]): FanOutFigures {
  const known = rounds.flatMap(({ cpuMicros }) => (cpuMicros === null ? [] : [cpuMicros]))
  return {
    spreadMs: median(rounds.map(({ spreadMs }) => spreadMs)),
    wholeMs: median(rounds.map(({ wholeMs }) => wholeMs)),
    cpuMicros: known.length === 0 ? null : median(known),
  }
}
