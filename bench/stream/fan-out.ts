// What does it take to tell a thousand subscribers of one change of a book? Against a bare loop of
// `ws` that sends the same text to each. Rounds take turns, so that a noisy machine disturbs both
// alike; each ratio is the median over the rounds.

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
  /** From the first subscriber that has the message to the last, in milliseconds. */
  readonly spreadMs: number
  /** From the request that causes it to the last, its commit included. */
  readonly wholeMs: number
  /** Processor time of the server for one message to one subscriber; null where nobody tells. */
  readonly cpuMicros: number | null
}

export type FanOutResult = {
  readonly options: FanOutOptions
  readonly messageBytes: number
  readonly outcry: FanOutFigures
  readonly peer: FanOutFigures
  /** The peer's figures by Outcry's: above 1, Outcry takes less. */
  readonly spreadRatio: number
  readonly cpuRatio: number | null
}

export const usualFanOut: FanOutOptions = { subscribers: 1_000, updates: 100, rounds: 5 }

const opensAtOnce = 100

/** Subscribers of one server, counted together. */
class Crowd {
  readonly #sockets: WebSocket[] = []
  lastText = ''
  #left = 0
  #firstAt = 0
  #onLast: (firstAt: number) => void = () => undefined

  async open(count: number, url: string, greeting: object | null): Promise<void> {
    while (this.#sockets.length < count) {
      const group = Array.from({ length: opensAtOnce }, () => this.#open(url, greeting))
      await Promise.all(group)
    }
  }

  // Ready when its subscription was answered with the book.
  #open(url: string, greeting: object | null): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.once('error', reject)
    socket.once('open', () => {
      if (greeting === null) resolve()
      else socket.send(JSON.stringify(greeting))
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
    const isFirst = this.#left === this.#sockets.length
    if (isFirst) {
      this.#firstAt = performance.now()
      this.lastText = data.toString()
    }
    this.#left -= 1
    if (this.#left === 0) this.#onLast(this.#firstAt)
  }

  /** Resolves when every subscriber has the next message; with the time the first one had it. */
  next(): Promise<number> {
    this.#left = this.#sockets.length
    return new Promise((resolve) => {
      this.#onLast = resolve
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate()
  }
}

type Side = {
  readonly crowd: Crowd
  readonly cause: () => Promise<unknown>
  readonly cpuMs: () => number | null
}

export async function benchFanOut(
  options: FanOutOptions,
  say: (text: string) => void,
): Promise<FanOutResult> {
  const outcry = await startOutcry({ rounds: 1 })
  const bare = await startServer({ script: 'bench/peers/bare-ws.ts', env: {} })
  const crowds = [new Crowd(), new Crowd()] as const
  try {
    say(`Fan-out, ${options.subscribers} subscribers of each ...`)
    const ours = await ourSide(outcry, crowds[0], options)
    // Warms up, and tells what the message looks like.
    await runRound(ours, options)
    const text = crowds[0].lastText
    const theirs = await bareSide(bare, crowds[1], { text, ...options })
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
    for (const crowd of crowds) crowd.close()
    await bare.stop()
    await outcry.stop()
  }
}

async function ourSide(
  outcry: ServerUnderTest,
  crowd: Crowd,
  { subscribers }: FanOutOptions,
): Promise<Side> {
  const target = await outcry.prepare()
  const { marketId, outcomeIds } = target
  const subscribe = { op: 'subscribe', channels: ['orderbook'], marketIds: [marketId] }
  const greeting = { ...subscribe, outcomeIds: outcomeIds.slice(0, 1) }
  await crowd.open(subscribers, `ws://127.0.0.1:${target.port}/ws`, greeting)
  return { crowd, cause: () => place(target), cpuMs: () => outcry.cpuMs() }
}

async function place({ port, apiKey, marketId, outcomeIds }: LoadTarget): Promise<void> {
  const order = { marketId, outcomeId: outcomeIds[0], playerId: 'ann', side: 'BUY', type: 'LIMIT' }
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ ...order, shares: 1, price: 0.01 }),
  })
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

async function bareSide(
  bare: ServerProcess,
  crowd: Crowd,
  { text, subscribers }: FanOutOptions & { readonly text: string },
): Promise<Side> {
  await crowd.open(subscribers, `ws://127.0.0.1:${bare.port}/`, null)
  const url = `http://127.0.0.1:${bare.port}/`
  const cause = async () => {
    await (await fetch(url, { method: 'POST', body: text })).arrayBuffer()
  }
  return { crowd, cause, cpuMs: () => bare.cpuMs() }
}

async function runRound(side: Side, options: FanOutOptions): Promise<FanOutFigures> {
  const spreads: number[] = []
  const wholes: number[] = []
  const cpuBefore = side.cpuMs()
  for (let update = 0; update < options.updates; update += 1) {
    const startedAt = performance.now()
    const told = side.crowd.next().then((firstAt) => ({ firstAt, lastAt: performance.now() }))
    await side.cause()
    const { firstAt, lastAt } = await told
    spreads.push(lastAt - firstAt)
    wholes.push(lastAt - startedAt)
  }
  const cpuAfter = side.cpuMs()
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
