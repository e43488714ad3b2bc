// Several shards in one PostgreSQL database: each has tables of its own; the registry is shared.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { RowPacker, type ShardStore, type Turn } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'
import { type Adding, operatorRow, plainMarket, rows, startMs } from './sample-rows.ts'

const server = await postgresOrNot('several shards in a PostgreSQL database', quick)

if (server !== null) {
  after(() => server.stop())

  const opened = async (t: TestContext, url: string, shardCount: number, more = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-store-'))
    const store = await openPostgresStore({
      url,
      folder,
      shardCount,
      onLost: (_shard, cause) => {
        throw cause
      },
      ...more,
    })
    t.after(async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    })
    return store
  }

  test('a new shard has the tables of the first one', async (t) => {
    const { url } = await server.newDatabase()
    await opened(t, url, 3)
    const first = await definitionsIn(url, 'outcry_shard_0')
    assert.ok(first.length > 150, `${first.length} definitions`)
    for (const schema of ['outcry_shard_1', 'outcry_shard_2']) {
      assert.deepEqual(await definitionsIn(url, schema), first)
    }
  })

  test('the records of two shards may have the same serials', async (t) => {
    const { url } = await server.newDatabase()
    const { shards, registry } = await opened(t, url, 2)
    const [one, other] = [shards[0]!, shards[1]!]
    await registry.operators.put(operatorRow({ number: 1, shard: 0 }))
    await registry.operators.put(operatorRow({ number: 2, shard: 1 }))
    await commit(one, ...marketOf(1), rows.newOrder({ operatorNumber: 1, playerId: 'ann' }))
    await commit(other, ...marketOf(2), rows.newOrder({ operatorNumber: 2, playerId: 'bob' }))
    const players = [one, other].map(async ({ reads }, shard) => {
      const order = await reads.order(shard + 1, serial(10))
      return order?.playerId
    })
    assert.deepEqual(await Promise.all(players), ['ann', 'bob'])
    const loaded = await Promise.all([one, other].map((shard) => shard.load()))
    assert.deepEqual(
      loaded.map(({ operatorNumbers }) => [...operatorNumbers.values()]),
      [[1], [2]],
    )
  })

  test('shards are added to a database, and stay if fewer are wanted', async (t) => {
    const { url } = await server.newDatabase()
    const store = await opened(t, url, 1)
    await store.registry.operators.put(operatorRow({}))
    await commit(store.shards[0]!, ...plainMarket)
    await store.close()
    const more = await opened(t, url, 3)
    assert.equal(more.shards.length, 3)
    assert.notEqual(await more.shards[0]!.reads.market(serial(1)), null)
    await commit(more.shards[2]!, ...plainMarket)
    await more.close()
    const fewer = await opened(t, url, 1)
    assert.equal(fewer.shards.length, 3)
    assert.notEqual(await fewer.shards[2]!.reads.market(serial(1)), null)
  })

  test('a turn is not committed to the tables of another shard', async (t) => {
    const { url } = await server.newDatabase()
    const { shards } = await opened(t, url, 2)
    const { epoch } = await shards[1]!.claim()
    // As if the connection of shard 1 found the tables of shard 0.
    await query(url, 'ALTER SCHEMA outcry_shard_1 RENAME TO kept')
    await query(url, 'ALTER SCHEMA outcry_shard_0 RENAME TO outcry_shard_1')
    await assert.rejects(shards[1]!.commit(turnOf(epoch, plainMarket)), /fenced/)
  })

  test('older nodes keep their commit function, a service alone drops it', async (t) => {
    const { url } = await server.newDatabase()
    await (await opened(t, url, 1)).close()
    const older = 'outcry_shard_0.commit_turn_older'
    await query(url, `CREATE FUNCTION ${older}() RETURNS void LANGUAGE sql AS ''`)
    const isThere = async () => {
      const rows = await query<{ oid: string | null }>(url, `SELECT to_regproc('${older}') AS oid`)
      return rows[0]?.oid !== null
    }
    await (await opened(t, url, 1, { isNode: true })).close()
    assert.equal(await isThere(), true)
    await opened(t, url, 1)
    assert.equal(await isThere(), false)
  })

  test('installations with home schemas of their own share a database', async (t) => {
    const { url } = await server.newDatabase()
    await query(url, 'CREATE SCHEMA red; CREATE SCHEMA blue')
    const [red, blue] = ['red', 'blue'].map((home) => {
      const own = new URL(url)
      own.searchParams.set('options', `-c search_path=${home}`)
      return own.href
    })
    const stores = [await opened(t, url, 1), await opened(t, red!, 1), await opened(t, blue!, 2)]
    await stores[1]!.registry.operators.put(operatorRow({}))
    await commit(stores[1]!.shards[0]!, ...plainMarket)
    const found = stores.map(({ shards }) => shards[0]!.reads.market(serial(1)))
    assert.deepEqual(
      (await Promise.all(found)).map((market) => market !== null),
      [false, true, false],
    )
  })
}

function marketOf(ownerNumber: number): readonly Adding[] {
  return [rows.market({ ownerNumber }), ...plainMarket.slice(1)]
}

async function commit(shard: ShardStore, ...adding: readonly Adding[]): Promise<void> {
  const { epoch } = await shard.claim()
  await shard.commit(turnOf(epoch, adding))
}

/** The first turn of a shard. */
function turnOf(epoch: number, adding: readonly Adding[]): Turn {
  const packer = new RowPacker()
  for (const add of adding) add(packer)
  const head = { epoch, batchId: 'first', from: 0, to: 1, lastSerial: 10, now: startMs }
  return { ...head, rows: packer.bytes }
}

/** Tables, columns, constraints, indexes and views of a schema, without its name. */
async function definitionsIn(url: string, schema: string): Promise<string[]> {
  const found = await query<{ definition: string }>(
    url,
    `SELECT format('%s %s %s %s', c.relname, attname, format_type(atttypid, atttypmod),
       attnotnull) AS definition
     FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid
     WHERE relnamespace = $1::text::regnamespace AND attnum > 0 AND relkind IN ('r', 'v')
     UNION ALL
     SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE connamespace = $1::text::regnamespace
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = $1::text
     UNION ALL SELECT format('%s %s', viewname, definition) FROM pg_views
     WHERE schemaname = $1::text
     UNION ALL SELECT format('%s %s', relname, reloptions) FROM pg_class
     WHERE relnamespace = $1::text::regnamespace AND relkind = 'r'
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = $1::text::regnamespace`,
    [schema],
  )
  return found.map(({ definition }) => definition.replaceAll(`${schema}.`, '')).sort()
}
