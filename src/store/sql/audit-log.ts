// The statements of the audit log. Each function is to be run in one transaction.

import type { AuditChange, AuditEntry, AuditQuery, AuditRow } from '../audit-store.ts'
import type { Page } from '../record-store.ts'
import { type Cells, numberOf, textOf, textOrNull } from './cells.ts'
import { all, type Reading } from './reading.ts'
import { countUpTo, exactly } from './total.ts'
import { pageOf, Where } from './where.ts'

export function* writeAudit(changes: readonly AuditChange[]): Reading<void> {
  for (const change of changes) {
    if (change.kind === 'NOTE') yield* note(change.entry)
    else if (change.kind === 'DONE') {
      yield* all(
        'UPDATE audit_entries SET is_done = 1, operator_id = ?, target_id = ? WHERE id = ?',
        change.operatorId,
        change.targetId,
        change.id,
      )
    } else yield* all('DELETE FROM audit_entries WHERE id = ? AND is_done = 0', change.id)
  }
}

function* note(entry: AuditEntry): Reading<void> {
  yield* all(
    `INSERT INTO audit_entries (id, created_at, operator_id, key_id, key_label, action, target_id,
       reason, request_id, is_done)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (id) DO NOTHING`,
    entry.id,
    entry.createdAt,
    entry.operatorId,
    entry.keyId,
    entry.keyLabel,
    entry.action,
    entry.targetId,
    entry.reason,
    entry.requestId,
  )
}

export function* readAudit(query: AuditQuery): Reading<Page<AuditRow>> {
  const { after, limit } = query
  const where = filterOf(query).andIfGiven('id < ?', after)
  const rows = yield* all(
    `SELECT * FROM audit_entries WHERE ${where.text} ORDER BY id DESC LIMIT ?`,
    ...where.values,
    limit + 1,
  )
  const { text, values } = filterOf(query)
  const total =
    after === null && rows.length <= limit
      ? exactly(rows.length)
      : yield* countUpTo({ text: `SELECT 1 FROM audit_entries WHERE ${text}`, values })
  return pageOf(rows.map(rowOf), { limit, ...total })
}

export function* pruneAudit(before: number, atMost: number): Reading<{ hasMore: boolean }> {
  const rows = yield* all(
    `DELETE FROM audit_entries WHERE id IN (
       SELECT id FROM audit_entries WHERE id < ? ORDER BY id LIMIT ?)
     RETURNING id`,
    firstIdOf(before),
    atMost,
  )
  return { hasMore: rows.length === atMost }
}

/**
 * The condition with the fewest entries finds them, by its index; the others check what it has
 * found. The database cannot choose: it does not know that a target has few entries and an operator
 * many.
 */
function filterOf({ operatorId, keyId, action, targetId, from, to }: AuditQuery): Where {
  const where = new Where()
    .and('id >= ?', firstIdOf(from ?? 0))
    .andIfGiven('id < ?', to === null ? null : firstIdOf(to))
  if (targetId !== null) {
    return where
      .and('target_id = ?', targetId)
      .andIfGiven(checked('operator_id'), operatorId)
      .andIfGiven(checked('key_id'), keyId)
      .andIfGiven(checked('action'), action)
  }
  if (keyId !== null) {
    return where
      .and('key_id = ?', keyId)
      .andIfGiven('action = ?', action)
      .andIfGiven(checked('operator_id'), operatorId)
  }
  return where.andIfGiven('operator_id = ?', operatorId).andIfGiven('action = ?', action)
}

/** A condition for which no index is used. */
function checked(column: string): string {
  return `${column} || '' = ?`
}

/** The ids of this time, and only they and later ones, come after it. */
function firstIdOf(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

function rowOf(cells: Cells): AuditRow {
  return {
    id: textOf(cells.id),
    createdAt: numberOf(cells.created_at),
    operatorId: textOrNull(cells.operator_id),
    keyId: textOrNull(cells.key_id),
    keyLabel: textOrNull(cells.key_label),
    action: textOf(cells.action),
    targetId: textOrNull(cells.target_id),
    reason: textOrNull(cells.reason),
    requestId: textOf(cells.request_id),
    isDone: numberOf(cells.is_done) === 1,
  }
}
