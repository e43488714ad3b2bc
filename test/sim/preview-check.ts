// Compares a preview with the placement that follows it: the same rejection, fills and amounts, and
// no change by the preview itself.

import assert from 'node:assert/strict'
import { type OrderAnswer, placementOf } from '../../src/core/events/answer.ts'
import { feeOf } from '../../src/core/fee.ts'
import { type NewOrder, place } from '../../src/core/orders/place.ts'
import { preview } from '../../src/core/orders/preview.ts'
import type { Reject } from '../../src/core/reject.ts'
import type { Exchange } from '../../src/core/state/exchange.ts'

/** Previews an order and places it. */
export function placeAfterPreview(exchange: Exchange, order: NewOrder): Reject | null {
  const before = countersOf(exchange)
  const previewed = preview(exchange, order)
  assert.deepEqual(countersOf(exchange), before, 'a preview changes nothing')
  const reject = place(exchange, order)
  if ('code' in previewed) {
    assert.equal(reject?.code, previewed.code, 'a preview is rejected as the placement is')
    return reject
  }
  assert.equal(reject, null, 'a previewed order is accepted')
  const { order: placed, trades } = placementOf(exchange, exchange.journal.current)
  const isSell = order.side === 'SELL'
  const own = trades.filter(({ outcomeId, buyOrderId, sellOrderId }) => {
    const ownId = isSell ? sellOrderId : buyOrderId
    return outcomeId === placed.outcomeId && ownId === placed.id
  })
  assert.deepEqual(previewed.fills, byPrice(own), 'the same fills')
  const paid = own.reduce(
    (sum, { buyerFee, sellerFee }) => sum + (isSell ? sellerFee : buyerFee),
    0,
  )
  assert.equal(previewed.fee, paid, 'the same fee')
  assert.equal(previewed.filled, placed.filled)
  assert.equal(previewed.resting, placed.remaining)
  assert.equal(previewed.cost, isSell ? 0 : placed.cost)
  const rest = BigInt(placed.remaining) * BigInt(placed.price ?? 0)
  const { market } = exchange.book(order.outcomeSerial)!
  const fees = exchange.feesOf(order.operator, market)
  const atLimit = { price: placed.price ?? 0, shares: placed.remaining }
  const restFee = BigInt(feeOf(atLimit, fees, 'MAKER'))
  const goods = isSell ? 0n : (BigInt(placed.cost) + rest) * 10_000n
  assert.equal(previewed.maxCost, goods + BigInt(paid) + restFee, 'the same maximum cost')
  assert.equal(previewed.amount, order.amount)
  assert.equal(placed.spending?.amount, order.amount)
  if (order.amount !== undefined) checkSpent(placed, previewed.maxCost)
  return null
}

/** An order by amount spends what its preview says, and no more than its amount. */
function checkSpent({ filled, shares, spending }: OrderAnswer, cost: bigint): void {
  assert.equal(BigInt(spending!.spent), cost, 'what is previewed is spent')
  assert.ok(cost <= BigInt(spending!.amount) * 10_000n, 'no more than the amount is spent')
  assert.equal(shares, filled)
}

function countersOf(exchange: Exchange): readonly number[] {
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
