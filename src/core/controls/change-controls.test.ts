// What brakes refuse, which of several is named, and how they end.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  house,
  newExchange,
  participant,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'
import { advance } from '../markets/schedule.ts'
import type { ControlsHolder } from '../state/controls.ts'

const exchangeItself = { kind: 'EXCHANGE' } as const
const ofHouse = { kind: 'OPERATOR', operatorId: house } as const
const ofAdministrator = { kind: 'ADMINISTRATOR', operatorId: house } as const
const ofAnn = { kind: 'PLAYER', operatorId: house, playerId: 'ann' } as const
const holders: readonly ControlsHolder[] = [exchangeItself, ofHouse, ofAdministrator, ofAnn]

function holding(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 20)
  exchange.mint('bob', 20)
  return exchange
}

function tried(exchange: TestExchange) {
  return {
    buy: exchange.buy('ann', 1, 0.2).code,
    sell: exchange.sell('ann', 1, 0.8).code,
    mint: exchange.mint('ann', 1).code,
    redeem: exchange.redeem('ann', 1).code,
  }
}

describe('a mode', () => {
  const no = 'TRADING_RESTRICTED'
  const expected = {
    OPEN: { buy: null, sell: null, mint: null, redeem: null },
    REDUCE_ONLY: { buy: no, sell: null, mint: no, redeem: null },
    HALTED: { buy: no, sell: no, mint: no, redeem: no },
  }
  for (const holder of holders) {
    for (const mode of ['REDUCE_ONLY', 'HALTED', 'OPEN'] as const) {
      test(`${mode} of the ${holder.kind} refuses what it must, and nothing else`, () => {
        const exchange = holding()
        exchange.brake(holder, { mode: 'HALTED', version: 1 })
        exchange.brake(holder, { mode, version: 2 })
        assert.deepEqual(tried(exchange), expected[mode])
      })
    }
  }

  test('is that of its holder alone', () => {
    const exchange = holding()
    exchange.halt('ann')
    assert.equal(exchange.buy('bob', 1, 0.2).code, null)
    exchange.brake(ofHouse, { mode: 'HALTED' })
    assert.equal(exchange.buy('bob', 1, 0.2).code, 'TRADING_RESTRICTED')
    assert.equal(exchange.buy('gil', 1, 0.2, { operator: participant }).code, null)
  })

  test('that is the strictest is named; of equal ones the wider', () => {
    const exchange = holding()
    const scope = () => {
      const { reject } = exchange.buy('ann', 1, 0.2)
      assert.ok(reject?.code === 'TRADING_RESTRICTED')
      return [reject.scope, reject.mode, reject.reason]
    }
    exchange.halt('ann')
    exchange.brake(ofHouse, { mode: 'REDUCE_ONLY' })
    assert.deepEqual(scope(), ['PLAYER', 'HALTED', 'A reason'])
    exchange.brake(ofHouse, { mode: 'HALTED' })
    assert.deepEqual(scope(), ['OPERATOR', 'HALTED', 'A reason'])
    exchange.brake(ofAdministrator, { mode: 'HALTED' })
    assert.deepEqual(scope(), ['OPERATOR', 'HALTED', null])
    exchange.brake(exchangeItself, { mode: 'HALTED', version: 1 })
    assert.deepEqual(scope(), ['EXCHANGE', 'HALTED', null])
  })
})

describe('the time at which a brake is released', () => {
  test('is kept to the millisecond, over a restart, with one event', () => {
    const exchange = holding()
    exchange.halt('ann', { until: exchange.now + 1_000 })
    exchange.restart()
    exchange.wait(999)
    assert.equal(exchange.buy('ann', 1, 0.2).code, 'TRADING_RESTRICTED')
    const { events } = exchange.wait(1)
    assert.deepEqual(
      events.map(({ eventType, payload }) => [eventType, 'mode' in payload && payload.mode]),
      [['CONTROLS_CHANGED', 'OPEN']],
    )
    assert.deepEqual(exchange.wait(1_000).events, [])
    assert.equal(exchange.buy('ann', 1, 0.2).code, null)
  })

  test('is that of all brakes that end then, also of those that are released later', () => {
    const exchange = holding()
    const until = exchange.now + 1_000
    for (const playerId of ['ann', 'bob']) exchange.halt(playerId, { until })
    exchange.turn((core) => {
      advance(core, until, 1)
      return null
    })
    assert.equal(exchange.core.releases.isDue(until), true)
    for (const playerId of ['ann', 'bob']) assert.equal(exchange.buy(playerId, 1, 0.2).code, null)
  })

  test('must be in the future', () => {
    const exchange = holding()
    assert.equal(exchange.halt('ann', { until: exchange.now }).code, 'VALIDATION_ERROR')
    assert.equal(exchange.buy('ann', 1, 0.2).code, null)
    assert.equal(exchange.halt('ann', { until: exchange.now + 1 }).code, null)
  })
})

test('the end of a mode leaves the limits, and a repetition without them lifts them', () => {
  const exchange = holding()
  const limits = { maxOutcomeShares: 2_100 }
  exchange.halt('ann', { until: exchange.now + 1_000, limits })
  exchange.restart()
  const { events } = exchange.wait(1_000)
  assert.partialDeepStrictEqual(events[0]!.payload, {
    mode: 'OPEN',
    limits: { maxOutcomeShares: 21 },
  })
  assert.equal(exchange.buy('ann', 1.01, 0.2).code, 'LIMIT_EXCEEDED')
  assert.equal(exchange.buy('ann', 1, 0.2).code, null)
  exchange.halt('ann', { mode: 'OPEN', reason: null })
  assert.equal(exchange.buy('ann', 1, 0.2).code, null)
})

test('a repetition with other limits sets them, also while orders are being cancelled', () => {
  const exchange = holding()
  exchange.buy('ann', 1, 0.2)
  exchange.halt('ann', { limits: { maxOutcomeShares: 9_900 } })
  exchange.halt('ann', { limits: { maxOutcomeShares: 2_000 } })
  assert.deepEqual(exchange.save().controls[0]!.terms.limits, { maxOutcomeShares: 2_000 })
})

test('nothing is kept of a brake that was released', () => {
  const exchange = holding()
  exchange.halt('ann')
  assert.equal(exchange.save().controls.length, 1)
  exchange.halt('ann', { mode: 'OPEN', reason: null })
  assert.deepEqual(exchange.save().controls, [])
})

describe('a brake on the exchange', () => {
  const halt = (exchange: TestExchange, version: number) =>
    exchange.brake(exchangeItself, { mode: 'HALTED', version }).events

  test('is obeyed once, also when the registry shows it again', () => {
    const exchange = holding()
    exchange.buy('ann', 1, 0.2)
    assert.equal(halt(exchange, 1).length, 1)
    exchange.sweep(exchangeItself)
    exchange.restart()
    assert.deepEqual(halt(exchange, 1), [])
    assert.equal(exchange.save().controls[0]!.sweptOrders, null)
  })

  test('that is repeated while its orders are cancelled is not obeyed twice', () => {
    const exchange = holding()
    exchange.buy('ann', 1, 0.2)
    exchange.buy('ann', 1, 0.2)
    halt(exchange, 1)
    exchange.sweep(exchangeItself, 1)
    assert.deepEqual(halt(exchange, 2), [])
    exchange.sweep(exchangeItself)
    exchange.restart()
    assert.deepEqual(halt(exchange, 2), [])
    assert.equal(halt(exchange, 3).length, 1)
  })
})
