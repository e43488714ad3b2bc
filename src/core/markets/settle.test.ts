// Settling and cancelling whole markets, in slices between which anything may happen.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  newExchange,
  participant,
  slicesMax,
  type TestExchange,
  type Turn,
} from '../../../test/support/core/exchange.ts'
import type { SettlementCompleted } from '../events/event-payload.ts'

/** Six players with positions in both outcomes, one with nothing left, and ten open orders. */
function busyExchange(): TestExchange {
  const exchange = newExchange()
  for (const player of ['p1', 'p2', 'p3', 'p4', 'p5']) exchange.mint(player, 10)
  exchange.mint('g1', 20, { operator: participant })
  exchange.sell('p1', 10, 0.5)
  exchange.buy('p2', 10, 0.5)
  for (const player of ['p2', 'p3', 'p4', 'p5']) {
    exchange.buy(player, 5, 0.4)
    exchange.sell(player, 5, 0.6, { outcome: 1 })
  }
  exchange.buy('g1', 1, 0.41, { operator: participant })
  exchange.sell('g1', 1, 0.61, { operator: participant })
  return exchange
}

function resolved(exchange = busyExchange()): TestExchange {
  exchange.manage('close')
  exchange.manage('resolve', { winner: 1 })
  return exchange
}

/** Slices until the market is done; `between` happens after each. */
function continueJob(exchange: TestExchange, atMost: number, between = () => {}): Turn[] {
  const turns: Turn[] = []
  while (exchange.market().job?.phase !== 'DONE') {
    assert(turns.length < slicesMax, 'it comes to an end')
    turns.push(exchange.continueJob(atMost))
    between()
  }
  return turns
}

function settlementsIn(turns: readonly Turn[]): SettlementCompleted[] {
  return turns
    .flatMap(({ events }) => events)
    .filter(({ eventType }) => eventType === 'SETTLEMENT_COMPLETED')
    .map(({ payload }) => payload as SettlementCompleted)
}

describe('settling', () => {
  test('pays a winning share 1 and a losing share 0', () => {
    const exchange = resolved()
    exchange.settle()
    const paid = settlementsIn(continueJob(exchange, 100))
    const winner = exchange.market().books[1]!.id
    const ofP2 = paid.filter(({ playerId }) => playerId === 'p2')
    assert.deepEqual(
      ofP2.map(({ outcomeId, shares, payoutPerShare, totalPayout }) => ({
        isWinner: outcomeId === winner,
        shares,
        payoutPerShare,
        totalPayout,
      })),
      [
        { isWinner: false, shares: 20, payoutPerShare: 0, totalPayout: 0 },
        { isWinner: true, shares: 10, payoutPerShare: 1, totalPayout: 10 },
      ],
    )
  })

  test('settles every position once, those without shares too', () => {
    const exchange = resolved()
    const { ids } = exchange.core
    const serials = exchange.save().positions.map(({ serial }) => serial)
    exchange.settle()
    const paid = settlementsIn(continueJob(exchange, 100))
    assert.deepEqual(
      paid.map(({ positionId }) => ids.serialOf(positionId)),
      serials,
    )
    assert(paid.some(({ shares }) => shares === 0))
    assert(paid.every(({ status }) => status === 'COMPLETED'))
  })

  test('pays out exactly the sets that were minted', () => {
    const exchange = resolved()
    exchange.settle()
    const paid = settlementsIn(continueJob(exchange, 3))
    assert.equal(
      paid.reduce((sum, { totalPayout }) => sum + totalPayout, 0),
      70,
    )
  })

  test('counts the orders it cancelled, the positions it settled and what it paid', () => {
    const exchange = resolved()
    exchange.settle()
    continueJob(exchange, 3)
    const { cancelledOrders, settled, payout, phase } = exchange.market().job!
    assert.deepEqual([cancelledOrders, settled, payout.exact, phase], [10, 12, 70_000_000n, 'DONE'])
  })

  test('cancels all open orders before it pays anybody', () => {
    const exchange = resolved()
    exchange.settle()
    const published = continueJob(exchange, 3)
      .flatMap(({ events }) => events)
      .map(({ eventType }) => eventType)
    assert.equal(published.filter((eventType) => eventType === 'ORDER_CANCELLED').length, 10)
    assert(published.lastIndexOf('ORDER_CANCELLED') < published.indexOf('SETTLEMENT_COMPLETED'))
  })

  test('does at most so many orders or positions in a slice', () => {
    const exchange = resolved()
    exchange.settle()
    const sizes = continueJob(exchange, 4).map(({ events }) => {
      const done = ['ORDER_CANCELLED', 'SETTLEMENT_COMPLETED']
      return events.filter(({ eventType }) => done.includes(eventType)).length
    })
    // Ten orders, then twelve positions.
    assert.deepEqual(sizes, [4, 4, 2, 4, 4, 4])
  })

  test('comes to the same whatever the slices, and with a restart after each', () => {
    const whole = resolved()
    whole.settle()
    const paid = settlementsIn(continueJob(whole, 1_000))
    for (const atMost of [1, 2, 3, 5, 7]) {
      const exchange = resolved()
      exchange.settle()
      const again = settlementsIn(continueJob(exchange, atMost, () => exchange.restart()))
      const amounts = (list: typeof paid) => list.map(({ settlementId: _, ...rest }) => rest)
      assert.deepEqual(amounts(again), amounts(paid), `slices of ${atMost}`)
      assert.equal(exchange.status(), 'SETTLED')
    }
  })

  test('requested again while it is under way changes nothing', () => {
    const exchange = resolved()
    exchange.settle()
    exchange.continueJob(4)
    const { hash } = exchange
    assert.equal(exchange.settle().code, null)
    assert.equal(exchange.hash, hash)
  })

  test('publishes the change of status after the last position only', () => {
    const exchange = resolved()
    exchange.settle()
    const turns = continueJob(exchange, 4)
    const published = turns.map(({ events }) =>
      events.some(({ eventType }) => eventType === 'MARKET_STATUS_CHANGED'),
    )
    assert.deepEqual(published, [false, false, false, false, false, true])
  })

  test('of a market without positions is done in one slice', () => {
    const exchange = resolved(newExchange())
    exchange.settle()
    exchange.continueJob(1)
    assert.equal(exchange.status(), 'SETTLED')
  })

  test('lets other markets trade between slices', () => {
    const exchange = resolved()
    const settling = exchange.marketSerial
    exchange.settle()
    exchange.continueJob(4)
    exchange.createMarket()
    exchange.manage('open')
    assert.equal(exchange.mint('p1', 10).code, null)
    exchange.marketSerial = settling
    continueJob(exchange, 4)
    assert.equal(exchange.status(), 'SETTLED')
  })
})

