// Saving, loading and hashing a shard: what was saved goes on as if nothing had happened.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  newExchange,
  participant,
  type Saved,
  startMs,
  TestExchange,
} from '../../../test/support/core/exchange.ts'
import { feeRateOf, serial } from '../../../test/support/core/steps.ts'
import { assertSameEvents, busyMarkets, Traffic } from '../../../test/support/core/traffic.ts'
import { BrokenInvariant } from '../assert.ts'
import type { FailedSettlement } from '../state/market.ts'

describe('a shard that was saved and loaded', () => {
  test('has the same hash', () => {
    const scene = busyMarkets()
    new Traffic(scene, 3).run(1_000)
    const { hash } = scene.exchange
    scene.exchange.restart()
    assert.equal(scene.exchange.hash, hash)
  })

  test('is saved to the same records', () => {
    const exchange = everythingSet()
    const records = exchange.save()
    exchange.restart()
    assert.deepEqual(exchange.save(), records)
  })

  test('gives the same answers and events as one that never stopped', () => {
    const [kept, restarted] = [busyMarkets(), busyMarkets()]
    const [one, other] = [new Traffic(kept, 9), new Traffic(restarted, 9)]
    for (let part = 0; part < 20; part += 1) {
      const codes = one.run(50).map(({ code }) => code)
      assert.deepEqual(
        other.run(50).map(({ code }) => code),
        codes,
      )
      restarted.exchange.restart()
    }
    assertSameEvents(restarted.exchange, kept.exchange)
    assert.equal(restarted.exchange.hash, kept.exchange.hash)
  })

  test('still opens and expires what was due', () => {
    const exchange = newExchange()
    exchange.buy('bob', 1, 0.5, { expiresAt: startMs + 10 })
    exchange.createMarket({ tradingStartsAt: startMs + 10 })
    exchange.manage('open')
    exchange.restart()
    exchange.wait(10)
    assert.equal(exchange.status(), 'OPEN')
    assert.deepEqual(exchange.save().orders, [])
  })

  test('keeps the queue at a price, partly filled orders first in it', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    for (const player of ['bob', 'cid']) exchange.buy(player, 5, 0.5)
    exchange.sell('ann', 1, 0.5)
    exchange.restart()
    exchange.sell('ann', 5, 0.5)
    assert.deepEqual([exchange.holding('bob')?.shares, exchange.holding('cid')?.shares], ['5', '1'])
  })

  test('keeps the shares of open SELL orders from being offered again', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.sell('ann', 6, 0.5)
    exchange.restart()
    assert.equal(exchange.sell('ann', 4.01, 0.5).code, 'POSITION_INSUFFICIENT_SHARES')
    assert.equal(exchange.sell('ann', 4, 0.5).code, null)
  })
})

describe('the hash', () => {
  test('is the same for two runs of the same commands', () => {
    const [hash, again] = [0, 1].map(() => {
      const scene = busyMarkets()
      new Traffic(scene, 11).run(500)
      return scene.exchange.hash
    })
    assert.equal(again, hash)
  })

  test('differs for another run', () => {
    const [hash, other] = [11, 12].map((seed) => {
      const scene = busyMarkets()
      new Traffic(scene, seed).run(500)
      return scene.exchange.hash
    })
    assert.notEqual(other, hash)
  })

  test('does not depend on the order in which operators came', () => {
    const [one, other] = [
      ['a', 'b'],
      ['b', 'a'],
    ].map((ids) => {
      const exchange = new TestExchange()
      for (const id of ids) exchange.putOperator(id)
      return exchange.hash
    })
    assert.equal(other, one)
  })
})

const failed: FailedSettlement = {
  serial: serial(1),
  createdAt: startMs,
  positionSerial: serial(2),
  positionCreatedAt: startMs,
  outcome: 0,
  operatorId: 'house',
  playerId: 'ann',
  shares: 100,
  payoutPerShare: 0,
}

