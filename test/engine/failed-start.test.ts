// An engine whose shard cannot be loaded.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '../../src/store/store.ts'
import { startEngine, withEngine } from './engine-fixture.ts'

test('an engine that cannot load its shard leaves nothing behind that runs', (t) =>
  withEngine(async ({ store, shard, time }) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let asked = 0
    const now = () => {
      asked += 1
      return time.now
    }
    const load = () => Promise.reject(new StoreUnavailable('no connection'))
    await assert.rejects(startEngine(store, { store: { ...shard, load }, now }), StoreUnavailable)
    const before = asked
    t.mock.timers.tick(1_000)
    assert.equal(asked, before, 'a timer runs')
  }))