describe('settling is rejected', () => {
  test('with MARKET_INVALID_TRANSITION before the market is resolved, and not after', () => {
    const exchange = busyExchange()
    exchange.manage('close')
    assert.deepEqual(exchange.settle().reject, {
      code: 'MARKET_INVALID_TRANSITION',
      status: 'CLOSED',
      action: 'settled',
    })
    exchange.manage('resolve')
    assert.equal(exchange.settle().code, null)
  })

  test('with SETTLEMENT_ALREADY_COMPLETED after the last slice, and not before', () => {
    const exchange = resolved()
    exchange.settle()
    for (let slice = 0; slice < 10 + 11; slice += 1) exchange.continueJob(1)
    assert.equal(exchange.settle().code, null)
    exchange.continueJob(1)
    assert.equal(exchange.settle().code, 'SETTLEMENT_ALREADY_COMPLETED')
  })
})

describe('cancelling a market', () => {
  test('ends trading at once and its orders in slices, with a restart after each', () => {
    const exchange = busyExchange()
    exchange.manage('cancel')
    assert.equal(exchange.status(), 'CANCELLED')
    assert.equal(exchange.buy('p1', 1, 0.3).code, 'MARKET_NOT_OPEN')
    const left: number[] = []
    continueJob(exchange, 4, () => {
      exchange.restart()
      left.push(exchange.save().orders.length)
    })
    assert.deepEqual(left, [6, 2, 0])
  })

  test('cancels each order once, because of the market', () => {
    const exchange = busyExchange()
    exchange.manage('cancel')
    const cancelled = continueJob(exchange, 3)
      .flatMap(({ events }) => events)
      .flatMap(({ payload }) => ('cancelledShares' in payload ? [payload] : []))
    assert.equal(new Set(cancelled.map(({ orderId }) => orderId)).size, 10)
    assert.equal(cancelled.length, 10)
    assert(cancelled.every(({ reason }) => reason === 'MARKET_CANCELLED'))
    assert.equal(exchange.market().job!.cancelledOrders, 10)
  })

  test('settles no position', () => {
    const exchange = busyExchange()
    exchange.manage('cancel')
    assert.deepEqual(settlementsIn(continueJob(exchange, 100)), [])
    assert.equal(exchange.status(), 'CANCELLED')
  })
})
