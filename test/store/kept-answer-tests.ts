// What a store guarantees for the answers that are kept for an Idempotency-Key.

import assert from 'node:assert/strict'
import type { KeptAttempt, KeptRequest } from '../../src/store/store.ts'
import { startMs } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const dayMs = 24 * 3_600_000

function request(attempt: string, changes: Partial<KeptRequest> = {}): KeptRequest {
  const now = changes.now ?? startMs
  return {
    owner: 'operator-1',
    route: 'POST /api/v1/markets',
    key: 'k',
    attempt,
    fingerprint: 'f',
    recordId: `record-${attempt}`,
    holder: 'process-1',
    isOnlyHolder: false,
    busyUntil: now + 10_000,
    now,
    keptFrom: now - dayMs,
    answersMax: 100,
    bytesMax: 10_000,
    ...changes,
  }
}

const answer = { status: 201, data: '{"id":"é"}' }

export const keptAnswerTests: StoreTests = {
  'a request is begun once, and its answer is kept over a restart': async (fixture) => {
    const { keptAnswers } = fixture.store
    const first = request('a')
    assert.deepEqual(await keptAnswers.begin(first), {
      kind: 'BEGUN',
      recordId: 'record-a',
      isFirst: true,
      begunAt: startMs,
    })
    assert.deepEqual(await keptAnswers.begin(request('b')), { kind: 'BUSY' })
    await keptAnswers.finish(first, answer)
    await fixture.reopen()
    const again = fixture.store.keptAnswers
    assert.deepEqual(await again.begin(request('c')), { kind: 'DONE', ...answer })
    const { owner, route } = first
    const since = { owner, route, since: startMs }
    assert.deepEqual(await again.answersSince(since), [answer.data])
    assert.deepEqual(await again.answersSince({ ...since, since: startMs + 1 }), [])
    const other = request('d', { fingerprint: 'other' })
    assert.deepEqual(await again.begin(other), { kind: 'REUSED' })
    for (const change of [{ owner: 'operator-2' }, { route: 'POST /x' }, { key: 'l' }]) {
      assert.equal((await again.begin(request('e', change))).kind, 'BEGUN')
    }
  },

  'a call that is repeated because its connection was lost begins the request': async (fixture) => {
    const { keptAnswers } = fixture.store
    const first = await keptAnswers.begin(request('a'))
    assert.deepEqual(await keptAnswers.begin(request('a')), first)
  },

  'the request of a dead process is continued, with the id of its record': async (fixture) => {
    const { keptAnswers } = fixture.store
    await keptAnswers.begin(request('a'))
    const restarted = request('b', { holder: 'process-2', isOnlyHolder: true })
    const continued = {
      kind: 'BEGUN',
      recordId: 'record-a',
      isFirst: false,
      begunAt: startMs,
    }
    assert.deepEqual(await keptAnswers.begin(restarted), continued)
    await keptAnswers.finish(request('a'), { status: 200, data: '"late"' })
    await keptAnswers.drop(request('a'))
    const now = startMs + 10_001
    assert.deepEqual(await keptAnswers.begin(request('c', { now })), continued, 'it was silent')
    await keptAnswers.renew(request('c'), now + 60_000)
    const later = { now: now + 30_000 }
    assert.deepEqual(await keptAnswers.begin(request('d', later)), { kind: 'BUSY' })
    await keptAnswers.renew(request('c'), 0)
    assert.deepEqual(await keptAnswers.begin(request('d', later)), continued, 'was given up')
  },

  'a key is free again when nothing was carried out': async (fixture) => {
    const { keptAnswers } = fixture.store
    await keptAnswers.begin(request('a'))
    await keptAnswers.drop(request('a'))
    const { kind } = await keptAnswers.begin(request('b', { fingerprint: 'other' }))
    assert.equal(kind, 'BEGUN')
    await keptAnswers.finish(request('b'), answer)
    await keptAnswers.drop(request('b'))
    const done = await keptAnswers.begin(request('c', { fingerprint: 'other' }))
    assert.equal(done.kind, 'DONE', 'an answer is not dropped')
  },

  'an owner has at most so many answers and bytes, others have their own': async (fixture) => {
    const { keptAnswers } = fixture.store
    const limits = { answersMax: 2, bytesMax: 10_000 }
    const long: KeptAttempt = request('a', { key: 'a' })
    await keptAnswers.begin(request('a', { key: 'a' }))
    await keptAnswers.finish(long, { status: 200, data: JSON.stringify('x'.repeat(9_000)) })
    await keptAnswers.begin(request('b', { key: 'b' }))
    assert.deepEqual(await keptAnswers.begin(request('c', { key: 'c', ...limits })), {
      kind: 'FULL',
    })
    const bytes = { answersMax: 100, bytesMax: 9_000 }
    assert.deepEqual(await keptAnswers.begin(request('c', { key: 'c', ...bytes })), {
      kind: 'FULL',
    })
    const known = await keptAnswers.begin(request('d', { key: 'a', ...limits }))
    assert.equal(known.kind, 'DONE', 'what is kept is still answered')
    const others = request('e', { owner: 'operator-2', key: 'c', ...limits })
    assert.equal((await keptAnswers.begin(others)).kind, 'BEGUN')
  },

  'answers are forgotten after their time, and deleted in slices': async (fixture) => {
    const { keptAnswers } = fixture.store
    for (const key of ['a', 'b', 'c']) {
      await keptAnswers.begin(request(key, { key }))
      await keptAnswers.finish(request(key, { key }), answer)
    }
    const now = startMs + dayMs + 1
    assert.equal((await keptAnswers.begin(request('d', { key: 'a', now }))).kind, 'BEGUN')
    assert.deepEqual(await keptAnswers.prune(now - dayMs, 1), { hasMore: true })
    assert.deepEqual(await keptAnswers.prune(now - dayMs, 2), { hasMore: false })
    const keptFrom = 0
    assert.equal((await keptAnswers.begin(request('e', { key: 'b', keptFrom }))).kind, 'BEGUN')
    const renewed = await keptAnswers.begin(request('f', { key: 'a', now, keptFrom }))
    assert.equal(renewed.kind, 'BUSY', 'newer ones stay')
  },
}
