// The cursors of webhooks. Many move at once, so they are written in one transaction.

import type { WebhookCursor } from '../webhook-cursor-store.ts'
import { numberOf, textOf } from './cells.ts'
import type { Statements } from './connection.ts'

export function allCursors(statements: Statements): WebhookCursor[] {
  const rows = statements.get('SELECT webhook_id, sequence FROM webhook_cursors').all()
  return rows.map((cells) => ({
    webhookId: textOf(cells.webhook_id),
    sequence: numberOf(cells.sequence),
  }))
}

export function putCursors(statements: Statements, cursors: readonly WebhookCursor[]): void {
  const put = statements.get(
    `INSERT INTO webhook_cursors (webhook_id, sequence)
     SELECT id, ? FROM webhooks WHERE id = ?
     ON CONFLICT (webhook_id) DO UPDATE SET sequence = excluded.sequence`,
  )
  for (const { webhookId, sequence } of cursors) put.run(sequence, webhookId)
}

export function deleteCursor(statements: Statements, webhookId: string): void {
  statements.get('DELETE FROM webhook_cursors WHERE webhook_id = ?').run(webhookId)
}
