// An order group that is filled too fast is triggered before anything more of it is met.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, participant, type TestExchange } from '../../../test/support/core/exchange.ts'
import { serial } from '../../../test/support/core/steps.ts'
import type { Event } from '../events/events.ts'
import type { Serial } from '../ids.ts'
import type { Rules } from '../state/exchange.ts'

type Quoting = { readonly exchange: TestExchange; readonly group: Serial }

/** A group of ann that may be filled with 10, with asks of 6 at 0.6, 0.61 and 0.62. */
function quoting(rules: Partial<Rules> = {}): Quoting {
  const exchange = newExchange({}, rules)
  exchange.mint('ann', 100)
  const { group } = exchange.createGroup('ann', 10)
  for (const price of [0.6, 0.61, 0.62]) exchange.sell('ann', 6, price, { group })
  return { exchange, group }
}

function typesOf(events: readonly Event[]): string[] {
  return events.map(({ eventType, payload }) =>
    'reason' in payload ? `${eventType} ${payload.reason}` : eventType,
  )
}

function openOf(exchange: TestExchange): string[] {
  return exchange
    .save()
    .orders.map(({ playerId, price, shares, filled }) => `${playerId} ${shares - filled} ${price}`)
}

function matchedIn({ exchange, group }: Quoting): number {
  const found = exchange.core.orderGroups.get(group)!
  return found.fills.sharesAt(exchange.core.now) / 100
}

function statusIn({ exchange, group }: Quoting): string | undefined {
  return exchange.core.orderGroups.get(group)?.status
}

describe('a trade', () => {
  test('that reaches the limit does not trigger the group, and one hundredth more does', () => {
    const kept = quoting()
    kept.exchange.buy('bob', 10, 0.65)
    assert.equal(statusIn(kept), 'ACTIVE')
    assert.equal(matchedIn(kept), 10)
    const more = kept.exchange.buy('bob', 1, 0.65)
    assert.equal(statusIn(kept), 'TRIGGERED')
    assert.deepEqual(openOf(kept.exchange), [])
    assert.equal(more.placement!.order.filled, 100)
  })

  test('that exceeds the limit is the last: the next order of the group is not met', () => {
    const { exchange, group } = quoting()
    exchange.mint('zoe', 10)
    exchange.sell('zoe', 10, 0.62)
    const { events, placement } = exchange.buy('bob', 30, 0.65)
    assert.deepEqual(
      placement!.trades.map(({ price, shares }) => [price, shares / 100]),
      [
        [6_000, 6],
        [6_100, 6],
        [6_200, 10],
      ],
    )
    assert.equal(placement!.order.status, 'PARTIAL')
    assert.deepEqual(
      openOf(exchange),
      ['bob 8 6500'].map((line) => line.replace(' 8 ', ' 800 ')),
    )
    assert.deepEqual(
      typesOf(events).filter((type) => type !== 'POSITION_UPDATED'),
      [
        'ORDER_PLACED',
        ...Array.from({ length: 6 }, () => 'ORDER_MATCHED'),
        'ORDER_GROUP_TRIGGERED',
        'ORDER_CANCELLED ORDER_GROUP',
        'ORDER_BOOK_UPDATE',
        'PRICE_UPDATED',
      ],
    )
    const triggered = events.find(({ eventType }) => eventType === 'ORDER_GROUP_TRIGGERED')!
    assert.equal(triggered.marketId, null)
    assert.deepEqual(triggered.payload, {
      groupId: exchange.core.orderGroups.get(group)!.id,
      playerId: 'ann',
      matchedShares: 12,
      limitShares: 10,
      cause: 'LIMIT',
      timestamp: exchange.core.now,
    })
  })

  test('cancels the rest of the order that it has filled in part, and those behind it', () => {
    const exchange = newExchange()
    exchange.mint('ann', 100)
    const { group } = exchange.createGroup('ann', 10)
    exchange.sell('ann', 50, 0.6, { group })
    exchange.sell('ann', 5, 0.6, { group })
    exchange.sell('ann', 5, 0.6)
    exchange.buy('bob', 11, 0.6)
    assert.deepEqual(openOf(exchange), ['ann 500 6000'])
  })

  test('sends its event only to the operator that owns the group', () => {
    const { exchange } = quoting()
    const { events } = exchange.buy('gil', 12, 0.65, { operator: participant })
    const received = events.filter(({ eventType }) => eventType === 'ORDER_GROUP_TRIGGERED')
    assert.deepEqual(
      received.map(({ operatorId }) => operatorId),
      ['house'],
    )
  })

  test('of two orders of one group counts twice', () => {
    const quotes = quoting()
    quotes.exchange.buy('ann', 5, 0.6, { group: quotes.group })
    assert.equal(matchedIn(quotes), 10)
    assert.equal(statusIn(quotes), 'ACTIVE')
  })

  test('of an own taker order counts too, and cancels its rest', () => {
    const exchange = newExchange()
    exchange.mint('bob', 100)
    for (const price of [0.5, 0.51, 0.52]) exchange.sell('bob', 6, price)
    const { group } = exchange.createGroup('ann', 10)
    const { events, placement } = exchange.buy('ann', 30, 0.6, { group })
    assert.equal(placement!.order.status, 'CANCELLED')
    assert.equal(placement!.order.filled, 1_200)
    assert.deepEqual(
      typesOf(events).filter((type) => type.startsWith('ORDER_CANCELLED')),
      ['ORDER_CANCELLED ORDER_GROUP'],
    )
    assert.deepEqual(openOf(exchange), ['bob 600 5200'])
  })

  test('that fills an own taker order leaves it FILLED', () => {
    const exchange = newExchange()
    exchange.mint('bob', 100)
    exchange.sell('bob', 12, 0.5)
    const { group } = exchange.createGroup('ann', 10)
    const { placement } = exchange.buy('ann', 12, 0.6, { group })
    assert.equal(placement!.order.status, 'FILLED')
    assert.equal(statusIn({ exchange, group }), 'TRIGGERED')
  })

  test('by complete sets counts each leg, and the match is made whole', () => {
    const exchange = newExchange({ hasCompleteSetMatching: true })
    const { group } = exchange.createGroup('ann', 10)
    exchange.buy('ann', 6, 0.5, { group })
    exchange.buy('ann', 6, 0.49, { group })
    const { placement } = exchange.buy('ann', 12, 0.55, { outcome: 1, group })
    // The first match counts 6 on each side: that is one match more than the limit, not two.
    assert.equal(placement!.order.filled, 600)
    assert.equal(placement!.order.status, 'CANCELLED')
    assert.deepEqual(openOf(exchange), [])
  })
})

