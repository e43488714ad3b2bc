// The requests of a load, as bytes, prepared before the clock starts: LIMIT orders of 64 players in
// both outcomes of a market. The price ranges of BUY and SELL overlap so that a third of the orders
// match on arrival; the others rest, and most of them are filled later.

import { Random } from '../../test/support/process/random.ts'
import type { LoadTarget } from './load-target.ts'
import { pairedBodies } from './paired-requests.ts'

export type RequestShape = {
  readonly seed: number
  readonly count: number
  /** If set, every order gets its own transactionId, written into its bytes when it is sent. */
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
const bodyEnd = '"}'

export function orderRequests(target: LoadTarget, shape: RequestShape): Buffer[] {
  if (target.markets !== undefined) {
    const bodies = pairedBodies(target.markets, shape)
    return bodies.map((body) => postOf('/api/v1/orders', target, body))
  }
  const random = new Random(shape.seed)
  const order = () => randomOrder(random, target)
  return Array.from({ length: shape.count }, () => {
    const { batch = 1 } = shape
    if (batch > 1) {
      const orders = Array.from({ length: batch }, order)
      return postOf('/api/v1/orders/batch', target, JSON.stringify({ orders }))
    }
    const key = { transactionId: `bench-${'0'.repeat(serialDigits)}` }
    const body = JSON.stringify(shape.hasTransactionIds ? { ...order(), ...key } : order())
    return postOf('/api/v1/orders', target, body)
  })
}

export function randomOrder(random: Random, { marketId, outcomeIds }: LoadTarget) {
  const side = random.chance(50) ? 'BUY' : 'SELL'
  return {
    marketId,
    outcomeId: random.pick(outcomeIds),
    playerId: random.pick(players),
    side,
    type: 'LIMIT',
    shares: random.between(1, sharesMost),
    price: random.between(prices[side].least, prices[side].most) / 100,
  }
}

/** Writes the next transactionId into a request that was prepared with one. */
export function stamp(request: Buffer, serial: number): void {
  const digits = String(serial).padStart(serialDigits, '0')
  request.write(digits, request.length - bodyEnd.length - serialDigits, 'latin1')
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
