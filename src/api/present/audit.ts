// Entries of the audit log as responses show them.

import type { AuditRow } from '../../store/store.ts'
import type { AuditEntry, AuditEntryOfAll, AuditedAction } from '../schemas/audit.ts'
import { timeText } from './time.ts'

export function presentAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: timeText(row.createdAt),
    keyId: row.keyId,
    keyLabel: row.keyLabel,
    // Only routes with such an action are noted.
    action: row.action as AuditedAction,
    targetId: row.targetId,
    reason: row.reason,
    requestId: row.requestId,
    outcome: row.isDone ? 'DONE' : 'UNKNOWN',
  }
}

export function presentAuditEntryOfAll(row: AuditRow): AuditEntryOfAll {
  return { ...presentAuditEntry(row), operatorId: row.operatorId }
}