describe('the window', () => {
  test('ends to the millisecond: a fill counts while it is younger than the window', () => {
    const { exchange, group } = quoting()
    exchange.buy('bob', 6, 0.6)
    exchange.wait(14_999)
    assert.equal(matchedIn({ exchange, group }), 6)
    exchange.wait(1)
    assert.equal(matchedIn({ exchange, group }), 0)
    exchange.buy('bob', 6, 0.61)
    assert.equal(statusIn({ exchange, group }), 'ACTIVE')
  })

  test('one millisecond before its end, the fill still triggers the group', () => {
    const { exchange, group } = quoting()
    exchange.buy('bob', 6, 0.6)
    exchange.wait(14_999)
    exchange.buy('bob', 6, 0.61)
    assert.equal(statusIn({ exchange, group }), 'TRIGGERED')
  })

  test('survives a restart, and has one entry for each time', () => {
    const { exchange, group } = quoting()
    exchange.buy('bob', 1, 0.6)
    exchange.buy('bob', 2, 0.6)
    exchange.wait(5)
    exchange.buy('bob', 1, 0.6)
    const [saved] = exchange.save().orderGroups
    assert.deepEqual(
      saved!.fills.map(({ shares }) => shares),
      [300, 100],
    )
    exchange.restart()
    assert.equal(matchedIn({ exchange, group }), 4)
    exchange.wait(14_996)
    assert.equal(matchedIn({ exchange, group }), 1)
    exchange.buy('bob', 10, 0.65)
    assert.equal(statusIn({ exchange, group }), 'TRIGGERED')
  })
})

