// What a store guarantees for loading: the exchange has exactly the state that was stored.

import assert from 'node:assert/strict'
import { Ids } from '../../src/core/ids.ts'
import { load } from '../../src/core/snapshot/load.ts'
import type { Records } from '../../src/core/snapshot/records.ts'
import { hashOf } from '../../src/core/snapshot/save.ts'
import { Exchange } from '../../src/core/state/exchange.ts'
import { RowPacker } from '../../src/store/store.ts'
import type { Saved } from '../support/core/shard.ts'
import { usualRules } from '../support/core/steps.ts'
import { busyMarkets, Traffic } from '../support/core/traffic.ts'
import { packSaved } from '../support/store/saved-rows.ts'
import {
  market,
  operatorRow,
  owner,
  participant,
  plainMarket,
  rows,
  startMs,
} from './sample-rows.ts'
import type { StoreFixture, StoreTests } from './store-fixture.ts'

const dayMs = 86_400_000

function hashOfRecords(records: Records): string {
  const ids = new Ids({ shard: 5, key: [0x1234567, 0x89abcde] })
  const exchange = new Exchange(usualRules, ids)
  load(exchange, records)
  return hashOf(exchange)
}

async function store(fixture: StoreFixture, saved: Saved): Promise<void> {
  const numbers = new Map<string, number>()
  for (const { id, supportedCurrencies, feeRate } of saved.operators) {
    const number = 10 + numbers.size
    numbers.set(id, number)
    const operator = operatorRow({ id, number, supportedCurrencies, feeRate })
    await fixture.store.registry.operators.put(operator)
  }
  for (const number of [owner, participant]) {
    await fixture.store.registry.operators.delete(`operator-${number}`)
  }
  const packer = new RowPacker()
  packSaved(packer, saved, numbers)
  const { lastSerial, now, commandSequence } = saved.head
  const turn = fixture.turn([], { lastSerial, now, to: commandSequence, rows: packer.bytes })
  await fixture.shard.commit(turn)
}

async function keysOf(fixture: StoreFixture): Promise<string[]> {
  const { keys, laterKeys } = await fixture.shard.load()
  const later = laterKeys === null ? [] : (await Array.fromAsync(laterKeys())).flat()
  const texts = Array.from(
    [...keys, ...later],
    ({ operatorNumber, transactionId }) => `${operatorNumber}:${transactionId}`,
  )
  return [...new Set(texts)].sort()
}

