// The thread that commits turns to PostgreSQL: what the main thread may conclude from a late
// answer, from none, and from the end of the thread.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import pg from 'pg'
import { openWriter } from '../../src/store/postgres/connection.ts'
import { leaseTimes } from '../../src/store/postgres/lease.ts'
import { LeaseHolder } from '../../src/store/postgres/lease-holder.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { WriteConnection } from '../../src/store/postgres/write-connection.ts'
import {
  type CommitFailure,
  RowPacker,
  type ShardHead,
  type ShardStore,
  type Turn,
} from '../../src/store/store.ts'
import { until } from '../support/http/answers.ts'
import { TcpProxy } from '../support/process/tcp-proxy.ts'
import { endsAfter, endsBefore } from '../support/store/ending-writer.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'
import { plainMarket, rows, startMs } from './sample-rows.ts'
import { failureOf } from './store-fixture.ts'

const server = await postgresOrNot('the thread that commits turns to PostgreSQL', quick)

/** Nothing but turns and claims renews it during a test. */
const leaseMs = 600_000
const writerProgram = new URL('../support/store/ending-writer-thread.ts', import.meta.url)

if (server !== null) {
  after(() => server.stop())

  const opened = async (t: TestContext, url: string, shardCount = 1) => {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-store-'))
    const onLost = (_shard: number, cause: Error) => assert.fail(cause)
    const store = await openPostgresStore({
      url,
      folder,
      shardCount,
      leaseMs,
      onLost,
      writerProgram,
    })
    t.after(async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    })
    return store.shards
  }

  for (const [what, work] of [
    ['a turn', (shard: ShardStore, head: ShardHead) => shard.commit(orderAfter(head))],
    ['a claim', (shard: ShardStore) => shard.claim()],
  ] as const) {
    test(`${what} renews the lease from when it was sent, not from its answer`, async (t) => {
      const { url } = await server.newDatabase()
      const [shard] = await opened(t, url)
      const head = await firstTurn(shard!)
      const blocker = new pg.Client(url)
      await blocker.connect()
      t.after(() => blocker.end())
      await blocker.query('BEGIN; SELECT 1 FROM outcry_shard_0.head FOR UPDATE')
      const before = shard!.ownedUntil()
      const working = work(shard!, head)
      const sentBy = performance.now()
      await waitsForLock(url)
      assert.equal(shard!.ownedUntil(), before, 'renewed before the answer')
      await blocker.query('COMMIT')
      await working
      assert.ok(shard!.ownedUntil() > before, 'not renewed')
      const { reliedOnMs } = leaseTimes(leaseMs)
      const lateMs = shard!.ownedUntil() - reliedOnMs - sentBy
      assert.ok(lateMs <= 0, `counted from ${lateMs} ms after it was sent`)
    })
  }

  const renewing = (url: string, owner: string, more: { onLost?: () => void } = {}) => {
    const shard = { shard: 0, schema: 'outcry_shard_0', home: 'public' }
    return new LeaseHolder({
      connection: new WriteConnection(url, shard),
      shard,
      owner,
      lease: { ...leaseTimes(leaseMs), renewEveryMs: 500 },
      onLost: (cause) => assert.fail(cause),
      renewedAt: () => Number.NEGATIVE_INFINITY,
      ...more,
    })
  }
  const headOf = async (url: string) => {
    const text = 'SELECT owner, lease_until::text AS until FROM outcry_shard_0.head'
    return (await query<{ owner: string; until: string }>(url, text))[0]!
  }

  test('the timer renews the lease from when it was sent, not from its answer', async (t) => {
    const { url } = await server.newDatabase()
    await opened(t, url)
    const { owner } = await headOf(url)
    const blocker = new pg.Client(url)
    await blocker.connect()
    t.after(() => blocker.end())
    await blocker.query('BEGIN; SELECT 1 FROM outcry_shard_0.head FOR UPDATE')
    const holder = renewing(url, owner)
    t.after(() => holder.close())
    await waitsForLock(url)
    const sentBy = performance.now()
    await blocker.query('COMMIT')
    const renewedAt = await until(
      async () => holder.renewedAt,
      (at) => at > 0,
    )
    assert.ok(renewedAt > 0 && renewedAt <= sentBy, `counted from ${renewedAt - sentBy} ms later`)
  })

  test('the timer finds that another service owns the shard, and leaves its lease', async (t) => {
    const { url } = await server.newDatabase()
    await opened(t, url)
    const before = await headOf(url)
    const lost = Promise.withResolvers<string>()
    const late = setTimeout(() => lost.resolve('not noticed'), 5_000)
    const holder = renewing(url, 'former owner', { onLost: () => lost.resolve('lost') })
    assert.equal(await lost.promise, 'lost')
    clearTimeout(late)
    await holder.close()
    assert.deepEqual(await headOf(url), before)
  })

  test('the outcome of a turn is unknown if its answer is lost; a claim shows it', async (t) => {
    const { url } = await server.newDatabase()
    const proxy = await TcpProxy.open(url)
    t.after(() => proxy.close())
    const proxied = new URL(url)
    proxied.port = String(proxy.port)
    const [shard] = await opened(t, proxied.href)
    const head = await firstTurn(shard!)
    const turn = { ...orderAfter(head), batchId: 'the answer is lost' }
    proxy.loseAnswerTo(turn.batchId)
    // The second turn is sent before the outcome of the first one is known.
    const sent = [turn, orderAfter({ ...head, commandSequence: turn.to })]
    const failures = await Promise.all(sent.map((each) => failureOf(shard!.commit(each))))
    assert.deepEqual(
      failures.map(({ outcome }) => outcome),
      ['unknown', 'aborted'],
    )
    assert.equal(proxy.lost, 1)
    assert.equal((await shard!.claim()).batchId, turn.batchId)
  })

  test('a commit waits for the disk, whatever the server is set to', async (t) => {
    const { url } = await server.newDatabase()
    const [{ name } = { name: '' }] = await query<{ name: string }>(
      url,
      'SELECT current_database() AS name',
    )
    await query(url, `ALTER DATABASE "${name}" SET synchronous_commit = off`)
    const writer = await openWriter(url, null)
    t.after(() => writer.end())
    const { rows: shown } = await writer.query('SHOW synchronous_commit')
    assert.deepEqual(shown, [{ synchronous_commit: 'on' }])
  })

  test('the outcome of a turn is unknown if the server did not wait for its standby', async (t) => {
    const { url } = await server.newDatabase()
    const [shard] = await opened(t, url)
    let head = await firstTurn(shard!)
    const setStandby = async (names: string) => {
      await query(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
      await query(url, 'SELECT pg_reload_conf()')
    }
    await setStandby('nobody')
    try {
      // The server has read its settings when a commit waits.
      for (let isWaiting = false; !isWaiting; ) {
        const turn = orderAfter(head)
        const committed = shard!.commit(turn).then(
          () => new Promise<null>((resolve) => setTimeout(resolve, 20, null)),
          (failure: CommitFailure) => failure,
        )
        head = { ...head, commandSequence: turn.to, batchId: turn.batchId }
        const waiting = await Promise.race([committed, waitsForStandby(url)])
        isWaiting = typeof waiting === 'number'
        if (!isWaiting) continue
        await query(url, 'SELECT pg_cancel_backend($1)', [waiting])
        assert.equal((await committed)?.outcome, 'unknown')
      }
    } finally {
      await setStandby('')
    }
    assert.equal((await shard!.claim()).batchId, head.batchId)
  })

  test('a turn is not stored after records that its owner does not know', async (t) => {
    const { url } = await server.newDatabase()
    const [shard] = await opened(t, url)
    const head = await firstTurn(shard!)
    await query(url, `UPDATE outcry_shard_0.head SET hash = sha256('other records')`)
    assert.equal((await failureOf(shard!.commit(orderAfter(head)))).outcome, 'aborted')
    assert.equal((await shard!.claim()).commandSequence, head.commandSequence)
  })

  for (const [text, isStored] of [
    [endsBefore, false],
    [endsAfter, true],
  ] as const) {
    test(`the outcome of a turn is unknown if the thread ${text}`, async (t) => {
      const { url } = await server.newDatabase()
      const [shard] = await opened(t, url)
      const head = await firstTurn(shard!)
      const turn = orderAfter(head, text)
      const sent = [turn, orderAfter({ ...head, commandSequence: turn.to })]
      const failures = await Promise.all(sent.map((each) => failureOf(shard!.commit(each))))
      assert.deepEqual(
        failures.map(({ outcome }) => outcome),
        ['unknown', 'unknown'],
      )
      // Until the shard is claimed again, nothing is sent.
      assert.equal((await failureOf(shard!.commit(orderAfter(head)))).outcome, 'aborted')
      const claimed = await shard!.claim()
      assert.equal(claimed.batchId, isStored ? turn.batchId : head.batchId)
      await shard!.commit(orderAfter(claimed))
    })
  }

  test('the end of the thread aborts the next turn of every other shard', async (t) => {
    const { url } = await server.newDatabase()
    const [one, other] = await opened(t, url, 2)
    const heads = [await firstTurn(one!), await firstTurn(other!)] as const
    const failed = await failureOf(one!.commit(orderAfter(heads[0], endsAfter)))
    assert.equal(failed.outcome, 'unknown')
    await one!.claim()
    // The thread runs again, but the other shard is not claimed in it.
    const failure = await failureOf(other!.commit(orderAfter(heads[1])))
    assert.equal(failure.outcome, 'aborted')
    const claimed = await other!.claim()
    assert.equal(claimed.batchId, heads[1].batchId)
    await other!.commit(orderAfter(claimed))
  })
}