/** Two markets that between them have a value in every field that is stored. */
function everythingSet(): TestExchange {
  const exchange = new TestExchange()
  const feeSchedule = {
    model: 'QUADRATIC',
    takerRate: feeRateOf(7),
    makerRate: feeRateOf(1),
  } as const
  const supportedCurrencies = ['USD', 'EUR']
  const fees = { feeRate: feeRateOf(1.5), feeSchedule }
  exchange.core.putOperator({ id: participant, supportedCurrencies, ...fees })
  const text = { description: 'd', imageUrl: 'i', categoryId: 'c', metadata: '{}' }
  const priceBand = { maxMove: 9_000, suspendOnBand: true }
  const window = { tradingStartsAt: startMs - 1, tradingEndsAt: startMs + 100 }
  for (const _ of [1, 2]) {
    const more = { isShared: true, feeSchedule, priceBand, outcomes: ['A', 'B'] }
    exchange.createMarket({ ...text, ...window, ...more })
    exchange.manage('open')
    exchange.mint('ann', 20)
    exchange.mint('gil', 5, { operator: participant })
    exchange.redeem('ann', 5)
    exchange.sell('ann', 10, 0.6, { transactionId: 't', expiresAt: startMs + 50 })
    const { group } = exchange.createGroup('gil', 100, { operator: participant })
    exchange.buy('gil', 4, 0.7, { operator: participant, group })
    exchange.buy('gil', 3, 0.3, { operator: participant, group })
  }
  exchange.manage('close')
  exchange.manage('resolve', { winner: 1 })
  exchange.settle()
  exchange.continueJob(2)
  exchange.continueJob(2)
  exchange.acknowledge(failed, 'FAILED')
  return exchange
}

type Tree = { [field: string]: unknown }
/** The path to a single value in the records. */
type Place = readonly string[]

function placesIn(value: unknown, path: Place = []): Place[] {
  if (value === null || typeof value !== 'object') return [path]
  return Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]))
}

function changed(value: unknown): unknown {
  if (value === 'BUY' || value === 'SELL') return value === 'BUY' ? 'SELL' : 'BUY'
  if (typeof value === 'string') return `${value}x`
  if (typeof value === 'boolean') return !value
  return typeof value === 'bigint' ? value + 1n : (value as number) + 1
}

/** Whether a change of that one value is seen. */
function isNoticed(exchange: TestExchange, records: Saved, path: Place): boolean {
  const { hash } = exchange
  const changes = structuredClone(records)
  const holder = path.slice(0, -1).reduce((tree, key) => tree[key] as Tree, changes as Tree)
  const field = path.at(-1)!
  if (holder[field] === null) return true
  holder[field] = changed(holder[field])
  const other = new TestExchange()
  try {
    other.restart(changes)
  } catch (error) {
    assert(error instanceof BrokenInvariant)
    return true
  }
  return other.hash !== hash
}

test('no stored value can change unnoticed: the hash differs, or loading refuses', () => {
  const exchange = everythingSet()
  const records = exchange.save()
  const unnoticed = placesIn(records).filter((path) => !isNoticed(exchange, records, path))
  assert.deepEqual(unnoticed, [])
})

test('that was tried on every field that is stored', () => {
  const records = everythingSet().save()
  const isSet = (path: Place) =>
    path.reduce((tree, key) => tree[key] as Tree, records as Tree) !== null
  const nameOf = (path: Place) => path.filter((key) => !/^\d+$/.test(key)).join('.')
  const places = placesIn(records)
  const tried = new Set(places.filter(isSet).map(nameOf))
  const empty = places.map(nameOf).filter((name) => !tried.has(name))
  const objects = ['operators.feeSchedule', 'markets.resolution', 'markets.job']
  assert.deepEqual(new Set(empty), new Set(objects))
  assert(tried.has('markets.resolution.winner') && tried.has('markets.job.payout'))
  assert(tried.has('operators.feeSchedule.makerRate') && tried.has('markets.feeSchedule.model'))
  assert(tried.has('markets.priceBand.maxMove') && tried.has('markets.priceBand.suspendOnBand'))
})