export const loadTests: StoreTests = {
  'an exchange after much traffic is loaded with the same state': async (fixture) => {
    const busy = busyMarkets()
    new Traffic(busy, 11).run(1_500)
    const { exchange } = busy
    exchange.wait(3 * dayMs)
    exchange.buy('zoë', 1, 0.05, { transactionId: 'tx-1', market: busy.markets[0]! })
    exchange.armDeadMan(60_000)
    exchange.armDeadMan(1_000, { playerId: 'bob' })
    exchange.wait(1_000)
    exchange.clearDeadMan({ playerId: 'bob' })
    const { group } = exchange.createGroup('cid', 1)
    exchange.buy('cid', 1, 0.02, { group, market: busy.markets[0]! })
    assert.deepEqual(
      exchange.save().deadMen.map(({ state, cancelUpTo }) => [state, cancelUpTo > 0]),
      [
        ['ARMED', false],
        ['CLEARED', true],
      ],
    )
    await store(fixture, exchange.save())
    await fixture.reopen()
    const { records, operatorNumbers } = await fixture.shard.load()
    assert.equal(hashOfRecords(records), exchange.hash)
    assert.deepEqual(Object.fromEntries(operatorNumbers), { house: 10, participant: 11, third: 12 })
  },

  'the window of an order group is loaded, without what has left it or was reset': async (
    fixture,
  ) => {
    const atTime = (slot: number, ms: number, generation = 1) =>
      rows.orderGroupFill({ slot, generation, filledAt: startMs + ms, shares: 100 + slot })
    await fixture.commit(rows.orderGroup({}), atTime(0, 0, 0))
    await fixture.commit(rows.orderGroup({ generation: 1 }), atTime(1, 0), atTime(2, 1))
    await fixture.commit(atTime(1, 14_999), atTime(3, 15_000))
    await fixture.commit(
      rows.orderGroup({ serial: 71, status: 2 }),
      rows.orderGroup({ serial: 72, status: 2, cancelUpTo: 9, playerId: 'bob' }),
    )
    const changed = [rows.orderGroup({ generation: 1, status: 1 })]
    await fixture.shard.commit(fixture.turn(changed, { now: startMs + 15_000 }))
    const { records } = await fixture.shard.load()
    const [first, second, ...more] = records.orderGroups
    assert.deepEqual(
      first!.fills.map(({ slot, time }) => [slot, time - startMs]),
      [
        [2, 1],
        [1, 14_999],
        [3, 15_000],
      ],
    )
    assert.deepEqual([first!.status, first!.generation, first!.playerId], ['TRIGGERED', 1, 'ann'])
    assert.deepEqual([second!.serial, second!.status], [72, 'DELETED'])
    assert.deepEqual(more, [])
  },

  'a dead-man switch that is changed is stored once, and a cleared one is not loaded': async (
    fixture,
  ) => {
    await fixture.commit(rows.deadMan({}), rows.deadMan({ playerId: 'ann', cancelUpTo: 9 }))
    await fixture.commit(rows.deadMan({ state: 2 }))
    await fixture.commit(rows.deadMan({ playerId: 'ann', state: 1, cancelUpTo: 0 }))
    const { records } = await fixture.shard.load()
    const shown = Array.from(records.deadMen, ({ operatorId, ...deadMan }) => deadMan)
    const ann = { playerId: 'ann', state: 'TRIGGERED', timeoutMs: 5_000, cancelUpTo: 0 } as const
    assert.deepEqual(shown, [{ ...ann, deadline: startMs + 5_000 }])
  },

  'an unfinished settlement is loaded with the same state': async (fixture) => {
    const busy = busyMarkets()
    new Traffic(busy, 12).run(400)
    const { exchange } = busy
    exchange.marketSerial = busy.markets[0]!
    for (const { reject } of [
      exchange.manage('close'),
      exchange.manage('resolve'),
      exchange.settle(),
      exchange.continueJob(10_000),
      exchange.continueJob(2),
    ]) {
      assert.equal(reject, null)
    }
    assert.equal(exchange.market().job?.phase, 'PAYING')
    await store(fixture, exchange.save())
    const { records } = await fixture.shard.load()
    assert.equal(hashOfRecords(records), exchange.hash)
  },

  'loaded records can be iterated twice, and partly': async (fixture) => {
    await fixture.commit(
      ...plainMarket,
      rows.newOrder({ serial: 10 }),
      rows.newOrder({ serial: 11 }),
    )
    const { records } = await fixture.shard.load()
    for (const { serial } of records.orders) {
      assert.equal(serial, 10)
      break
    }
    assert.equal([...records.orders].length, 2)
  },

  'closed orders and ended markets are not loaded, unfinished jobs are': async (fixture) => {
    await fixture.commit(
      ...plainMarket,
      rows.market({ serial: 100, status: 6 }),
      rows.market({ serial: 101, status: 7 }),
      rows.market({ serial: 102, status: 7 }),
      rows.job({ marketSerial: 101, job: '{"kind":"CANCEL","phase":"CANCELLING","payout":"0"}' }),
      rows.job({
        marketSerial: 102,
        isDone: 1,
        job: '{"kind":"CANCEL","phase":"DONE","payout":"0"}',
      }),
      rows.newOrder({ serial: 10, queueSerial: 15 }),
      rows.newOrder({ serial: 11, queueSerial: 11, status: 1 }),
      rows.newOrder({ serial: 12, status: 2 }),
      rows.position({ serial: 30 }),
      rows.position({ serial: 31, marketSerial: 100 }),
    )
    const { records } = await fixture.shard.load()
    const serials = (list: Iterable<{ serial: number }>) => Array.from(list, ({ serial }) => serial)
    assert.deepEqual(serials(records.markets), [market, 101])
    assert.deepEqual(serials(records.orders), [11, 10])
    assert.deepEqual(serials(records.positions), [30])
  },

  'keys of live markets are loaded, and keys of ended markets for a day': async (fixture) => {
    const young = Date.now()
    const key = (serial: number, transactionId: string | null, more: object = {}) =>
      rows.newOrder({ serial, transactionId, status: 2, ...more })
    await fixture.commit(
      ...plainMarket,
      rows.participant(),
      rows.market({ serial: 5, status: 6 }),
      key(10, 'live'),
      key(11, 'live-participant', { operatorNumber: participant }),
      key(12, 'ended', { marketSerial: 5 }),
      key(13, null),
      rows.sets({ serial: 14, transactionId: 'live-sets' }),
      rows.sets({ serial: 15, transactionId: 'ended-sets', marketSerial: 5 }),
      key(20, 'young', { marketSerial: 5, createdAt: young }),
      rows.sets({ serial: 21, transactionId: 'young-sets', marketSerial: 5, createdAt: young }),
      key(22, 'live-young', { createdAt: young }),
    )
    assert(young - startMs > dayMs)
    const expected = [
      '1:live',
      '1:live-sets',
      '1:live-young',
      '1:young',
      '1:young-sets',
      '2:live-participant',
    ]
    assert.deepEqual(await keysOf(fixture), expected)
    // The result is the same whether many or few orders belong to live markets.
    await fixture.commit(
      rows.tally({ orders: 100 }),
      rows.tally({ marketSerial: market, orders: 90 }),
    )
    assert.deepEqual(await keysOf(fixture), expected)
  },
}
