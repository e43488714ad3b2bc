// What a store guarantees for positions and settlements.

import assert from 'node:assert/strict'
import { marketStatuses } from '../../src/core/words.ts'
import { rowsPerPart as sumsPerPart } from '../../src/store/sql/read-settlement-sums.ts'
import { rowsPerPart as valuesPerPart } from '../../src/store/sql/read-valuation.ts'
import type { HoldingQuery } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { market, no, owner, participant, plainMarket, rows, startMs, yes } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const any: HoldingQuery = {
  operatorNumber: owner,
  marketSerial: null,
  playerId: null,
  after: null,
  limit: 100,
}
const holders = [
  { serial: 30 },
  { serial: 31, playerId: 'bob' },
  { serial: 32, marketSerial: 5 },
  { serial: 33, operatorNumber: participant },
]
const expectedLists: readonly [Partial<HoldingQuery>, number[]][] = [
  [{}, [32, 31, 30]],
  [{ marketSerial: market }, [31, 30]],
  [{ playerId: 'ann' }, [32, 30]],
  [{ playerId: 'ann', marketSerial: market }, [30]],
  [{ operatorNumber: participant }, [33]],
  [{ operatorNumber: participant, playerId: 'bob' }, []],
  [{ after: 32 }, [31, 30]],
]

