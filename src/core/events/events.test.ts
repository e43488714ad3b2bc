// The events of operators: in which order, under which numbers, with which fields.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  newExchange,
  participant,
  startMs,
  TestExchange,
} from '../../../test/support/core/exchange.ts'
import { type EventType, eventTypes } from '../words.ts'
import type { OrderBookUpdate } from './event-payload.ts'
import type { Event } from './events.ts'

const asParticipant = { operator: participant } as const

/** "operator EVENT_TYPE" of each. */
function linesOf(events: readonly Event[]): string[] {
  return events.map(({ operatorId, eventType }) => `${operatorId} ${eventType}`)
}

/** Of each match: the operator, and what its order has to do with it. */
function partsOf(events: readonly Event[]): string[] {
  return events.flatMap(({ operatorId, payload }) => {
    if (!('tradeId' in payload)) return []
    const { role, side, playerId, transactionId, fee } = payload
    return [`${operatorId} ${role} ${side} ${playerId} ${transactionId} ${fee}`]
  })
}

describe('one command publishes to each operator, in this order,', () => {
  test('of a trade: the order, both sides of each match, positions, the book, its price', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.mint('ben', 10)
    exchange.sell('ann', 10, 0.5)
    exchange.sell('ben', 10, 0.51)
    const { events } = exchange.buy('gil', 15, 0.6, asParticipant)
    assert.deepEqual(linesOf(events), [
      'participant ORDER_PLACED',
      'participant ORDER_MATCHED',
      'participant ORDER_MATCHED',
      'participant POSITION_UPDATED',
      'house ORDER_MATCHED',
      'house ORDER_MATCHED',
      'house POSITION_UPDATED',
      'house POSITION_UPDATED',
      'house ORDER_BOOK_UPDATE',
      'house PRICE_UPDATED',
    ])
  })

  test('of a MARKET order that got a part: its cancellation after its matches', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.sell('ann', 10, 0.5)
    assert.deepEqual(linesOf(exchange.buy('bob', 15, 'market').events), [
      'house ORDER_PLACED',
      'house ORDER_MATCHED',
      'house ORDER_MATCHED',
      'house ORDER_CANCELLED',
      'house POSITION_UPDATED',
      'house POSITION_UPDATED',
      'house ORDER_BOOK_UPDATE',
      'house PRICE_UPDATED',
    ])
  })

  test('of an order that rests at the best price: the order, the book, its price', () => {
    assert.deepEqual(linesOf(newExchange().buy('bob', 10, 0.5).events), [
      'house ORDER_PLACED',
      'house ORDER_BOOK_UPDATE',
      'house PRICE_UPDATED',
    ])
  })

  test('of an order that rests behind the best price: no price', () => {
    const exchange = newExchange()
    exchange.buy('bob', 10, 0.5)
    assert.deepEqual(linesOf(exchange.buy('bob', 10, 0.49).events), [
      'house ORDER_PLACED',
      'house ORDER_BOOK_UPDATE',
    ])
  })

  test("of a cancelled order of a participant: the participant's order, the owner's book", () => {
    const exchange = newExchange()
    const orderId = exchange.buy('gil', 10, 0.5, asParticipant).placement!.order.id
    assert.deepEqual(linesOf(exchange.cancel(orderId, participant).events), [
      'participant ORDER_CANCELLED',
      'house ORDER_BOOK_UPDATE',
      'house PRICE_UPDATED',
    ])
  })

  test('of a resolution: the status, then who won, to each operator that was ever there', () => {
    const exchange = newExchange()
    exchange.putOperator('never-there')
    exchange.cancel(exchange.buy('gil', 10, 0.5, asParticipant).placement!.order.id, participant)
    exchange.manage('close')
    assert.deepEqual(linesOf(exchange.manage('resolve').events), [
      'house MARKET_STATUS_CHANGED',
      'house MARKET_RESOLVED',
      'participant MARKET_STATUS_CHANGED',
      'participant MARKET_RESOLVED',
    ])
  })

  test('of a changed trading window: the new end, to each operator that was ever there', () => {
    const exchange = newExchange()
    exchange.putOperator('never-there')
    exchange.cancel(exchange.buy('gil', 10, 0.5, asParticipant).placement!.order.id, participant)
    assert.deepEqual(linesOf(exchange.changeTradingWindow(startMs + 1).events), [
      'house MARKET_UPDATED',
      'participant MARKET_UPDATED',
    ])
  })

  test('of an edit: nothing', () => {
    assert.deepEqual(linesOf(newExchange().editMarket({ imageUrl: null }).events), [])
  })
})

