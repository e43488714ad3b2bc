// The audit log before and after acts, over a store that can fail.

import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { newUuid } from '../../registry/uuid.ts'
import {
  type AuditChange,
  type AuditEntry,
  type AuditStore,
  StoreUnavailable,
} from '../../store/store.ts'
import { type ErrorCode, Refusal } from '../errors.ts'
import { Done, type RouteAnswer } from '../http/response.ts'
import { type Act, AuditLog, reasonMax, waitingMax } from './audit-log.ts'

const startedAt = Date.UTC(2026, 0, 1)
const dayMs = 24 * 3_600_000

const act: Act = {
  operatorId: 'o',
  keyId: 'k',
  keyLabel: 'label',
  action: 'openMarket',
  targetId: null,
  reason: null,
  requestId: 'r',
  concernedOf: ({ kept }) => ({ operatorId: 'o', targetId: String(kept) }),
}

/** Keeps each write; `fails` decides which of them fail. */
class Written implements AuditStore {
  readonly batches: (readonly AuditChange[])[] = []
  readonly prunes: { readonly before: number; readonly atMost: number }[] = []
  fails: (changes: readonly AuditChange[]) => boolean = () => false
  hasMore = false
  until: Promise<void> = Promise.resolve()

  async write(changes: readonly AuditChange[]): Promise<void> {
    this.batches.push(changes)
    await this.until
    if (this.fails(changes)) throw new Error('the disk has failed')
  }

  async prune(before: number, atMost: number) {
    this.prunes.push({ before, atMost })
    return { hasMore: this.hasMore }
  }

  get noted(): AuditEntry[] {
    return this.batches.flat().flatMap((change) => (change.kind === 'NOTE' ? [change.entry] : []))
  }

  get kinds(): string[] {
    return this.batches.flat().map(({ kind }) => kind)
  }
}

function open(t: TestContext, store: Written, now = () => startedAt) {
  const reported: string[] = []
  const log = new AuditLog({
    store,
    retentionMs: 400 * dayMs,
    now,
    newId: newUuid,
    reportFailure: (_edge, message) => reported.push(message),
  })
  t.after(() => log.close())
  return { log, reported }
}

const refusal = (code: ErrorCode) => new Refusal(code, 'no')