export const holdingTests: StoreTests = {
  'a position is stored and changed; reserving shares does not change its time': async (
    fixture,
  ) => {
    const huge = 2n ** 70n
    await fixture.commit(...plainMarket, rows.position({ cost: huge, profit: -huge }))
    const position = async () => (await fixture.shard.reads.positions(any)).rows[0]
    const expected = {
      serial: 30,
      createdAt: startMs,
      updatedAt: startMs,
      marketSerial: market,
      marketCreatedAt: startMs,
      outcomeSerial: yes,
      operatorId: 'operator-1',
      playerId: 'ann',
      shares: 100,
      reserved: 0,
      cost: huge,
      profit: -huge,
      mark: { source: 'COST', price: null },
    }
    assert.deepEqual(await position(), expected)
    const exact = { cost: 2n ** 53n + 1n, profit: 12n }
    await fixture.commit(rows.position({ updatedAt: 0, reserved: 40, ...exact }))
    assert.deepEqual(await position(), { ...expected, reserved: 40, ...exact })
    await fixture.commit(rows.position({ updatedAt: startMs + 5, shares: 0 }))
    assert.equal((await position())?.updatedAt, startMs + 5)
    assert.equal((await position())?.shares, 0)
  },

  'positions are listed newest first, by market and player': async (fixture) => {
    const positions = holders.map((holder) => rows.position(holder))
    await fixture.commit(...plainMarket, rows.market({ serial: 5 }), ...positions)
    for (const [filter, serials] of expectedLists) {
      const page = await fixture.shard.reads.positions({ ...any, ...filter })
      const found = page.rows.map(({ serial }) => serial)
      assert.deepEqual(found, serials, JSON.stringify(filter))
      if (filter.after === undefined) assert.equal(page.total, serials.length)
    }
    const first = await fixture.shard.reads.positions({ ...any, limit: 2 })
    assert.deepEqual([first.rows.length, first.hasMore, first.total], [2, true, 3])
  },

  'positions are valued by trades and payouts, and the sums of a player and a settlement are exact':
    async (fixture) => {
      const cost = 2n ** 60n
      const held = [
        rows.position({ shares: 100, cost, profit: -7n }),
        rows.position({ serial: 31, outcomeSerial: no, shares: 50, cost: 3n, profit: 0n }),
        rows.position({ serial: 33, operatorNumber: participant, shares: 9 }),
      ]
      await fixture.commit(...plainMarket, rows.outcome({ lastPrice: 6_000 }), ...held)
      const { reads } = fixture.shard
      const query = { operatorNumber: owner, playerId: 'ann' }
      const marks = async () =>
        (await reads.positions({ ...any, playerId: 'ann' })).rows.map(({ mark }) => mark)
      const atCost = { source: 'COST', price: null }
      assert.deepEqual(await marks(), [atCost, { source: 'LAST', price: 6_000 }])
      const sums = { currency: 'USD', positions: 2, cost: cost + 3n, realized: -7n }
      const byTrades = { value: 600_003n, unrealized: 600_000n - cost, total: 599_993n - cost }
      assert.deepEqual(await reads.valuation(query), [{ ...sums, ...byTrades }])
      const resolution = JSON.stringify({ payouts: [2_500, 7_500], winner: null, resolvedAt: 1 })
      const status = marketStatuses.indexOf('RESOLVED')
      await fixture.commit(rows.market({ status, resolution }))
      const paying = (price: number) => ({ source: 'PAYOUT', price })
      assert.deepEqual(await marks(), [paying(7_500), paying(2_500)])
      assert.equal((await reads.valuation(query))[0]?.value, 625_000n)
      assert.deepEqual(await reads.valuation({ ...query, playerId: 'nobody' }), [])

      const paid = await reads.settlementSums(serial(market))
      const key = (of: (typeof paid)[number]) => `${of.operatorId} ${of.outcomeSerial}`
      assert.deepEqual(
        paid.map((of) => [key(of), of.positions, of.shares]),
        [
          [`operator-${owner} ${yes}`, 1, 100n],
          [`operator-${owner} ${no}`, 1, 50n],
          [`operator-${participant} ${yes}`, 1, 9n],
        ],
      )
      assert.deepEqual(await reads.settlementSums(serial(5)), [])
    },

  'more positions than one statement reads are all valued, and paid': async (fixture) => {
    const count = Math.max(sumsPerPart, valuesPerPart) + 1
    const shares = 100
    const positions = Array.from({ length: count }, (_, at) =>
      rows.position({ serial: 1_000 + at, shares }),
    )
    await fixture.commit(...plainMarket)
    for (let at = 0; at < count; at += 1_000) {
      await fixture.commit(...positions.slice(at, at + 1_000))
    }
    const [sums] = await fixture.shard.reads.settlementSums(serial(market))
    assert.deepEqual([sums?.positions, sums?.shares], [count, BigInt(count * shares)])
    const [valuation] = await fixture.shard.reads.valuation({
      operatorNumber: owner,
      playerId: 'ann',
    })
    assert.equal(valuation?.positions, count)
  },

  'settlements are listed newest first, by market and player': async (fixture) => {
    const settlements = holders.map((holder) =>
      rows.settlement({ ...holder, positionSerial: holder.serial + 100 }),
    )
    await fixture.commit(...plainMarket, rows.market({ serial: 5 }), ...settlements)
    for (const [filter, serials] of expectedLists) {
      const page = await fixture.shard.reads.settlements({ ...any, ...filter })
      const found = page.rows.map(({ serial }) => serial)
      assert.deepEqual(found, serials, JSON.stringify(filter))
    }
  },

  'settlements are listed by whether they are acknowledged, with every other filter': async (
    fixture,
  ) => {
    const settlements = holders.map((holder) =>
      rows.settlement({ ...holder, positionSerial: holder.serial + 100 }),
    )
    await fixture.commit(...plainMarket, rows.market({ serial: 5 }), ...settlements)
    const assertLists = async (acknowledged: readonly number[]) => {
      const { reads } = fixture.shard
      for (const [filter, serials] of expectedLists) {
        for (const isAcknowledged of [true, false]) {
          const page = await reads.settlements({ ...any, ...filter, isAcknowledged })
          const found = page.rows.map(({ serial }) => serial)
          const fitting = serials.filter((each) => acknowledged.includes(each) === isAcknowledged)
          assert.deepEqual(found, fitting, JSON.stringify({ ...filter, isAcknowledged }))
          if (filter.after === undefined) assert.equal(page.total, fitting.length)
        }
      }
    }
    await assertLists([])
    const note = { errorMessage: null, updatedAt: startMs }
    await fixture.commit(rows.settlementNote({ ...note, serial: 31, transactionId: 'pay-1' }))
    await assertLists([31])
    await fixture.commit(rows.settlementNote({ ...note, serial: 33, transactionId: 'pay-2' }))
    await fixture.reopen()
    await assertLists([31, 33])
  },

  'settlements can be read oldest first, in pages': async (fixture) => {
    const settlements = holders.map((holder) =>
      rows.settlement({ ...holder, positionSerial: holder.serial + 100 }),
    )
    await fixture.commit(...plainMarket, rows.market({ serial: 5 }), ...settlements)
    const query = { ...any, isOldestFirst: true, limit: 2 }
    const serialsOf = async (after: number | null) => {
      const page = await fixture.shard.reads.settlements({ ...query, after })
      return page.rows.map(({ serial }) => serial)
    }
    assert.deepEqual(await serialsOf(null), [30, 31])
    assert.deepEqual(await serialsOf(31), [32])
  },

  'a settlement is stored with the acknowledgement of its operator': async (fixture) => {
    await fixture.commit(...plainMarket, rows.settlement())
    const { reads } = fixture.shard
    const expected = {
      serial: 50,
      createdAt: startMs,
      updatedAt: startMs,
      positionSerial: 30,
      positionCreatedAt: startMs,
      marketSerial: market,
      marketCreatedAt: startMs,
      outcomeSerial: no,
      outcomeIndex: 1,
      operatorId: 'operator-1',
      playerId: 'ann',
      shares: 100,
      payoutPerShare: 10_000,
      status: 'COMPLETED',
      transactionId: null,
      errorMessage: null,
    }
    assert.deepEqual(await reads.settlement(owner, serial(50)), expected)
    assert.equal(await reads.settlement(participant, serial(50)), null)
    const note = { transactionId: 'pay-1', errorMessage: 'No such wallet' }
    await fixture.commit(
      rows.settlement({ status: 3, updatedAt: startMs + 4 }),
      rows.settlementNote({ ...note, updatedAt: startMs + 4 }),
    )
    const failed = { ...expected, status: 'FAILED', updatedAt: startMs + 4, ...note }
    assert.deepEqual(await reads.settlement(owner, serial(50)), failed)
    await fixture.commit(rows.settlement({ status: 2, updatedAt: startMs + 5 }))
    const again = await reads.settlement(owner, serial(50))
    assert.deepEqual([again?.status, again?.errorMessage], ['COMPLETED', null])
  },

  'the settlements of a market are counted, of all operators or of one': async (fixture) => {
    const shares = 900_000_000_000_000
    const settlement = (serial: number, change: object) =>
      rows.settlement({ serial, positionSerial: serial, ...change })
    await fixture.commit(
      ...plainMarket,
      rows.position({ serial: 30 }),
      rows.position({ serial: 31, operatorNumber: participant }),
      settlement(50, { shares }),
      settlement(51, { shares, operatorNumber: participant }),
      settlement(52, { shares, status: 3 }),
      settlement(53, { shares, payoutPerShare: 0 }),
      settlement(54, { shares, marketSerial: 5 }),
    )
    const counts = (operatorNumber: number | null) =>
      fixture.shard.reads.settlementCounts({ marketSerial: market, operatorNumber })
    assert.deepEqual(await counts(null), {
      positions: 2,
      byStatus: { PENDING: 0, PROCESSING: 0, COMPLETED: 3, FAILED: 1 },
      payout: BigInt(shares) * 30_000n,
      completedPayout: BigInt(shares) * 20_000n,
    })
    assert.deepEqual(await counts(participant), {
      positions: 1,
      byStatus: { PENDING: 0, PROCESSING: 0, COMPLETED: 1, FAILED: 0 },
      payout: BigInt(shares) * 10_000n,
      completedPayout: BigInt(shares) * 10_000n,
    })
  },
}
