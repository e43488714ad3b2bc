// Services race for the lease of a shard with the real statements: exactly one wins each time.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { presentEngineVersion } from '../../src/store/engine-version.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { until } from '../support/http/answers.ts'
import { onlyShard } from '../support/store/only-shard.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('races for the lease of a shard', quick)
const races = Number(process.env.CLAIM_RACES ?? 200)
const racers = 4

if (server !== null) {
  after(() => server.stop())

  const nodesOn = async (t: TestContext, url: string, versions: readonly number[]) => {
    const opened = versions.map(async (engineVersion) => {
      const folder = mkdtempSync(join(tmpdir(), 'outcry-race-'))
      const onLost = () => undefined
      const store = await openPostgresStore({ url, folder, isNode: true, engineVersion, onLost })
      t.after(async () => {
        await store.close()
        rmSync(folder, { recursive: true })
      })
      return onlyShard(store)
    })
    return Promise.all(opened)
  }
  const epochIn = async (url: string) => {
    const rows = await query<{ epoch: string }>(url, 'SELECT epoch FROM outcry_shard_0.head')
    return Number(rows[0]?.epoch)
  }

  test(`one of ${racers} services that race for a shard wins, ${races} times`, async (t) => {
    const { url } = await server.newDatabase()
    const shards = await nodesOn(t, url, new Array<number>(racers).fill(presentEngineVersion))
    const wins = new Array<number>(racers).fill(0)
    const before = await epochIn(url)
    for (let race = 1; race <= races; race += 1) {
      const acquired = await Promise.all(shards.map((shard) => shard.acquire()))
      const winners = acquired.flatMap((isAcquired, at) => (isAcquired ? [at] : []))
      assert.equal(winners.length, 1, `race ${race} has the winners ${winners.join(', ')}`)
      wins[winners[0]!]! += 1
      await shards[winners[0]!]!.release(null)
    }
    assert.equal((await epochIn(url)) - before, races)
    t.diagnostic(`wins: ${wins.join(', ')}`)
    assert.ok(wins.filter((count) => count > 0).length > 1, 'one service has won every race')
  })

  // Every lease has ended as soon as it is written, as if nobody looked at it.
  test('the race detects a claim that does not respect the lease', async (t) => {
    const { url } = await server.newDatabase()
    const shards = await nodesOn(t, url, new Array<number>(racers).fill(presentEngineVersion))
    await query(
      url,
      `CREATE FUNCTION end_lease() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN NEW.lease_until := '-infinity'; RETURN NEW; END $$`,
    )
    await query(
      url,
      `CREATE TRIGGER end_lease BEFORE UPDATE ON outcry_shard_0.head
       FOR EACH ROW EXECUTE FUNCTION end_lease()`,
    )
    const acquired = await Promise.all(shards.map((shard) => shard.acquire()))
    assert.deepEqual(acquired, new Array<boolean>(racers).fill(true))
  })

  test('a successor that is named acquires a released shard before any other', async (t) => {
    const { url } = await server.newDatabase()
    const version = presentEngineVersion
    const [first, second, third] = await nodesOn(t, url, [version, version, version])
    assert.equal(await first!.acquire(), true)
    const secondOwner = async () => {
      await first!.release(await idOfSecond())
      const [other, named] = await Promise.all([third!.acquire(), second!.acquire()])
      return { other, named }
    }
    const idOfSecond = async () => {
      await first!.release(null)
      assert.equal(await second!.acquire(), true)
      const rows = await query<{ owner: string }>(url, 'SELECT owner FROM outcry_shard_0.head')
      await second!.release(null)
      assert.equal(await first!.acquire(), true)
      return rows[0]!.owner.split(' ')[1]!
    }
    assert.deepEqual(await secondOwner(), { other: false, named: true })
  })

  test('a shard whose successor does not come is free for all after half a second', async (t) => {
    const { url } = await server.newDatabase()
    const version = presentEngineVersion
    const [first, second] = await nodesOn(t, url, [version, version])
    assert.equal(await first!.acquire(), true)
    await first!.release('00000000-0000-4000-8000-000000000000')
    assert.equal(await second!.acquire(), false)
    const isAcquired = await until(
      () => second!.acquire(),
      (is) => is,
    )
    assert.equal(isAcquired, true)
  })

  test('a former owner that releases a shard leaves the lease of the next one', async (t) => {
    const { url } = await server.newDatabase()
    const version = presentEngineVersion
    const [first, second, third] = await nodesOn(t, url, [version, version, version])
    assert.equal(await first!.acquire(), true)
    await query(url, `UPDATE outcry_shard_0.head SET lease_until = '-infinity'`)
    assert.equal(await second!.acquire(), true)
    await first!.release(null)
    assert.equal(await third!.acquire(), false)
  })

  test('an older engine never acquires what a newer one has written', async (t) => {
    const { url } = await server.newDatabase()
    const newer = presentEngineVersion + 1
    // The older one joins before the newer one has written.
    const [older, same] = await nodesOn(t, url, [presentEngineVersion, presentEngineVersion])
    assert.equal(await older!.acquire(), true)
    await older!.release(null)
    const [upgraded] = await nodesOn(t, url, [newer])
    assert.equal(await upgraded!.acquire(), true)
    await upgraded!.release(null)
    assert.equal(await older!.acquire(), false)
    assert.equal(await same!.acquire(), false)
    await query(url, `UPDATE outcry_shard_0.head SET lease_until = '-infinity', successor = NULL`)
    assert.equal(await older!.acquire(), false)
    assert.equal(await upgraded!.acquire(), true)
    // A service that starts now does not even join.
    await assert.rejects(nodesOn(t, url, [presentEngineVersion]), {
      message: 'The database was written by a newer version of Outcry; start that version.',
    })
  })
}
