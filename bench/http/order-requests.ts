// The requests of a load, as bytes, prepared before the clock starts: LIMIT orders in both outcomes
// of one market or of many. The price ranges of BUY and SELL overlap so that a third of the orders
// match on arrival; the others rest, and most of them are filled later.

import { Random } from '../../test/support/process/random.ts'
import type { LoadTarget } from './load-target.ts'
import { pairedBodies } from './paired-requests.ts'

export type RequestShape = {
  readonly seed: number
  readonly count: number
  /** If set, every order has its own transactionId, whose digits are written when it is sent. */
  readonly hasTransactionIds: boolean
  /** Orders per request; requests with more than one go to the batch route. */
  readonly batch?: number
}

export const players = Array.from(
  { length: 64 },
  (_, number) => `player-${String(number).padStart(2, '0')}`,
)

/** In hundredths. */
const prices = { BUY: { least: 30, most: 62 }, SELL: { least: 38, most: 70 } }
const sharesMost = 100
const serialDigits = 15
const serialPlace = `"bench-${'0'.repeat(serialDigits)}"`

/** Repeats the prepared requests; no transactionId is sent twice, in this load or a later one. */
export class RequestCycle {
  readonly averageBytes: number
  readonly #target: LoadTarget
  readonly #requests: readonly PreparedRequest[]
  #next = 0
  #serial = Date.now() * 100

  constructor(target: LoadTarget, shape: RequestShape) {
    const requests = orderRequests(target, shape)
    this.#target = target
    this.averageBytes = requests.reduce((sum, { length }) => sum + length, 0) / requests.length
    this.#requests = requests.map((bytes) => ({ bytes, serialsAt: serialsOf(bytes) }))
  }

  next(): Buffer {
    const { bytes, serialsAt } = this.#requests[this.#next]!
    this.#next = (this.#next + 1) % this.#requests.length
    for (const at of serialsAt) {
      bytes.write(serialText(this.#serial), at, 'latin1')
      this.#serial += 1
    }
    return bytes
  }

  /** Reads the order of the last request by its transactionId. */
  readOfLast(): Buffer {
    const { port, apiKey } = this.#target
    const head = [
      `GET /api/v1/orders?transactionId=bench-${serialText(this.#serial - 1)} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `X-Api-Key: ${apiKey}`,
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
  }
}

type PreparedRequest = {
  readonly bytes: Buffer
  /** Where the digits of each transactionId start. */
  readonly serialsAt: readonly number[]
}

export function orderRequests(target: LoadTarget, shape: RequestShape): Buffer[] {
  const { batch = 1, count, hasTransactionIds } = shape
  if (target.markets !== undefined && target.buyers === undefined) {
    const bodies = pairedBodies(target.markets, shape)
    return bodies.map((body) => postOf('/api/v1/orders', target, body))
  }
  const random = new Random(shape.seed)
  const key = hasTransactionIds ? { transactionId: serialPlace.slice(1, -1) } : {}
  const order = () => ({ ...randomOrder(random, target), ...key })
  return Array.from({ length: count }, () => {
    if (batch === 1) return postOf('/api/v1/orders', target, JSON.stringify(order()))
    const orders = Array.from({ length: batch }, order)
    return postOf('/api/v1/orders/batch', target, JSON.stringify({ orders }))
  })
}

export function randomOrder(random: Random, target: LoadTarget) {
  const { markets, buyers = players } = target
  const market = markets === undefined ? { ...target, holders: players } : random.pick(markets)
  const side = random.chance(50) ? 'BUY' : 'SELL'
  return {
    marketId: market.marketId,
    outcomeId: random.pick(market.outcomeIds),
    playerId: random.pick(side === 'BUY' ? buyers : market.holders),
    side,
    type: 'LIMIT',
    shares: random.between(1, sharesMost),
    price: random.between(prices[side].least, prices[side].most) / 100,
  }
}

function serialText(serial: number): string {
  return String(serial).padStart(serialDigits, '0')
}

function serialsOf(request: Buffer): number[] {
  const found: number[] = []
  for (let at = request.indexOf(serialPlace); at >= 0; at = request.indexOf(serialPlace, at + 1)) {
    found.push(at + serialPlace.length - 1 - serialDigits)
  }
  return found
}

function postOf(path: string, { port, apiKey }: LoadTarget, body: string): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `X-Api-Key: ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
