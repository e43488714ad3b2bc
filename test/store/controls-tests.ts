// What a store guarantees for brakes, limits of players and how much of them is used.

import assert from 'node:assert/strict'
import { market, no, owner, participant, plainMarket, rows, startMs, yes } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const halted = { mode: 'HALTED', reason: 'Rain', until: null }
const holder = { kind: 'PLAYER', operatorId: `operator-${owner}`, playerId: 'ann' }
const record = (terms: object) =>
  JSON.stringify({ holder, terms, changedAt: 5, version: 0, audienceIds: [], sweptOrders: null })

export const controlsTests: StoreTests = {
  'a brake from before limits has none, where it is read and loaded': async (fixture) => {
    await fixture.commit(rows.controls({ record: record(halted) }))
    const query = { kind: 'PLAYER', operatorNumber: owner, playerId: 'ann' } as const
    const terms = { ...halted, limits: null }
    assert.deepEqual((await fixture.shard.reads.controls(query))?.terms, terms)
    const { records } = await fixture.shard.load()
    assert.deepEqual([...records.controls][0]?.terms, terms)
    const limited = { ...halted, limits: { maxOrderCost: 5_000_000, maxMarketCost: null } }
    await fixture.commit(rows.controls({ record: record(limited) }))
    assert.deepEqual((await fixture.shard.reads.controls(query))?.terms, limited)
  },

  'what a player uses is its open BUY orders and positions, by market': async (fixture) => {
    const other = { marketSerial: 5, outcomeSerial: 6 } as const
    await fixture.commit(
      ...plainMarket,
      rows.market({ serial: 5, createdAt: startMs + 1 }),
      rows.newOrder({ serial: 10, outcomeSerial: no, shares: 1_000, price: 5_000 }),
      rows.newOrder({ serial: 11, shares: 1_000, filled: 400, price: 2_500, status: 1 }),
      rows.newOrder({ serial: 12, isSell: 1 }),
      rows.newOrder({ serial: 13, ...other, shares: 90_000_000, price: 9_999 }),
      rows.newOrder({ serial: 14, status: 3 }),
      rows.newOrder({ serial: 15, playerId: 'bob' }),
      rows.newOrder({ serial: 16, operatorNumber: participant }),
      rows.position({ serial: 30, shares: 9_007_199_254_740_000, cost: 2n ** 70n }),
      rows.position({ serial: 31, ...other, cost: 0n, shares: 0 }),
      rows.position({ serial: 33, playerId: 'bob' }),
      rows.position({ serial: 34, operatorNumber: participant }),
    )
    const { usage } = fixture.shard.reads
    const mine = { operatorNumber: owner, playerId: 'ann' }
    const used = [
      {
        marketSerial: market,
        marketCreatedAt: startMs,
        cost: 6_500_000n + 2n ** 70n,
        outcomes: [
          { outcomeSerial: yes, shares: 9_007_199_254_740_600n },
          { outcomeSerial: no, shares: 1_000n },
        ],
      },
      {
        marketSerial: 5,
        marketCreatedAt: startMs + 1,
        cost: 90_000_000n * 9_999n,
        outcomes: [{ outcomeSerial: 6, shares: 90_000_000n }],
      },
    ]
    assert.deepEqual(await usage(mine), used)
    assert.deepEqual(await usage({ ...mine, playerId: 'Ann' }), [])
    assert.deepEqual(await usage({ ...mine, operatorNumber: 77 }), [])
    await fixture.commit(rows.market({ serial: 5, status: 6 }), rows.order({ serial: 10 }))
    assert.deepEqual(await usage(mine), [
      { ...used[0], cost: 1_500_000n + 2n ** 70n, outcomes: used[0]!.outcomes.slice(0, 1) },
    ])
    await fixture.commit(rows.market({ status: 7 }))
    assert.deepEqual(await usage(mine), [])
  },
}