suite('the audit log', () => {
  test('notes an act before it is carried out, and marks it before it is answered', async (t) => {
    const store = new Written()
    const { log } = open(t, store)
    const answer = await log.carryOut(act, async () => {
      assert.deepEqual(store.kinds, ['NOTE'])
      return new Done('m')
    })
    assert.ok(answer instanceof Done)
    const [note, done] = store.batches.flat()
    assert.ok(note?.kind === 'NOTE' && done?.kind === 'DONE')
    const { concernedOf, ...noted } = act
    assert.deepEqual(note.entry, { ...noted, id: done.id, createdAt: startedAt })
    assert.deepEqual([done.operatorId, done.targetId], ['o', 'm'])
  })

  test('answers an act only when its mark is stored', async (t) => {
    const store = new Written()
    const { log } = open(t, store)
    const stored = Promise.withResolvers<void>()
    const order: string[] = []
    const answered = log
      .carryOut(act, async () => {
        store.until = stored.promise.then(() => void order.push('stored'))
        return new Done('m')
      })
      .then(() => order.push('answered'))
    await new Promise((resolve) => setImmediate(resolve))
    stored.resolve()
    await answered
    assert.deepEqual(
      [order, store.kinds],
      [
        ['stored', 'answered'],
        ['NOTE', 'DONE'],
      ],
    )
  })

  test('forgets an act that was refused, unless it may have been carried out', async (t) => {
    const outcomes: [ErrorCode, string[]][] = [
      ['MARKET_NOT_FOUND', ['NOTE', 'REMOVE']],
      ['UNAVAILABLE', ['NOTE', 'REMOVE']],
      ['COMMIT_UNKNOWN', ['NOTE']],
      ['INTERNAL_ERROR', ['NOTE']],
    ]
    for (const [code, expected] of outcomes) {
      const store = new Written()
      const { log } = open(t, store)
      await log.carryOut(act, async () => refusal(code))
      assert.deepEqual(store.kinds, expected, code)
    }
    const thrown: [Error, string[]][] = [
      [new StoreUnavailable('closed'), ['NOTE', 'REMOVE']],
      [new Error('a bug'), ['NOTE']],
    ]
    for (const [error, expected] of thrown) {
      const store = new Written()
      const { log } = open(t, store)
      await assert.rejects(
        log.carryOut(act, () => Promise.reject(error)),
        error,
      )
      assert.deepEqual(store.kinds, expected, error.message)
    }
  })

  test('an act that cannot be noted is not carried out', async (t) => {
    const store = new Written()
    const { log } = open(t, store)
    store.fails = ([change]) => change?.kind === 'NOTE'
    const run = t.mock.fn(async (): Promise<RouteAnswer> => new Done('m'))
    await assert.rejects(log.carryOut(act, run), { name: 'StoreUnavailable' })
    assert.equal(run.mock.callCount(), 0)
    assert.deepEqual(store.kinds, ['NOTE', 'REMOVE'], 'it may be stored')
  })

  test('an act that cannot be marked is answered, and the failure reported', async (t) => {
    const store = new Written()
    const { log, reported } = open(t, store)
    store.fails = ([change]) => change?.kind !== 'NOTE'
    assert.ok((await log.carryOut(act, async () => new Done('m'))) instanceof Done)
    const answer = await log.carryOut(act, async () => refusal('MARKET_NOT_FOUND'))
    assert.ok(answer instanceof Refusal)
    assert.deepEqual(reported, ['audit entry not completed', 'audit entry not completed'])
  })

  test('writes what comes meanwhile together, up to a limit', async (t) => {
    const store = new Written()
    const { log } = open(t, store)
    const gate = Promise.withResolvers<void>()
    store.until = gate.promise
    const run = async () => new Done('m')
    const carriedOut = Array.from({ length: 301 }, () => log.carryOut(act, run))
    gate.resolve()
    await Promise.all(carriedOut)
    assert.deepEqual(
      store.batches.slice(0, 2).map(({ length }) => length),
      [1, 200],
    )
    assert.equal(store.batches.flat().length, 602)
    const ids = store.noted.map(({ id }) => id)
    assert.deepEqual([...ids].sort(), ids, 'in order, also within a millisecond')
    assert.equal(new Set(ids).size, 301)
  })

  test('keeps every time in the ids of its acts', async (t) => {
    const store = new Written()
    const times = Array.from({ length: 16 }, (_, digit) => startedAt + digit * 0x1000)
    const left = [...times]
    const { log } = open(t, store, () => left.shift() ?? startedAt)
    for (const _ of times) await log.carryOut(act, async () => new Done('m'))
    const timesOfIds = store.noted.map(({ id }) =>
      Number.parseInt(id.replace('-', '').slice(0, 12), 16),
    )
    assert.deepEqual(timesOfIds, times)
  })

  test('keeps the order of the acts when the time is set back', async (t) => {
    const store = new Written()
    const times = [5, 2, 2, 6].map((ms) => startedAt + ms)
    const { log } = open(t, store, () => times.shift() ?? startedAt)
    for (let count = 0; count < 5; count += 1) await log.carryOut(act, async () => new Done('m'))
    const ids = store.noted.map(({ id }) => id)
    assert.deepEqual([...ids].sort(), ids)
    const createdAt = store.noted.map((entry) => entry.createdAt - startedAt)
    assert.deepEqual(createdAt, [5, 5, 5, 6, 6])
  })

  test('refuses an act while too many wait', async (t) => {
    const store = new Written()
    const { log } = open(t, store)
    const gate = Promise.withResolvers<void>()
    store.until = gate.promise
    const run = async () => new Done('m')
    const waiting = Array.from({ length: waitingMax + 1 }, () => log.carryOut(act, run))
    await assert.rejects(log.carryOut(act, run), { name: 'StoreUnavailable' })
    gate.resolve()
    await Promise.all(waiting)
  })

  test('shortens a long reason', async (t) => {
    const store = new Written()
    const { log } = open(t, store)
    const longest = ['x'.repeat(reasonMax), `x${'\u{1f600}'.repeat(reasonMax - 1)}`]
    for (const reason of longest) {
      await log.carryOut({ ...act, reason }, async () => new Done('m'))
      assert.equal(store.noted.at(-1)?.reason, reason)
      await log.carryOut({ ...act, reason: `${reason}y` }, async () => new Done('m'))
      assert.equal(store.noted.at(-1)?.reason, reason)
    }
  })

  test('deletes what is too old in steps, and again every hour', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const store = new Written()
    open(t, store)
    const steps = async (ms: number) => {
      t.mock.timers.tick(ms)
      await new Promise((resolve) => setImmediate(resolve))
      return store.prunes.length
    }
    assert.equal(await steps(9_999), 0)
    store.hasMore = true
    assert.equal(await steps(1), 1)
    assert.equal(await steps(1_000), 2)
    store.hasMore = false
    assert.equal(await steps(1_000), 3)
    assert.equal(await steps(3_599_999), 3)
    assert.equal(await steps(1), 4)
    const step = { before: startedAt - 400 * dayMs, atMost: 500 }
    assert.deepEqual(store.prunes, [step, step, step, step])
  })
})
