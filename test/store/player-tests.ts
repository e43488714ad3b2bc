// What a store guarantees for the list of an operator's players.

import assert from 'node:assert/strict'
import type { PlayerListQuery, RecordStore } from '../../src/store/store.ts'
import { owner, participant, plainMarket, rows } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const any: PlayerListQuery = { operatorNumber: owner, prefix: '', after: null, limit: 3 }

/** Of all pages, and the totals that each page had. */
async function playersOf({ players }: RecordStore, query: Partial<PlayerListQuery> = {}) {
  const ids: string[] = []
  const totals = new Set<string>()
  for (let after: string | null = null; ; ) {
    const page = await players({ ...any, ...query, after })
    ids.push(...page.rows.map(({ playerId }) => playerId))
    totals.add(`${page.total} ${page.totalIsExact}`)
    if (page.nextAfter === null) return { ids, totals: [...totals] }
    after = page.nextAfter
  }
}

export const playerTests: StoreTests = {
  'players are listed once each, in order, page by page, with the prefix that is searched': async (
    fixture,
  ) => {
    const ids = ['Ann', 'an', 'an%', 'an-b', 'anB', 'ann', 'ann b', 'anna', 'añn', 'bob', 'z_', 'é']
    const others = ['ann', 'carl']
    await fixture.commit(
      ...plainMarket,
      ...[...ids.toReversed(), ...ids].map((playerId, index) =>
        rows.position({ serial: 100 + index, playerId, marketSerial: 1 + (index % 2) }),
      ),
      ...others.map((playerId, index) =>
        rows.position({ serial: 200 + index, playerId, operatorNumber: participant }),
      ),
    )
    const { reads } = fixture.shard
    for (const limit of [1, 3, 11, 12, 13]) {
      assert.deepEqual(await playersOf(reads, { limit }), { ids, totals: ['12 true'] })
    }
    const searched = {
      an: ids.filter((id) => id.startsWith('an')),
      ann: ['ann', 'ann b', 'anna'],
      'an%': ['an%'],
      A: ['Ann'],
      é: ['é'],
      bob: ['bob'],
      bobby: [],
      zz: [],
      '\u{10ffff}': [],
    }
    for (const [prefix, expected] of Object.entries(searched)) {
      for (const limit of [1, 2, 100]) {
        const found = await playersOf(reads, { prefix, limit })
        assert.deepEqual(found, { ids: expected, totals: [`${expected.length} true`] }, prefix)
      }
    }
    const ofOther = await playersOf(reads, { operatorNumber: participant })
    assert.deepEqual(ofOther, { ids: others, totals: ['2 true'] })
    assert.deepEqual((await playersOf(reads, { operatorNumber: 77 })).ids, [])
  },

  'a player of the list has the numbers of its positions and open orders': async (fixture) => {
    await fixture.commit(
      ...plainMarket,
      rows.position({ serial: 30 }),
      rows.position({ serial: 31, shares: 0 }),
      rows.position({ serial: 32, playerId: 'bob' }),
      rows.position({ serial: 33, operatorNumber: participant }),
      rows.newOrder({ serial: 10 }),
      rows.newOrder({ serial: 11, status: 1 }),
      rows.newOrder({ serial: 12, status: 2 }),
      rows.newOrder({ serial: 13, playerId: 'carl' }),
      rows.newOrder({ serial: 14, operatorNumber: participant }),
    )
    const { rows: found } = await fixture.shard.reads.players(any)
    assert.deepEqual(found, [
      { playerId: 'ann', positions: 2, openOrders: 2 },
      { playerId: 'bob', positions: 1, openOrders: 0 },
    ])
  },
}
