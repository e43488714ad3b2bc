// A dead-man switch that is not renewed cancels what is open, and refuses what is new.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, participant, type TestExchange } from '../../../test/support/core/exchange.ts'
import { cancelTriggered, deadMenMax } from './dead-man.ts'

const ofAnn = { playerId: 'ann' }

/** Two orders of ann, one of bob, and one of a player of another operator. */
function quoting(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 10)
  exchange.buy('ann', 10, 0.4)
  exchange.sell('ann', 10, 0.6)
  exchange.buy('bob', 10, 0.3)
  exchange.buy('gil', 10, 0.2, { operator: participant })
  return exchange
}

function openPlayers(exchange: TestExchange): string[] {
  return exchange.save().orders.map(({ playerId }) => playerId)
}

describe('the deadline', () => {
  test('is kept to the millisecond, and a renewal moves it', () => {
    const exchange = quoting()
    exchange.armDeadMan(1_000)
    exchange.wait(999)
    assert.equal(exchange.buy('bob', 1, 0.3).code, null)
    exchange.armDeadMan(2_000)
    exchange.wait(1_999)
    assert.equal(exchange.buy('bob', 1, 0.3).code, null)
    exchange.wait(1)
    assert.equal(exchange.buy('bob', 1, 0.3).code, 'DEAD_MAN_TRIGGERED')
  })

  test('has its event before those of the orders that it cancels, each with the reason', () => {
    const exchange = quoting()
    exchange.armDeadMan(1_000)
    const events = [...exchange.wait(5_000).events, ...exchange.cancelTriggered().events]
    assert.deepEqual(
      events.map(({ eventType, marketId, payload }) => [
        eventType,
        marketId === null,
        'reason' in payload ? payload.reason : null,
      ]),
      [
        ['DEAD_MAN_TRIGGERED', true, null],
        ['ORDER_CANCELLED', false, 'DEAD_MAN'],
        ['ORDER_CANCELLED', false, 'DEAD_MAN'],
        ['ORDER_CANCELLED', false, 'DEAD_MAN'],
        ['ORDER_BOOK_UPDATE', false, null],
        ['PRICE_UPDATED', false, null],
      ],
    )
    assert.deepEqual(events[0]!.payload, {
      playerId: null,
      deadline: '2026-01-01T00:00:01.000Z',
      timeoutMs: 1_000,
      timestamp: Date.UTC(2026, 0, 1) + 5_000,
    })
    assert.deepEqual(openPlayers(exchange), ['gil'])
    assert.equal(
      exchange.sell('gil', 1, 0.6, { operator: participant }).code,
      'POSITION_INSUFFICIENT_SHARES',
    )
  })

  test('of the operator comes before those of its players at the same time', () => {
    const exchange = quoting()
    for (const playerId of ['bob', 'ann']) exchange.armDeadMan(1_000, { playerId })
    exchange.armDeadMan(1_000)
    const { events } = exchange.wait(1_000)
    assert.deepEqual(
      events.map(({ payload }) => ('playerId' in payload ? payload.playerId : undefined)),
      [null, 'ann', 'bob'],
    )
  })

  test('of a player concerns this player only', () => {
    const exchange = quoting()
    exchange.armDeadMan(1_000, ofAnn)
    exchange.wait(1_000)
    exchange.cancelTriggered()
    assert.deepEqual(openPlayers(exchange), ['bob', 'gil'])
    assert.deepEqual(exchange.buy('ann', 1, 0.3).reject, { code: 'DEAD_MAN_TRIGGERED', ...ofAnn })
    assert.equal(exchange.buy('bob', 1, 0.3).code, null)
  })

  test('of a player of the same name of another operator is another', () => {
    const exchange = quoting()
    exchange.armDeadMan(1_000, { operator: participant, playerId: 'ann' })
    exchange.wait(1_000)
    assert.equal(exchange.buy('ann', 1, 0.3).code, null)
    assert.deepEqual(openPlayers(exchange).length, 5)
  })
})

