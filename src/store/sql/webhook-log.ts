// The log of delivery attempts: writes in batches, and reads along the primary key, newest first.

import { assert } from '../../core/assert.ts'
import { eventTypes } from '../../core/words.ts'
import type { PruneRequest } from '../store.ts'
import {
  type AttemptBatch,
  type AttemptPage,
  type AttemptQuery,
  type AttemptRow,
  attemptStatuses,
  attemptsPerWebhookMax,
  type DeliveryState,
  type DeliveryStateQuery,
  type HealthQuery,
  healthMinutes,
  type LogState,
  type LogStateQuery,
  type WebhookHealth,
} from '../webhook-log-store.ts'
import { type Cell, type Cells, numberOf, numberOrNull, textOf, textOrNull } from './cells.ts'
import { oldRows } from './old-rows.ts'
import { all, first, type Reading, type Value } from './reading.ts'

const columns = [
  ...['webhook_id', 'number', 'delivery_id', 'sequence', 'event_type', 'attempt', 'is_redelivery'],
  ...['status', 'http_status', 'error', 'response', 'duration_ms', 'started_at', 'next_at'],
]
/** With PostgreSQL, each statement is a round trip; each number of rows is a statement. */
const rowsPerStatementMax = 32
const placeholders = `(${columns.map(() => '?').join(', ')})`

/** To be run in one transaction. */
export function* addAttempts({ attempts, minutes }: AttemptBatch): Reading<void> {
  for (let at = 0; at < attempts.length; at += rowsPerStatementMax) {
    const rows = attempts.slice(at, at + rowsPerStatementMax)
    yield* all(
      `INSERT INTO webhook_attempts (${columns.join(', ')})
       VALUES ${rows.map(() => placeholders).join(', ')}
       ON CONFLICT (webhook_id, number) DO NOTHING`,
      ...rows.flatMap(valuesOf),
    )
  }
  for (const { webhookId, minute, delivered, failed } of minutes) {
    yield* all(
      `INSERT INTO webhook_minutes (webhook_id, minute, delivered, failed) VALUES (?, ?, ?, ?)
       ON CONFLICT (webhook_id, minute)
       DO UPDATE SET delivered = excluded.delivered, failed = excluded.failed`,
      webhookId,
      minute,
      delivered,
      failed,
    )
    yield* pruneMinutes(webhookId, minute - healthMinutes)
  }
  const last = new Map(attempts.map(({ webhookId, number }) => [webhookId, number]))
  for (const [webhookId, number] of last) {
    yield* pruneUpTo(webhookId, number - attemptsPerWebhookMax)
  }
}

export function* readAttempts(query: AttemptQuery): Reading<AttemptPage> {
  const { webhookId, before, limit } = query
  const found = yield* all(
    `SELECT * FROM webhook_attempts WHERE webhook_id = ? AND number < ?
     ORDER BY number DESC LIMIT ?`,
    webhookId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  )
  return { rows: found.slice(0, limit).map(attemptOf), hasMore: found.length > limit }
}

/** Of every webhook that is named. */
export function* readLogStates({ webhookIds, minute }: LogStateQuery): Reading<LogState[]> {
  const states: LogState[] = []
  for (const webhookId of webhookIds) {
    const last = yield* first(
      'SELECT number FROM webhook_attempts WHERE webhook_id = ? ORDER BY number DESC LIMIT 1',
      webhookId,
    )
    const counts = yield* first(
      'SELECT delivered, failed FROM webhook_minutes WHERE webhook_id = ? AND minute = ?',
      webhookId,
      minute,
    )
    states.push({
      webhookId,
      number: last === undefined ? 0 : numberOf(last.number),
      minute,
      delivered: counts === undefined ? 0 : numberOf(counts.delivered),
      failed: counts === undefined ? 0 : numberOf(counts.failed),
    })
  }
  return states
}

/** Only of webhooks with attempts in that time. */
export function* readHealth({ webhookIds, since }: HealthQuery): Reading<WebhookHealth[]> {
  const rows = yield* all(
    `SELECT webhook_id, CAST(sum(delivered) AS BIGINT) AS delivered,
       CAST(sum(failed) AS BIGINT) AS failed
     FROM webhook_minutes WHERE webhook_id = ANY (?) AND minute >= ? GROUP BY webhook_id`,
    webhookIds,
    since,
  )
  return rows.map((cells) => ({
    webhookId: textOf(cells.webhook_id),
    delivered: numberOf(cells.delivered),
    failed: numberOf(cells.failed),
  }))
}

