// The shards of a node that another one acquires at an unlucky moment.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { OwnedShards, type RunningShard } from '../../src/cluster/owned-shards.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { ShardStore } from '../../src/store/store.ts'
import { startEngine } from '../engine/engine-fixture.ts'
import { until } from '../support/http/answers.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('shards that are lost at an unlucky moment', quick)
const slowWriter = new URL('../support/store/slow-writer-thread.ts', import.meta.url)
/** Renewed every 667 ms. */
const leaseMs = 2_000
const lossMsMax = 10_000

if (server !== null) {
  after(() => server.stop())

  const newNode = async (t: TestContext, writerProgram?: URL) => {
    const { url } = await server.newDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'outcry-owned-'))
    const losses: Error[] = []
    const onLost = (shard: number, cause: Error) => {
      losses.push(cause)
      void owned.lose(shard, cause)
    }
    const program = writerProgram === undefined ? {} : { writerProgram }
    const store = await openPostgresStore({
      url,
      folder,
      isNode: true,
      leaseMs,
      onLost,
      ...program,
    })
    const engines: Engine[] = []
    let afterStart = async () => {}
    const start = async (own: ShardStore): Promise<RunningShard> => {
      const engine = await startEngine(store, { store: own, now: Date.now })
      engines.push(engine)
      await afterStart()
      return { engine, stop: async () => undefined }
    }
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const owned: OwnedShards = new OwnedShards({ stores: store.shards, start, log })
    t.after(async () => {
      for (const engine of engines) await engine.lose()
      await store.close()
      rmSync(folder, { recursive: true })
    })
    /** Another service acquires the shard and ends. */
    const loseShard = async () => {
      const before = losses.length
      await query(
        url,
        `UPDATE outcry_shard_0.head
         SET epoch = epoch + 1, owner = 'other 1 2', lease_until = '-infinity'`,
      )
      await until(
        async () => losses.length,
        (count) => count > before,
        lossMsMax,
      )
      assert.equal(losses.length, before + 1)
    }
    const setAfterStart = (run: () => Promise<void>) => {
      afterStart = run
    }
    return { url, owned, engines, loseShard, setAfterStart }
  }

  test('a shard that is lost while it starts does not run; it can be acquired again', async (t) => {
    const { owned, engines, loseShard, setAfterStart } = await newNode(t)
    setAfterStart(loseShard)
    assert.equal(await owned.acquire(0), false)
    assert.equal(owned.get(0), undefined)
    setAfterStart(async () => {})
    assert.equal(await owned.acquire(0), true)
    assert.equal(owned.get(0)?.engine, engines[1])
  })

  test('the end of a lost ownership leaves the lease of the next one', async (t) => {
    const { url, owned, loseShard } = await newNode(t, slowWriter)
    assert.equal(await owned.acquire(0), true)
    await loseShard()
    assert.equal(await owned.acquire(0), true)
    const isReleased = `SELECT 1 FROM outcry_shard_0.head WHERE lease_until = '-infinity'`
    const released = await until(
      () => query(url, isReleased),
      (rows) => rows.length > 0,
      2_000,
    )
    assert.equal(released.length, 0, 'the lease was released')
  })
}
