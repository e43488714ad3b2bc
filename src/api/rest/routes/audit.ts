// Reading the audit log: an operator its own acts, the administrator all of them.

import type { AuditRow, RecordStore } from '../../../store/store.ts'
import { Refusal } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { auditAfterOf, auditCursorOf } from '../../parse/cursor.ts'
import { isUuid } from '../../parse/text.ts'
import { timeOf } from '../../parse/time.ts'
import { presentAuditEntry, presentAuditEntryOfAll } from '../../present/audit.ts'
import {
  AuditEntry,
  AuditEntryOfAll,
  AuditQuery,
  AuditQueryOfAll,
  auditPageSize,
} from '../../schemas/audit.ts'
import { page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

const what =
  'Who has managed or administered what, when and why; orders are not acts of management, except ' +
  'for cancelOrders. Kept for AUDIT_RETENTION_DAYS. Filters combine.'

export function addAudit(routes: Routes, { shards }: Context): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/audit',
      scope: 'read',
      tag: 'Audit log',
      name: 'listAudit',
      summary: 'List acts of management, newest first',
      description: `${what} Shows what your keys did, and what the administrator did for you.`,
      query: AuditQuery,
      answer: page('entries', named(AuditEntry)),
      csv: { field: 'entries', row: AuditEntry },
    },
    async ({ operator, query, reads }) =>
      listEntries({ ...query, operatorId: operator.id }, reads, presentAuditEntry),
  )
  routes.admin(
    {
      method: 'GET',
      path: '/api/v1/admin/audit',
      tag: 'Administration',
      name: 'listAuditOfAll',
      summary: 'List acts of management and administration, newest first',
      description: what,
      query: AuditQueryOfAll,
      answer: page('entries', named(AuditEntryOfAll)),
      csv: { field: 'entries', row: AuditEntryOfAll },
    },
    // All shards share the log.
    async ({ query, readsIn }) =>
      listEntries(query, () => readsIn(shards.of({ shard: 0 })), presentAuditEntryOfAll),
  )
}

async function listEntries(
  query: AuditQuery & { readonly operatorId?: string },
  reads: () => RecordStore,
  present: (row: AuditRow) => AuditEntry,
): Promise<Done | Refusal> {
  const after = auditAfterOf(query.cursor)
  if (after instanceof Refusal) return after
  const entriesOf = (targetId: string | null) =>
    reads().auditEntries({
      operatorId: query.operatorId?.toLowerCase() ?? null,
      keyId: query.keyId?.toLowerCase() ?? null,
      action: query.action ?? null,
      targetId,
      from: timeOf(query.from),
      to: timeOf(query.to),
      after,
      limit: query.limit ?? auditPageSize,
    })
  const { targetId = null } = query
  const asGiven = await entriesOf(targetId)
  // Ids are noted in lower case; that of a player, which may look like one, as the player has it.
  const isOther = targetId !== null && isUuid(targetId) && targetId !== targetId.toLowerCase()
  const isFound = asGiven.total > 0 || !isOther
  const found = isFound ? asGiven : await entriesOf(targetId.toLowerCase())
  const { rows, total, totalIsExact, hasMore } = found
  const last = rows.at(-1)
  const nextCursor = hasMore && last !== undefined ? auditCursorOf(last.id) : null
  return new Done({ entries: rows.map(present), total, totalIsExact, hasMore, nextCursor })
}