const placedKeys =
  'orderId marketId outcomeId operatorId side playerId transactionId type shares price status ' +
  'filledShares timestamp'
const keys: Readonly<Record<EventType, string>> = {
  MARKET_CREATED: 'marketId operatorId title status currency categoryId outcomes timestamp',
  MARKET_STATUS_CHANGED: 'marketId operatorId previousStatus status reason timestamp',
  MARKET_RESOLVED:
    'marketId operatorId winningOutcomeId resolutionSource resolutionNotes payouts timestamp',
  MARKET_UPDATED: 'marketId tradingEndsAt reason priceBand timestamp',
  CONTROLS_CHANGED: 'scope playerId mode reason until limits timestamp',
  ORDER_BOOK_UPDATE: 'marketId outcomeId version bids asks bestBid bestAsk spread timestamp',
  PRICE_UPDATED: 'marketId outcomeId bestBid bestAsk lastPrice midPrice spread timestamp',
  ORDER_PLACED: placedKeys,
  ORDER_AMENDED: placedKeys,
  ORDER_MATCHED:
    'orderId marketId outcomeId operatorId side playerId transactionId tradeId role price ' +
    'shares fee filledShares remainingShares status timestamp',
  ORDER_CANCELLED:
    'orderId marketId outcomeId operatorId side playerId transactionId price shares ' +
    'filledShares cancelledShares status reason timestamp',
  POSITION_UPDATED:
    'positionId marketId outcomeId operatorId playerId shares avgPrice totalCost realizedPnl ' +
    'timestamp',
  SETTLEMENT_COMPLETED:
    'settlementId positionId marketId outcomeId operatorId playerId shares payoutPerShare ' +
    'totalPayout status timestamp',
  DEAD_MAN_TRIGGERED: 'playerId deadline timeoutMs timestamp',
  ORDER_GROUP_TRIGGERED: 'groupId playerId matchedShares limitShares cause timestamp',
}

/** An exchange in which every type of event was published. */
function wholeLife(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 20)
  exchange.sell('ann', 10, 0.5)
  exchange.buy('gil', 15, 'market', asParticipant)
  const { id } = exchange.sell('ann', 5, 0.7).placement!.order
  exchange.amend(id, { price: 0.8 })
  exchange.cancel(id)
  exchange.changeTradingWindow(startMs + 60_000)
  exchange.changeGroup(exchange.createGroup('ann', 1).group, 'trigger')
  exchange.armDeadMan(1_000)
  exchange.wait(1_000)
  exchange.halt('ann')
  exchange.settleWhole()
  return exchange
}

