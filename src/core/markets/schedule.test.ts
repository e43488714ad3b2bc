// What happens by itself: when, in which order, and how much of it at once.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, startMs, TestExchange } from '../../../test/support/core/exchange.ts'
import type { Serial } from '../ids.ts'
import { advance, lateMarkets } from './schedule.ts'

const livesMs = [20, 10, 30, 10, 10, 20, 10, 10]

/** An order for each of these, in this order of placing. */
function expiringOrders(): { readonly exchange: TestExchange; readonly orderIds: string[] } {
  const exchange = newExchange()
  const orderIds = livesMs.map((lifeMs) => {
    const expiresAt = startMs + lifeMs
    return exchange.buy('bob', 1, 0.5, { expiresAt }).placement!.order.id
  })
  return { exchange, orderIds }
}

function expiredIn({ events }: { readonly events: readonly { readonly payload: object }[] }) {
  return events.flatMap(({ payload }) => ('cancelledShares' in payload ? [payload] : []))
}

describe('orders expire', () => {
  test('by time, and of one time in the order of their placing', () => {
    const { exchange, orderIds } = expiringOrders()
    const expired = expiredIn(exchange.wait(100)) as { orderId?: string }[]
    assert.deepEqual(
      expired.map(({ orderId }) => orderId),
      [1, 3, 4, 6, 7, 0, 5, 2].map((at) => orderIds[at]),
    )
  })

  test('as far as their time has come', () => {
    const { exchange } = expiringOrders()
    const left = [9, 1, 9, 1, 9, 1].map((ms) => {
      exchange.wait(ms)
      return exchange.save().orders.length
    })
    assert.deepEqual(left, [8, 3, 3, 1, 1, 0])
  })

  test('each as a command of its own', () => {
    const { exchange } = expiringOrders()
    const { commandSequence } = exchange.core
    exchange.wait(10)
    assert.equal(exchange.core.commandSequence, commandSequence + 5)
  })
})

describe('time', () => {
  test('does at most so many things, and returns whether nothing is left', () => {
    const { exchange } = expiringOrders()
    const isDone = [5, 5].map((atMost) => {
      let done = false
      exchange.turn((core) => {
        done = advance(core, startMs + 100, atMost)
        return null
      })
      return [done, exchange.save().orders.length]
    })
    assert.deepEqual(isDone, [
      [false, 3],
      [true, 0],
    ])
  })

  test('leaves those markets late in which something is still due', () => {
    const { exchange } = expiringOrders()
    const { core, marketSerial } = exchange
    const late = () => [...lateMarkets(core)].map(({ serial }) => serial)
    exchange.createMarket({ tradingStartsAt: startMs + 10 })
    exchange.manage('open')
    assert.deepEqual(late(), [])
    const seen = [0, 1, 6, 1].map((atMost) => {
      advance(core, startMs + 20, atMost)
      return late()
    })
    assert.deepEqual(seen, [
      [exchange.marketSerial, marketSerial],
      [marketSerial],
      [marketSerial],
      [],
    ])
  })

  test('never goes back', () => {
    const exchange = newExchange()
    exchange.wait(100)
    advance(exchange.core, startMs, 1)
    assert.equal(exchange.now, startMs + 100)
  })

  test('that passes with nothing due changes no more than the time', () => {
    const exchange = newExchange()
    const before = exchange.save()
    exchange.wait(100)
    assert.deepEqual(exchange.save(), { ...before, head: { ...before.head, now: startMs + 100 } })
  })
})

describe('markets open', () => {
  function upcoming(exchange: TestExchange, startsInMs: number): Serial {
    exchange.createMarket({ tradingStartsAt: startMs + startsInMs })
    exchange.manage('open')
    return exchange.marketSerial
  }

  test('by time, each to the millisecond', () => {
    const exchange = new TestExchange()
    const markets = [30, 10, 20].map((ms) => upcoming(exchange, ms))
    const isOpen = (market: Serial) => exchange.status(market) === 'OPEN'
    const open = [9, 1, 9, 1, 9, 1].map((ms) => {
      exchange.wait(ms)
      return markets.map(isOpen)
    })
    assert.deepEqual(open, [
      [false, false, false],
      [false, true, false],
      [false, true, false],
      [false, true, true],
      [false, true, true],
      [true, true, true],
    ])
  })

  test('once', () => {
    const exchange = new TestExchange()
    upcoming(exchange, 10)
    exchange.wait(10)
    exchange.manage('suspend')
    assert.deepEqual(exchange.wait(10).events, [])
    assert.equal(exchange.status(), 'SUSPENDED')
  })

  test('at once where an UPCOMING market loses its start', () => {
    const exchange = new TestExchange()
    upcoming(exchange, 10)
    exchange.editMarket({ tradingStartsAt: null })
    exchange.wait(0)
    assert.equal(exchange.status(), 'OPEN')
  })
})
