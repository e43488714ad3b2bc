// Holds what a preview said against what the placement then did: the same refusal, the same fills,
// the same money, and nothing changed by looking.

import assert from 'node:assert/strict'
import { placementOf } from '../../src/core/events/answer.ts'
import { type NewOrder, place } from '../../src/core/orders/place.ts'
import { preview } from '../../src/core/orders/preview.ts'
import type { Reject } from '../../src/core/reject.ts'
import type { Exchange } from '../../src/core/state/exchange.ts'

/** Places an order that was looked at before. */
export function placeForeseen(exchange: Exchange, order: NewOrder): Reject | null {
  const before = traces(exchange)
  const foreseen = preview(exchange, order)
  assert.deepEqual(traces(exchange), before, 'a preview changes nothing')
  const reject = place(exchange, order)
  if ('code' in foreseen) {
    assert.equal(reject?.code, foreseen.code, 'a preview is refused as the placement is')
    return reject
  }
  assert.equal(reject, null, 'what a preview allows is taken')
  const { order: placed, trades } = placementOf(exchange, exchange.journal.current)
  const isSell = order.side === 'SELL'
  const own = trades.filter(({ outcomeId, buyOrderId, sellOrderId }) => {
    const ownId = isSell ? sellOrderId : buyOrderId
    return outcomeId === placed.outcomeId && ownId === placed.id
  })
  assert.deepEqual(foreseen.fills, byPrice(own), 'the same fills')
  const paid = own.reduce(
    (sum, { buyerFee, sellerFee }) => sum + (isSell ? sellerFee : buyerFee),
    0,
  )
  assert.equal(foreseen.fee, paid, 'the same fee')
  assert.equal(foreseen.filled, placed.filled)
  assert.equal(foreseen.resting, placed.remaining)
  assert.equal(foreseen.cost, isSell ? 0 : placed.cost)
  const rest = BigInt(placed.remaining) * BigInt(placed.price ?? 0)
  const restFee = rest * BigInt(exchange.feeRateOf(order.operator))
  const goods = isSell ? 0n : (BigInt(placed.cost) + rest) * 10_000n
  assert.equal(foreseen.maxCost, goods + BigInt(paid) + restFee, 'the most it can cost')
  return null
}

function traces(exchange: Exchange): readonly number[] {
  const { journal, lastSerial, orders, positions, players, commandSequence } = exchange
  return [
    journal.factCount,
    lastSerial,
    orders.openCount,
    positions.size,
    [...players].length,
    commandSequence,
  ]
}

type Fill = { price: number; shares: number }

function byPrice(trades: readonly Fill[]): Fill[] {
  const fills: Fill[] = []
  for (const { price, shares } of trades) {
    const last = fills.at(-1)
    if (last?.price === price) last.shares += shares
    else fills.push({ price, shares })
  }
  return fills
}