/**
 * Of every delivery in the log, in order of the events. A redelivery that failed does not change
 * how the delivery itself has ended.
 */
export function* readDeliveryStates(query: DeliveryStateQuery): Reading<DeliveryState[]> {
  const rows = yield* all(
    `SELECT sequence, event_type, status, attempt, next_at, is_redelivery FROM webhook_attempts
     WHERE webhook_id = ? AND sequence > ? ORDER BY number DESC LIMIT ${attemptsPerWebhookMax}`,
    query.webhookId,
    query.after,
  )
  const states = new Map<number, DeliveryState>()
  for (const cells of rows) {
    const state = {
      sequence: numberOf(cells.sequence),
      eventType: eventTypeOf(cells.event_type),
      status: statusOf(cells.status),
      attempt: numberOf(cells.attempt),
      isRedelivery: numberOf(cells.is_redelivery) === 1,
      nextAt: numberOrNull(cells.next_at),
    }
    const later = states.get(state.sequence)
    if (later === undefined || (isWithoutEffect(later) && !isWithoutEffect(state))) {
      states.set(state.sequence, state)
    }
  }
  return [...states.values()].sort((a, b) => a.sequence - b.sequence)
}

function isWithoutEffect({ isRedelivery, status }: DeliveryState): boolean {
  return isRedelivery && status === 'FAILED'
}

/** Deletes old attempts, and those of deleted webhooks. Returns whether there may be more. */
export function* pruneAttempts({ attemptsBefore, atMost }: PruneRequest): Reading<boolean> {
  let left = atMost
  let webhookId = ''
  for (;;) {
    const next = yield* first(
      `SELECT webhook_id FROM webhook_attempts WHERE webhook_id > ?
       ORDER BY webhook_id LIMIT 1`,
      webhookId,
    )
    if (next === undefined) return false
    webhookId = textOf(next.webhook_id)
    const isKnown = (yield* first('SELECT id FROM webhooks WHERE id = ?', webhookId)) !== undefined
    const before = isKnown ? attemptsBefore : Number.MAX_SAFE_INTEGER
    const oldest = yield* all(
      `SELECT number AS at, started_at AS time FROM webhook_attempts WHERE webhook_id = ?
       ORDER BY number LIMIT ?`,
      webhookId,
      left,
    )
    const old = oldRows(oldest, before)
    if (old.last === null) continue
    yield* pruneUpTo(webhookId, old.last)
    if (!isKnown) yield* pruneMinutes(webhookId, Number.MAX_SAFE_INTEGER)
    left -= old.count
    if (left === 0) return true
  }
}

function* pruneUpTo(webhookId: string, number: number): Reading<void> {
  yield* all('DELETE FROM webhook_attempts WHERE webhook_id = ? AND number <= ?', webhookId, number)
}

function* pruneMinutes(webhookId: string, minute: number): Reading<void> {
  yield* all('DELETE FROM webhook_minutes WHERE webhook_id = ? AND minute <= ?', webhookId, minute)
}

function valuesOf(row: AttemptRow): Value[] {
  return [
    ...[row.webhookId, row.number, row.deliveryId, row.sequence, row.eventType, row.attempt],
    ...[row.isRedelivery ? 1 : 0, row.status, row.httpStatus ?? 0, row.error, row.response],
    ...[row.durationMs, row.startedAt, row.nextAt ?? 0],
  ]
}

function attemptOf(cells: Cells): AttemptRow {
  return {
    webhookId: textOf(cells.webhook_id),
    number: numberOf(cells.number),
    deliveryId: textOf(cells.delivery_id),
    sequence: numberOf(cells.sequence),
    eventType: eventTypeOf(cells.event_type),
    attempt: numberOf(cells.attempt),
    isRedelivery: numberOf(cells.is_redelivery) === 1,
    status: statusOf(cells.status),
    httpStatus: numberOrNull(cells.http_status),
    error: textOrNull(cells.error ?? null),
    response: textOrNull(cells.response ?? null),
    durationMs: numberOf(cells.duration_ms),
    startedAt: numberOf(cells.started_at),
    nextAt: numberOrNull(cells.next_at),
  }
}

function eventTypeOf(cell: Cell): AttemptRow['eventType'] {
  return cell === 'PING' ? 'PING' : memberOf(eventTypes, cell)
}

function statusOf(cell: Cell): AttemptRow['status'] {
  return memberOf(attemptStatuses, cell)
}

function memberOf<Word extends string>(words: readonly Word[], cell: Cell): Word {
  const word = words.find((each) => each === cell)
  assert(word !== undefined, 'a stored text is one of its words')
  return word
}
