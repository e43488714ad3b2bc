// Sets up markets and books of the attacker over HTTP, so that it works with any store.

import { setTimeout as delay } from 'node:timers/promises'
import type { FixtureMarket } from '../../support/trading-fixture.ts'
import type { HttpCaller } from './http-caller.ts'

const batchSize = 100
const batchesAtOnce = 4
/** Below the number of open orders that a player may have in a market. */
const ordersPerPlayer = 5_000
/** After an answer 429 or 503. */
const pauseMs = 50

export async function newMarket(operator: HttpCaller, body: object = {}): Promise<FixtureMarket> {
  const title = 'Will it hold?'
  const { id, outcomes } = await operator.data('POST', '/api/v1/markets', { title, ...body })
  await operator.data('POST', `/api/v1/markets/${id}/open`)
  return { id, outcomeIds: outcomes.map((outcome: { id: string }) => outcome.id) }
}

export function mint(
  operator: HttpCaller,
  { id }: FixtureMarket,
  playerId: string,
  shares: number,
) {
  return operator.data('POST', `/api/v1/markets/${id}/mint`, { playerId, shares })
}

/** A BUY order of one share for the first outcome, at one of many prices up to 0.50. */
export function restingOrder({ id, outcomeIds }: FixtureMarket, number: number): object {
  return {
    marketId: id,
    outcomeId: outcomeIds[0],
    playerId: `bidder-${Math.floor(number / ordersPerPlayer)}`,
    side: 'BUY',
    type: 'LIMIT',
    shares: 1,
    price: (5_000 - (number % 400)) / 10_000,
  }
}

/** Rests so many orders in the book of the first outcome. */
export async function fillBook(
  operator: HttpCaller,
  market: FixtureMarket,
  count: number,
): Promise<void> {
  let from = 0
  const place = async () => {
    while (from < count) {
      const first = from
      from += batchSize
      await placeBatch(operator, restingBatch(market, first))
    }
  }
  await Promise.all(Array.from({ length: batchesAtOnce }, place))
}

/** The bodies of a batch of resting orders, beginning with that number. */
export function restingBatch(market: FixtureMarket, first: number): readonly object[] {
  return Array.from({ length: batchSize }, (_, at) => restingOrder(market, first + at))
}

async function placeBatch(operator: HttpCaller, orders: readonly object[]): Promise<void> {
  for (;;) {
    const { status, text } = await operator.call('POST', '/api/v1/orders/batch', {
      body: { orders },
    })
    if (status === 200) return
    if (status !== 429 && status !== 503) throw new Error(`A batch was answered ${status}: ${text}`)
    await delay(pauseMs)
  }
}