describe('the payload', () => {
  for (const eventType of eventTypes) {
    test(`of ${eventType} has its fields in their order, all of them and no other`, () => {
      const payloads = wholeLife().events.filter((event) => event.eventType === eventType)
      assert(payloads.length > 0)
      for (const { payload } of payloads) {
        assert.deepEqual(Object.keys(payload), keys[eventType].split(' '))
      }
    })
  }

  test('carries the time of its command in Unix milliseconds, as the event itself does', () => {
    const exchange = newExchange()
    exchange.wait(17)
    for (const { createdAt, payload } of exchange.buy('bob', 10, 0.5).events) {
      assert.deepEqual([createdAt, payload.timestamp], [startMs + 17, startMs + 17])
    }
  })

  test('of a match is as of that trade', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.sell('ann', 4, 0.5)
    exchange.sell('ann', 6, 0.51)
    const matches = exchange
      .buy('bob', 9, 0.51)
      .events.flatMap(({ payload }) => ('tradeId' in payload ? [payload] : []))
    assert.deepEqual(
      matches.map(({ side, price, shares, filledShares, remainingShares, status }) =>
        [side, price, shares, filledShares, remainingShares, status].join(' '),
      ),
      [
        'BUY 0.5 4 4 5 PARTIAL',
        'SELL 0.5 4 4 0 FILLED',
        'BUY 0.51 5 9 0 FILLED',
        'SELL 0.51 5 5 1 PARTIAL',
      ],
    )
  })

  test('of a match has the fee of its operator, its role and the request of its order', () => {
    const exchange = newExchange()
    exchange.putOperator(participant, 1.5)
    exchange.mint('ann', 10)
    exchange.sell('ann', 4, 0.5, { transactionId: 'offer' })
    const { events } = exchange.buy('gil', 4, 0.55, { ...asParticipant, transactionId: 'bid' })
    assert.deepEqual(partsOf(events), [
      'participant TAKER BUY gil bid 0.03',
      'house MAKER SELL ann offer 0.04',
    ])
  })

  test('of an amended order that matches has it as the taker', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.buy('bob', 4, 0.5)
    const { id } = exchange.sell('ann', 4, 0.55, { transactionId: 'offer' }).placement!.order
    const { events } = exchange.amend(id, { price: 0.5 })
    assert.deepEqual(partsOf(events), [
      'house TAKER SELL ann offer 0.04',
      'house MAKER BUY bob null 0.04',
    ])
  })

  test('of a match by complete sets has the incoming order as the only taker', () => {
    const exchange = newExchange({ hasCompleteSetMatching: true, outcomes: ['A', 'B', 'C'] })
    exchange.buy('ann', 4, 0.3, { outcome: 1 })
    exchange.buy('gil', 4, 0.3, { ...asParticipant, outcome: 2, transactionId: 'c' })
    const { events } = exchange.buy('bob', 4, 0.45, { transactionId: 'a' })
    assert.deepEqual(partsOf(events), [
      'house TAKER BUY bob a 0.032',
      'house MAKER BUY ann null 0.024',
      'participant MAKER BUY gil c 0.024',
    ])
  })

  test('of every event of an order has its player and transactionId, also after a restart', () => {
    const exchange = newExchange()
    const place = { transactionId: 'bid', options: { timeInForce: 'GTC' } } as const
    const { id } = exchange.buy('bob', 4, 0.5, place).placement!.order
    exchange.restart()
    exchange.amend(id, { price: 0.4 })
    exchange.mint('ann', 1)
    exchange.sell('ann', 1, 0.4)
    exchange.cancel(id)
    const own = exchange.events.flatMap(({ eventType, payload }) =>
      'orderId' in payload && payload.orderId === id ? [{ eventType, payload }] : [],
    )
    assert.deepEqual(
      own.map(({ eventType, payload }) =>
        [eventType, payload.playerId, payload.transactionId].join(' '),
      ),
      ['PLACED', 'AMENDED', 'MATCHED', 'CANCELLED'].map((type) => `ORDER_${type} bob bid`),
    )
  })

  test('of a position that several trades changed is published once, as it is after them', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.sell('ann', 4, 0.5)
    exchange.sell('ann', 6, 0.51)
    const { events } = exchange.buy('bob', 9, 0.51)
    const updates = events.flatMap(({ payload }) => ('avgPrice' in payload ? [payload] : []))
    assert.deepEqual(
      updates.map(({ playerId, shares }) => [playerId, shares]),
      [
        ['ann', 1],
        ['bob', 9],
      ],
    )
  })

  test('of a created market lists its outcomes with their indexes', () => {
    const exchange = new TestExchange()
    const [created] = exchange.createMarket({ outcomes: ['A', 'B'], categoryId: 'c' }).events
    const [a, b] = exchange.market().books
    assert.partialDeepStrictEqual(created!.payload, {
      title: 'Will it rain?',
      status: 'DRAFT',
      currency: 'USD',
      categoryId: 'c',
      outcomes: [
        { id: a!.id, name: 'A', index: 0 },
        { id: b!.id, name: 'B', index: 1 },
      ],
    })
  })

  test('of a change of status gives the reason where there is one', () => {
    const exchange = newExchange()
    const reasons = [exchange.manage('suspend'), exchange.manage('resume')].map(({ events }) => {
      const [{ payload }] = events as [Event]
      return 'reason' in payload ? payload.reason : undefined
    })
    assert.deepEqual(reasons, ['A reason', null])
  })

  test('of a book names only the levels that changed, best first, with 0 where one is gone', () => {
    const exchange = newExchange()
    exchange.mint('ann', 40)
    for (const price of [0.5, 0.51, 0.52, 0.53]) exchange.sell('ann', 10, price)
    exchange.buy('bob', 10, 0.4)
    const { events } = exchange.buy('bob', 25, 0.52)
    const update = events.find(({ eventType }) => eventType === 'ORDER_BOOK_UPDATE')!
    assert.deepEqual(update.payload, {
      marketId: exchange.market().id,
      outcomeId: exchange.market().books[0]!.id,
      version: 6,
      bids: [],
      asks: [
        { price: 0.5, shares: 0, orderCount: 0 },
        { price: 0.51, shares: 0, orderCount: 0 },
        { price: 0.52, shares: 5, orderCount: 1 },
      ],
      bestBid: 0.4,
      bestAsk: 0.52,
      spread: 0.12,
      timestamp: startMs,
    } satisfies OrderBookUpdate)
  })
})