describe('a triggered switch', () => {
  function triggered(aim: { readonly playerId?: string } = {}): TestExchange {
    const exchange = quoting()
    exchange.armDeadMan(1_000, aim)
    exchange.wait(1_000)
    return exchange
  }

  test('refuses orders and amendments, and neither cancels nor complete sets', () => {
    const exchange = triggered()
    const [bid] = exchange.save().orders
    const id = exchange.core.ids.textOf(bid!.serial, bid!.createdAt)
    assert.equal(exchange.buy('ann', 1, 'market').code, 'DEAD_MAN_TRIGGERED')
    assert.equal(exchange.amend(id, { shares: 5 }).code, 'DEAD_MAN_TRIGGERED')
    assert.equal(exchange.cancel(id).code, null)
    assert.equal(exchange.mint('ann', 1).code, null)
    assert.equal(exchange.redeem('ann', 1).code, null)
  })

  test('comes after a market that is not open, and before the shares', () => {
    const exchange = triggered()
    assert.equal(exchange.sell('ann', 99, 0.6).code, 'DEAD_MAN_TRIGGERED')
    exchange.manage('suspend')
    assert.equal(exchange.sell('ann', 99, 0.6).code, 'MARKET_NOT_OPEN')
  })

  test('is lifted by arming it again; that of a player does not lift that of the operator', () => {
    const exchange = triggered()
    exchange.armDeadMan(60_000, ofAnn)
    assert.deepEqual(exchange.buy('ann', 1, 0.3).reject, {
      code: 'DEAD_MAN_TRIGGERED',
      playerId: null,
    })
    exchange.armDeadMan(60_000)
    assert.equal(exchange.buy('ann', 1, 0.3).code, null)
  })

  test('is lifted by clearing it, after which there is none', () => {
    const exchange = triggered()
    assert.equal(exchange.clearDeadMan().code, null)
    assert.equal(exchange.buy('ann', 1, 0.3).code, null)
    assert.equal(exchange.clearDeadMan().code, 'NOT_FOUND')
    assert.equal(exchange.clearDeadMan(ofAnn).code, 'NOT_FOUND')
  })

  test('cancels in slices what was open then, also once armed again, and nothing newer', () => {
    for (const lift of ['armDeadMan', 'clearDeadMan'] as const) {
      const exchange = triggered()
      exchange.cancelTriggered(1)
      assert.deepEqual(openPlayers(exchange), ['ann', 'bob', 'gil'])
      if (lift === 'armDeadMan') exchange.armDeadMan(60_000)
      else exchange.clearDeadMan()
      exchange.buy('cid', 1, 0.1)
      exchange.cancelTriggered(1)
      exchange.restart()
      exchange.cancelTriggered(1)
      exchange.cancelTriggered(1)
      assert.deepEqual(openPlayers(exchange), ['gil', 'cid'])
      assert.equal(exchange.core.cancelling.size, 0)
    }
  })

  test('finds its orders together with all others that are triggered then', () => {
    const exchange = newExchange()
    const players = Array.from({ length: 20 }, (_, at) => `p${at}`)
    for (const playerId of players) {
      exchange.buy(playerId, 1, 0.3)
      exchange.armDeadMan(1_000, { playerId })
    }
    exchange.buy('ann', 1, 0.3)
    exchange.armDeadMan(1_000, { operator: participant })
    exchange.wait(1_000)
    const { cancelling, visits } = exchange.core
    for (const deadMan of [...cancelling]) cancelTriggered(exchange.core, deadMan, 10)
    assert.equal(exchange.core.visits - visits, players.length)
    exchange.core.endTurn()
    assert.deepEqual(openPlayers(exchange), ['ann'])
  })

  test('that is triggered again before it is done also cancels what was placed between', () => {
    const exchange = triggered()
    exchange.cancelTriggered(1)
    exchange.armDeadMan(1_000)
    exchange.buy('cid', 1, 0.1)
    exchange.wait(1_000)
    exchange.cancelTriggered()
    assert.deepEqual(openPlayers(exchange), ['gil'])
  })

  test('is still triggered after a restart, and an armed one is triggered first thing', () => {
    const exchange = quoting()
    exchange.armDeadMan(1_000)
    exchange.armDeadMan(9_000, ofAnn)
    exchange.restart()
    exchange.wait(1_000)
    exchange.restart()
    assert.equal(exchange.buy('bob', 1, 0.3).code, 'DEAD_MAN_TRIGGERED')
    exchange.cancelTriggered()
    exchange.armDeadMan(60_000)
    const { events } = exchange.wait(8_000)
    assert.deepEqual(
      events.map(({ payload }) => ('playerId' in payload ? payload.playerId : undefined)),
      ['ann'],
    )
  })
})

test('an operator has a limited number of switches; renewing one is no new one', () => {
  const exchange = newExchange()
  const operator = exchange.operator('house')
  exchange.armDeadMan(1_000, ofAnn)
  for (let count = 1; count < deadMenMax; count += 1) exchange.core.deadMan(operator, `p${count}`)
  assert.deepEqual(operator.deadMen?.size, deadMenMax)
  for (const deadMan of operator.deadMen!.values()) deadMan.state = 'TRIGGERED'
  assert.deepEqual(exchange.armDeadMan(1_000).reject, {
    code: 'OPERATOR_LIMIT',
    limit: 'DEAD_MAN_SWITCHES',
    max: deadMenMax,
  })
  assert.equal(exchange.armDeadMan(1_000, ofAnn).code, null)
})