/** Claims a shard and stores a market in it. Returns the head after that. */
async function firstTurn(shard: ShardStore): Promise<ShardHead> {
  const head = await shard.claim()
  const turn = turnOf(head, plainMarket)
  await shard.commit(turn)
  return { ...head, commandSequence: turn.to, batchId: turn.batchId }
}

/** A turn with an order of its own, after that head. */
function orderAfter(head: ShardHead, transactionId: string | null = null): Turn {
  return turnOf(head, [rows.newOrder({ serial: 10 + head.commandSequence, transactionId })])
}

function turnOf({ epoch, commandSequence: from }: ShardHead, adding: typeof plainMarket): Turn {
  const packer = new RowPacker()
  for (const add of adding) add(packer)
  const batchId = `batch-${from}`
  return { epoch, batchId, from, to: from + 1, lastSerial: 99, now: startMs, rows: packer.bytes }
}

async function waitsForLock(url: string): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  const found = await until(
    () => query(url, waiting),
    (sessions) => sessions.length === 1,
  )
  assert.equal(found.length, 1, 'sessions that wait for a lock')
}

/** The backend that waits. */
async function waitsForStandby(url: string): Promise<number | undefined> {
  const found = await until(
    () =>
      query<{ pid: number }>(url, `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`),
    (backends) => backends.length === 1,
    500,
  )
  return found[0]?.pid
}