describe('a triggered group', () => {
  test('takes no new orders until it is reset, which empties its window', () => {
    const { exchange, group } = quoting()
    exchange.buy('bob', 12, 0.65)
    const refused = exchange.buy('ann', 1, 0.4, { group })
    assert.deepEqual(refused.reject, {
      code: 'ORDER_GROUP_TRIGGERED',
      orderGroupId: exchange.core.orderGroups.get(group)!.id,
    })
    assert.equal(exchange.buy('ann', 1, 0.4).code, null)
    exchange.changeGroup(group, 'reset')
    assert.equal(matchedIn({ exchange, group }), 0)
    assert.equal(exchange.buy('ann', 1, 0.4, { group }).code, null)
  })

  test('by request cancels everything in it, in every market, in slices', () => {
    const { exchange, group } = quoting()
    exchange.createMarket({ isShared: true })
    exchange.manage('open')
    exchange.buy('ann', 5, 0.3, { group })
    const { events } = exchange.changeGroup(group, 'trigger')
    assert.deepEqual(typesOf(events), ['ORDER_GROUP_TRIGGERED'])
    const [{ payload }] = events as [Event]
    assert.equal('cause' in payload && payload.cause, 'REQUESTED')
    assert.equal(openOf(exchange).length, 4)
    exchange.continueGroup(3)
    assert.deepEqual(openOf(exchange), ['ann 500 3000'])
    exchange.continueGroup(3)
    assert.deepEqual(openOf(exchange), [])
    assert.equal(exchange.changeGroup(group, 'trigger').events.length, 0)
  })

  test('is not met while its orders in another market are still to be cancelled', () => {
    const { exchange, group } = quoting()
    const first = exchange.marketSerial
    exchange.createMarket({ isShared: true })
    exchange.manage('open')
    const second = exchange.marketSerial
    exchange.buy('zoe', 3, 0.3)
    exchange.buy('ann', 5, 0.3, { group })
    exchange.mint('bob', 10)
    exchange.buy('bob', 12, 0.65, { market: first })
    assert.deepEqual(openOf(exchange), ['zoe 300 3000', 'ann 500 3000'])
    const { events, placement } = exchange.sell('bob', 5, 0.3, { market: second })
    assert.equal(placement!.order.filled, 300)
    const matched = ['ORDER_MATCHED', 'ORDER_MATCHED']
    assert.deepEqual(
      typesOf(events).filter((type) => type.startsWith('ORDER')),
      ['ORDER_PLACED', ...matched, 'ORDER_CANCELLED ORDER_GROUP', 'ORDER_BOOK_UPDATE'],
    )
    assert.deepEqual(openOf(exchange), ['bob 200 3000'])
  })

  test('with more orders than one command cancels leaves the others to slices, unmet', () => {
    const { exchange } = quoting({ groupCancelsMax: 1 })
    exchange.mint('ann', 100)
    const { group } = exchange.createGroup('ann', 1)
    for (const price of [0.5, 0.51, 0.52, 0.53]) exchange.sell('ann', 2, price, { group })
    exchange.buy('bob', 2, 0.5)
    assert.equal(openOf(exchange).filter((line) => line.startsWith('ann 200')).length, 2)
    const frozen = exchange.save().orders.find(({ price }) => price === 5_300)!
    const id = exchange.core.ids.textOf(frozen.serial, frozen.createdAt)
    exchange.changeGroup(group, 'reset')
    assert.equal(exchange.amend(id, { price: 0.54 }).code, 'ORDER_GROUP_TRIGGERED')
    exchange.sell('ann', 2, 0.55, { group })
    exchange.continueGroup()
    assert.equal(openOf(exchange).filter((line) => line.startsWith('ann 200')).length, 1)
  })

  test('keeps its orders cancelled over a restart in the middle', () => {
    const { exchange, group } = quoting()
    exchange.changeGroup(group, 'delete')
    exchange.continueGroup(1)
    exchange.restart()
    exchange.continueGroup()
    assert.deepEqual(openOf(exchange), [])
    assert.equal(exchange.core.orderGroups.size, 0)
  })
})

