// Changing the price band of a market: until when, and who gets an event about it.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  newExchange,
  participant,
  startMs,
  type Turn,
} from '../../../test/support/core/exchange.ts'
import { priceOf } from '../../../test/support/core/steps.ts'
import type { PriceBand } from '../state/market.ts'

function band(maxMove: number, suspendOnBand = false): PriceBand {
  return { maxMove: priceOf(maxMove), suspendOnBand }
}

const typesOf = ({ events }: Turn) => events.map(({ eventType }) => eventType)

suite('the band of a market', () => {
  test('can be changed until it is RESOLVED, with an event only where it changes', () => {
    const exchange = newExchange({ priceBand: band(0.1) })
    exchange.buy('gil', 1, 0.1, { operator: participant })
    assert.deepEqual(typesOf(exchange.editMarket({ priceBand: band(0.1) })), [])
    const { events } = exchange.editMarket({ priceBand: band(0.2, true) })
    assert.deepEqual(
      events.map(({ eventType, operatorId, payload }) => [eventType, operatorId, payload]),
      ['house', participant].map((operatorId) => [
        'MARKET_UPDATED',
        operatorId,
        {
          marketId: exchange.market().id,
          tradingEndsAt: null,
          reason: null,
          priceBand: { maxMove: 0.2, suspendOnBand: true },
          timestamp: startMs,
        },
      ]),
    )
    for (const action of ['suspend', 'close'] as const) {
      exchange.manage(action)
      const maxMove = action === 'close' ? 0.3 : 0.4
      assert.equal(exchange.editMarket({ priceBand: band(maxMove) }).events.length, 2)
    }
    exchange.manage('resolve')
    const { reject } = exchange.editMarket({ priceBand: null })
    const refused = { code: 'MARKET_NOT_EDITABLE', status: 'RESOLVED', field: 'priceBand' }
    assert.deepEqual(reject, refused)
    assert.equal(exchange.editMarket({ categoryId: 'rain' }).reject, null)
  })

  test('cannot be changed once it is cancelled', () => {
    const exchange = newExchange()
    exchange.manage('cancel')
    assert.equal(exchange.editMarket({ priceBand: band(0.1) }).code, 'MARKET_NOT_EDITABLE')
  })
})
