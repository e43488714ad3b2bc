// The end of trading of a market that has opened is moved: what it must be, and when trading ends.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, participant, startMs } from '../../../test/support/core/exchange.ts'

const ended = { code: 'MARKET_NOT_OPEN', status: 'OPEN' }

function messageOf({ reject }: { readonly reject: unknown }): unknown {
  return reject
}

describe('the new end of trading', () => {
  test('must be in the future, to the millisecond', () => {
    const exchange = newExchange()
    exchange.wait(50)
    for (const end of [1, startMs, startMs + 50]) {
      assert.deepEqual(messageOf(exchange.changeTradingWindow(end)), {
        code: 'VALIDATION_ERROR',
        field: 'tradingEndsAt',
        message: 'must be in the future',
      })
    }
    assert.equal(exchange.changeTradingWindow(startMs + 51).code, null)
  })

  test('must be after the start of trading', () => {
    const exchange = newExchange({ tradingStartsAt: startMs - 1 })
    // A suspended market may have a start that has not come: it was opened by an earlier version.
    exchange.market().tradingStartsAt = startMs + 100
    assert.deepEqual(messageOf(exchange.changeTradingWindow(startMs + 100)), {
      code: 'VALIDATION_ERROR',
      field: 'tradingEndsAt',
      message: 'must be after tradingStartsAt',
    })
    assert.equal(exchange.changeTradingWindow(startMs + 101).code, null)
  })

  test('changes when orders are accepted, and neither the status nor the orders', () => {
    const exchange = newExchange({ tradingEndsAt: startMs + 1_000 })
    exchange.buy('bob', 10, 0.4)
    exchange.changeTradingWindow(startMs + 10)
    exchange.wait(9)
    assert.equal(exchange.buy('bob', 10, 0.5).code, null)
    exchange.wait(1)
    assert.deepEqual(exchange.buy('bob', 10, 0.5).reject, ended)
    assert.equal(exchange.status(), 'OPEN')
    assert.equal(exchange.market().hasOpenOrders, true)
  })

  test('lets trading go on in a market in which it had ended', () => {
    const exchange = newExchange({ tradingEndsAt: startMs + 10 })
    exchange.wait(20)
    assert.deepEqual(exchange.buy('bob', 10, 0.5).reject, ended)
    exchange.changeTradingWindow(startMs + 30)
    assert.equal(exchange.buy('bob', 10, 0.5).code, null)
    exchange.wait(10)
    assert.deepEqual(exchange.buy('bob', 10, 0.5).reject, ended)
  })

  test('of a suspended market counts once it is resumed', () => {
    const exchange = newExchange({ tradingEndsAt: startMs + 10 })
    exchange.manage('suspend')
    exchange.wait(20)
    assert.equal(exchange.changeTradingWindow(startMs + 30).code, null)
    assert.equal(exchange.status(), 'SUSPENDED')
    exchange.manage('resume')
    assert.equal(exchange.buy('bob', 10, 0.5).code, null)
  })

  test('is kept over a start, with the time of the change', () => {
    const exchange = newExchange()
    exchange.wait(5)
    exchange.changeTradingWindow(startMs + 70)
    const { hash } = exchange
    exchange.restart()
    assert.equal(exchange.hash, hash)
    const { tradingEndsAt, updatedAt } = exchange.market()
    assert.deepEqual([tradingEndsAt, updatedAt], [startMs + 70, startMs + 5])
  })
})

test('the event has the end, the reason and no more, also where the end stays', () => {
  const exchange = newExchange()
  exchange.buy('gil', 10, 0.5, { operator: participant })
  for (const _ of ['first', 'again']) {
    const { events } = exchange.changeTradingWindow(startMs + 1_000)
    assert.deepEqual(
      events.map(({ operatorId, payload }) => [operatorId, payload]),
      ['house', 'participant'].map((operator) => [
        operator,
        {
          marketId: exchange.market().id,
          tradingEndsAt: '2026-01-01T00:00:01.000Z',
          reason: 'A reason',
          priceBand: null,
          timestamp: startMs,
        },
      ]),
    )
  }
})
