// The statements of kept answers. Each function is to be run in one transaction.

import type {
  KeptAnswer,
  KeptAttempt,
  KeptKey,
  KeptRequest,
  KeptSince,
  KeptState,
} from '../kept-answer-store.ts'
import { type Cells, numberOf, textOf } from './cells.ts'
import { all, first, type Reading } from './reading.ts'

export function* beginKept(request: KeptRequest): Reading<KeptState> {
  const { owner, route, key } = request
  yield* all(
    `DELETE FROM kept_answers
     WHERE owner = ? AND route = ? AND request_key = ? AND created_at < ?`,
    owner,
    route,
    key,
    request.keptFrom,
  )
  const known = yield* readKept(request)
  if (known !== undefined) return yield* stateOf(known, request)
  if (yield* isFull(request)) return { kind: 'FULL' }
  const added = yield* first(
    `INSERT INTO kept_answers (owner, route, request_key, fingerprint, record_id, holder, attempt,
       busy_until, status, bytes, data, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, '', ?)
     ON CONFLICT (owner, route, request_key) DO NOTHING
     RETURNING record_id`,
    owner,
    route,
    key,
    request.fingerprint,
    request.recordId,
    request.holder,
    request.attempt,
    request.busyUntil,
    bytesOf(request),
    request.now,
  )
  if (added !== undefined) {
    const { recordId, now: begunAt } = request
    return { kind: 'BEGUN', recordId, isFirst: true, begunAt }
  }
  // Another node has added it meanwhile.
  const other = yield* readKept(request)
  return other === undefined ? { kind: 'BUSY' } : yield* stateOf(other, request)
}

export function* renewKept(attempt: KeptAttempt, busyUntil: number): Reading<void> {
  yield* all(
    `UPDATE kept_answers SET busy_until = ?
     WHERE owner = ? AND route = ? AND request_key = ? AND attempt = ? AND status = 0`,
    busyUntil,
    ...valuesOf(attempt),
  )
}

export function* finishKept(attempt: KeptAttempt, { status, data }: KeptAnswer): Reading<void> {
  yield* all(
    `UPDATE kept_answers SET status = ?, data = ?, bytes = ?
     WHERE owner = ? AND route = ? AND request_key = ? AND attempt = ?`,
    status,
    data,
    bytesOf(attempt) + Buffer.byteLength(data),
    ...valuesOf(attempt),
  )
}

export function* dropKept(attempt: KeptAttempt): Reading<void> {
  yield* all(
    `DELETE FROM kept_answers
     WHERE owner = ? AND route = ? AND request_key = ? AND attempt = ? AND status = 0`,
    ...valuesOf(attempt),
  )
}

const answersSinceMax = 1_000

export function* keptSince({ owner, route, since }: KeptSince): Reading<readonly string[]> {
  const rows = yield* all(
    `SELECT data FROM kept_answers
     WHERE owner = ? AND route = ? AND created_at >= ? AND status > 0
     ORDER BY created_at DESC LIMIT ${answersSinceMax}`,
    owner,
    route,
    since,
  )
  return rows.map(({ data }) => textOf(data))
}

export function* pruneKept(before: number, atMost: number): Reading<{ hasMore: boolean }> {
  const rows = yield* all(
    `SELECT owner, route, request_key FROM kept_answers WHERE created_at < ?
     ORDER BY created_at LIMIT ${Math.floor(atMost)}`,
    before,
  )
  for (const row of rows) {
    yield* all(
      `DELETE FROM kept_answers
       WHERE owner = ? AND route = ? AND request_key = ? AND created_at < ?`,
      textOf(row.owner),
      textOf(row.route),
      textOf(row.request_key),
      before,
    )
  }
  return { hasMore: rows.length === atMost }
}

function* readKept({ owner, route, key }: KeptKey): Reading<Cells | undefined> {
  return yield* first(
    `SELECT fingerprint, record_id, holder, attempt, busy_until, status, data, created_at
     FROM kept_answers
     WHERE owner = ? AND route = ? AND request_key = ?`,
    owner,
    route,
    key,
  )
}

function* stateOf(row: Cells, request: KeptRequest): Reading<KeptState> {
  if (textOf(row.fingerprint) !== request.fingerprint) return { kind: 'REUSED' }
  const status = numberOf(row.status)
  if (status !== 0) return { kind: 'DONE', status, data: textOf(row.data) }
  const begun = {
    kind: 'BEGUN',
    recordId: textOf(row.record_id),
    begunAt: numberOf(row.created_at),
  } as const
  // Added by this call, before its connection was lost.
  if (row.attempt === request.attempt) return { ...begun, isFirst: true }
  const isOfOther = request.isOnlyHolder && row.holder !== request.holder
  if (!isOfOther && numberOf(row.busy_until) > request.now) return { kind: 'BUSY' }
  const taken = yield* first(
    `UPDATE kept_answers SET attempt = ?, holder = ?, busy_until = ?
     WHERE owner = ? AND route = ? AND request_key = ? AND attempt = ? AND status = 0
     RETURNING record_id`,
    request.attempt,
    request.holder,
    request.busyUntil,
    request.owner,
    request.route,
    request.key,
    textOf(row.attempt),
  )
  return taken === undefined ? { kind: 'BUSY' } : { ...begun, isFirst: false }
}

function* isFull({ owner, answersMax, bytesMax }: KeptRequest): Reading<boolean> {
  const sums = yield* first(
    `SELECT count(*) AS answers, CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes
     FROM kept_answers WHERE owner = ?`,
    owner,
  )
  const answers = numberOf(sums?.answers ?? 0)
  return answers >= answersMax || numberOf(sums?.bytes ?? 0) >= bytesMax
}

function valuesOf({ owner, route, key, attempt }: KeptAttempt) {
  return [owner, route, key, attempt] as const
}

function bytesOf({ route, key }: KeptKey): number {
  return Buffer.byteLength(route) + Buffer.byteLength(key)
}
