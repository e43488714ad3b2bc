// A settlement record after it was made: the operator's word on it, and the retry.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  newExchange,
  participant,
  startMs,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'
import { serial } from '../../../test/support/core/steps.ts'
import type { SettlementCompleted } from '../events/event-payload.ts'
import type { FailedSettlement } from '../state/market.ts'

/** Settled for the first outcome: 10 shares each of ann, bob and a participant's gil. */
function settledExchange(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 10)
  exchange.mint('bob', 10)
  exchange.mint('gil', 10, { operator: participant })
  exchange.settleWhole()
  return exchange
}

/** The records of what the first outcome paid, as a store would have them: ann, bob, gil. */
function settlementsOf(exchange: TestExchange): FailedSettlement[] {
  const { ids } = exchange.core
  return exchange.events
    .filter(({ eventType }) => eventType === 'SETTLEMENT_COMPLETED')
    .map(({ payload }) => payload as SettlementCompleted)
    .filter(({ payoutPerShare }) => payoutPerShare === 1)
    .map(({ settlementId, positionId, operatorId, playerId }) => ({
      serial: ids.serialOf(settlementId)!,
      createdAt: startMs,
      positionSerial: ids.serialOf(positionId)!,
      positionCreatedAt: startMs,
      outcome: 0,
      operatorId,
      playerId,
      shares: 1_000,
      payoutPerShare: 10_000,
    }))
}

function failedPlayers(exchange: TestExchange): string[] {
  return exchange.save().markets[0]!.failedSettlements.map(({ playerId }) => playerId)
}

describe('a settlement that the operator could not pay', () => {
  test('is FAILED, and the market stays SETTLED', () => {
    const exchange = settledExchange()
    const [ann] = settlementsOf(exchange)
    assert.equal(exchange.acknowledge(ann!, 'FAILED').code, null)
    assert.deepEqual(failedPlayers(exchange), ['ann'])
    assert.equal(exchange.status(), 'SETTLED')
  })

  test('is COMPLETED again when the operator reports it', () => {
    const exchange = settledExchange()
    const [ann] = settlementsOf(exchange)
    exchange.acknowledge(ann!, 'FAILED')
    exchange.acknowledge(ann!, 'COMPLETED')
    assert.deepEqual(failedPlayers(exchange), [])
  })

  test('changes nothing when it is acknowledged the same way again', () => {
    const exchange = settledExchange()
    const [ann] = settlementsOf(exchange)
    for (const status of ['COMPLETED', 'FAILED'] as const) {
      exchange.acknowledge(ann!, status)
      const { hash } = exchange
      assert.equal(exchange.acknowledge(ann!, status).code, null)
      assert.equal(exchange.hash, hash)
    }
  })

  test('has no event, since the operator reported it', () => {
    const exchange = settledExchange()
    const [ann] = settlementsOf(exchange)
    assert.deepEqual(exchange.acknowledge(ann!, 'FAILED').events, [])
  })

  test('stays FAILED over a restart', () => {
    const exchange = settledExchange()
    const [ann] = settlementsOf(exchange)
    exchange.acknowledge(ann!, 'FAILED')
    exchange.restart()
    assert.deepEqual(failedPlayers(exchange), ['ann'])
  })
})

describe('acknowledging is rejected with SETTLEMENT_NOT_FOUND for', () => {
  test("another operator's settlement, and not for its own", () => {
    const exchange = settledExchange()
    const gil = settlementsOf(exchange)[2]!
    assert.equal(exchange.acknowledge(gil, 'FAILED').code, 'SETTLEMENT_NOT_FOUND')
    assert.equal(exchange.acknowledge(gil, 'FAILED', { operator: participant }).code, null)
  })

  test('a market that does not exist, and not for one that does', () => {
    const exchange = settledExchange()
    const [ann] = settlementsOf(exchange)
    const market = serial(exchange.marketSerial + 100)
    assert.equal(exchange.acknowledge(ann!, 'FAILED', { market }).code, 'SETTLEMENT_NOT_FOUND')
    assert.equal(exchange.acknowledge(ann!, 'FAILED').code, null)
  })
})

describe('a retry', () => {
  function exchangeWithFailures(): TestExchange {
    const exchange = settledExchange()
    const [ann, bob, gil] = settlementsOf(exchange)
    exchange.acknowledge(gil!, 'FAILED', { operator: participant })
    exchange.acknowledge(bob!, 'FAILED')
    exchange.acknowledge(ann!, 'FAILED')
    return exchange
  }

  test('makes failed ones COMPLETED again, earliest first, with an event each', () => {
    const exchange = exchangeWithFailures()
    const { code, events } = exchange.retrySettlements()
    assert.equal(code, null)
    const published = events.map(({ operatorId, payload }) => {
      const { playerId, totalPayout, status } = payload as SettlementCompleted
      return [operatorId, playerId, totalPayout, status]
    })
    assert.deepEqual(published, [
      ['house', 'ann', 10, 'COMPLETED'],
      ['house', 'bob', 10, 'COMPLETED'],
      [participant, 'gil', 10, 'COMPLETED'],
    ])
    assert.deepEqual(failedPlayers(exchange), [])
  })

  test('keeps the ids of the settlement and its position', () => {
    const exchange = exchangeWithFailures()
    const idsOf = (payload: unknown) => {
      const { settlementId, positionId } = payload as SettlementCompleted
      return { settlementId, positionId }
    }
    const first = exchange.events.find(
      ({ eventType }) => eventType === 'SETTLEMENT_COMPLETED',
    )!.payload
    const again = exchange.retrySettlements().events[0]!.payload
    assert.deepEqual(idsOf(again), idsOf(first))
  })

  test('takes at most so many at a time, with a restart in between', () => {
    const exchange = exchangeWithFailures()
    exchange.retrySettlements(2)
    assert.deepEqual(failedPlayers(exchange), ['gil'])
    exchange.restart()
    exchange.retrySettlements(2)
    assert.deepEqual(failedPlayers(exchange), [])
  })

  test('of nothing changes nothing', () => {
    const exchange = settledExchange()
    const { hash } = exchange
    assert.equal(exchange.retrySettlements().code, null)
    assert.equal(exchange.hash, hash)
  })

  test('pays no position twice: the job keeps its totals', () => {
    const exchange = exchangeWithFailures()
    exchange.retrySettlements()
    const { settled, payout } = exchange.market().job!
    assert.deepEqual([settled, payout.exact], [6, 30_000_000n])
  })

  test('is rejected before the market is settled, and not after', () => {
    const exchange = newExchange()
    exchange.manage('close')
    exchange.manage('resolve')
    assert.equal(exchange.retrySettlements().code, 'MARKET_INVALID_TRANSITION')
    exchange.settle()
    exchange.continueJob()
    assert.equal(exchange.retrySettlements().code, null)
  })
})

test('a market with 200,000 failed settlements can be loaded', () => {
  const exchange = newExchange()
  exchange.settleWhole()
  const records = exchange.save()
  records.markets[0]!.failedSettlements = Array.from({ length: 200_000 }, (_, at) => ({
    serial: serial(100 + at),
    createdAt: startMs,
    positionSerial: serial(1),
    positionCreatedAt: startMs,
    outcome: 0,
    operatorId: 'house',
    playerId: 'ann',
    shares: 100,
    payoutPerShare: 10_000,
  }))
  exchange.restart(records)
  assert.equal(exchange.retrySettlements().events.length > 0, true)
})
