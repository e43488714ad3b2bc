// What a store guarantees for the reads of callers. Their order is tested beside read-lane.ts.

import assert from 'node:assert/strict'
import { serial } from '../support/core/steps.ts'
import { market, owner, plainMarket, rows } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

export const readTests: StoreTests = {
  'callers read the same records as the service': async (fixture) => {
    await fixture.commit(...plainMarket, rows.newOrder({ serial: 10 }))
    const { reads, readsFor } = fixture.shard
    const parties = [owner, owner, owner, '10.0.0.1', '10.0.0.2']
    const found = parties.map((party) =>
      readsFor({ party, isGone: () => false }).order(owner, serial(10)),
    )
    const expected = await reads.order(owner, serial(10))
    assert.notEqual(expected, null)
    for (const order of await Promise.all(found)) assert.deepEqual(order, expected)
    const sums = await readsFor({ party: owner, isGone: () => false }).reconciliation(market)
    assert.deepEqual(sums, await reads.reconciliation(market))
  },

  'nothing is read for a caller that has gone': async (fixture) => {
    await fixture.commit(...plainMarket)
    const gone = fixture.shard.readsFor({ party: owner, isGone: () => true })
    await assert.rejects(gone.market(market), { name: 'StoreUnavailable' })
    const present = fixture.shard.readsFor({ party: owner, isGone: () => false })
    assert.notEqual(await present.market(market), null)
  },
}