describe('a plan', () => {
  test('of a FOK order ends where the group is triggered', () => {
    const options = { timeInForce: 'FOK' } as const
    const { exchange } = quoting()
    assert.equal(exchange.buy('bob', 13, 0.65, { options }).code, 'ORDER_NO_LIQUIDITY')
    assert.equal(openOf(exchange).length, 3)
    assert.equal(exchange.buy('bob', 12, 0.65, { options }).code, null)
  })

  test('of an order in a group ends where it triggers its own', () => {
    const options = { timeInForce: 'FOK' } as const
    const exchange = newExchange()
    exchange.mint('bob', 100)
    for (const price of [0.5, 0.51, 0.52]) exchange.sell('bob', 6, price)
    const { group } = exchange.createGroup('ann', 10)
    assert.equal(exchange.buy('ann', 13, 0.6, { options, group }).code, 'ORDER_NO_LIQUIDITY')
    assert.equal(exchange.buy('ann', 12, 0.6, { options, group }).code, null)
  })

  test('does not meet the orders of a group in other books that a match has triggered', () => {
    const exchange = newExchange({ hasCompleteSetMatching: true })
    const { group } = exchange.createGroup('ann', 1)
    exchange.buy('ann', 10, 0.5, { group })
    exchange.buy('ann', 10, 0.48, { group })
    exchange.mint('zoe', 5)
    exchange.sell('zoe', 5, 0.4, { outcome: 1 })
    const order = { outcome: 1, options: { timeInForce: 'FOK' } } as const
    // 10 by a set with the first bid; the second bid is cancelled before it would be met.
    assert.equal(exchange.buy('bob', 16, 0.55, order).code, 'ORDER_NO_LIQUIDITY')
    assert.equal(exchange.buy('bob', 15, 0.55, order).code, null)
  })

  test('passes over the part of a bid that is left when a match by sets has triggered it', () => {
    const exchange = newExchange({ hasCompleteSetMatching: true, outcomes: ['A', 'B', 'C'] })
    const { group } = exchange.createGroup('ann', 1)
    exchange.buy('ann', 20, 0.4, { group })
    exchange.buy('zoe', 5, 0.4, { outcome: 1 })
    exchange.buy('zoe', 5, 0.4, { outcome: 1 })
    const order = { outcome: 2, options: { timeInForce: 'FOK' } } as const
    assert.equal(exchange.buy('bob', 10, 0.3, order).code, 'ORDER_NO_LIQUIDITY')
    assert.equal(exchange.buy('bob', 5, 0.3, order).code, null)
  })
})

describe('a limit', () => {
  test('below what is matched triggers the group with the next trade', () => {
    const { exchange, group } = quoting()
    exchange.buy('bob', 6, 0.6)
    exchange.changeGroup(group, 5)
    assert.equal(statusIn({ exchange, group }), 'ACTIVE')
    exchange.buy('bob', 1, 0.61)
    assert.equal(statusIn({ exchange, group }), 'TRIGGERED')
    assert.deepEqual(openOf(exchange), [])
  })
})

describe('an order', () => {
  test('names a group of its operator and its player, or is refused', () => {
    const { exchange, group } = quoting()
    const { group: foreign } = exchange.createGroup('gil', 10, { operator: participant })
    assert.equal(exchange.buy('ann', 1, 0.3, { group: foreign }).code, 'ORDER_GROUP_NOT_FOUND')
    assert.equal(
      exchange.buy('ann', 1, 0.3, { group: serial(9_999) }).code,
      'ORDER_GROUP_NOT_FOUND',
    )
    const another = exchange.buy('bob', 1, 0.3, { group })
    assert.deepEqual(another.reject, {
      code: 'VALIDATION_ERROR',
      field: 'orderGroupId',
      message: 'must be a group of the same player',
    })
    exchange.changeGroup(group, 'delete')
    assert.equal(exchange.buy('ann', 1, 0.3, { group }).code, 'ORDER_GROUP_NOT_FOUND')
  })

  test('that is amended stays in its group', () => {
    const { exchange, group } = quoting()
    const { serial: orderSerial, createdAt } = exchange.save().orders[0]!
    exchange.amend(exchange.core.ids.textOf(orderSerial, createdAt), { price: 0.7 })
    exchange.amend(exchange.core.ids.textOf(orderSerial, createdAt), { shares: 5 })
    exchange.buy('bob', 17, 0.7)
    assert.deepEqual(openOf(exchange), ['bob 500 7000'])
    assert.equal(statusIn({ exchange, group }), 'TRIGGERED')
  })
})
