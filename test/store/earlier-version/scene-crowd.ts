// Two markets with so much in them that to settle the one and to cancel the other takes many turns:
// time enough to be killed half-way.

import type { OperatorClient } from '../../support/http/operator-client.ts'
import type { Named } from './scene.ts'

const outcomes = Array.from({ length: 100 }, (_, at) => ({ name: `Number ${at}` }))
const players = 10
const sets = 5
const batches = 10
const batchSize = 100

export async function makeCrowded(house: OperatorClient): Promise<Named> {
  const manyPositions = await house.openMarket({ title: 'Which number comes?', outcomes })
  for (let at = 0; at < players; at += 1) await house.mint(manyPositions, `player-${at}`, sets)
  await house.act(manyPositions, 'close')
  await house.resolve(manyPositions, 99)

  const manyOrders = await house.openMarket({ title: 'Will they all come?' })
  for (let batch = 0; batch < batches; batch += 1) {
    const orders = Array.from({ length: batchSize }, (_, at) => ({
      marketId: manyOrders.id,
      outcomeId: manyOrders.outcomes[at % 2].id,
      playerId: `player-${at % players}`,
      side: 'BUY',
      type: 'LIMIT',
      shares: 1 + batch,
      price: (3 + at) / 250,
    }))
    await house.post('/orders/batch', { orders })
  }
  const counts = { positions: players * outcomes.length, orders: batches * batchSize }
  return { manyPositions, manyOrders, crowd: { ...counts, payout: players * sets } }
}

/** Whoever asks hears nothing: the service does not outlive it. */
export async function endBoth(house: OperatorClient, named: Named): Promise<void> {
  const { manyPositions, manyOrders } = named
  const cancelled = house.act(manyOrders, 'cancel', { reason: 'Nobody came' })
  const settled = house.act(manyPositions, 'settle')
  await Promise.allSettled([cancelled, settled])
}
