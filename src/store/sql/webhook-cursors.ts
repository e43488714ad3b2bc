// The cursors of webhooks. Several are written in one transaction.

import type { WebhookCursor } from '../webhook-cursor-store.ts'
import { numberOf, textOf } from './cells.ts'
import { all, type Reading } from './reading.ts'

export function* allCursors(): Reading<WebhookCursor[]> {
  const rows = yield* all(
    'SELECT webhook_id, event_sequence FROM webhook_cursors ORDER BY webhook_id',
  )
  return rows.map((cells) => ({
    webhookId: textOf(cells.webhook_id),
    eventSequence: numberOf(cells.event_sequence),
  }))
}

export function* putCursors(cursors: readonly WebhookCursor[]): Reading<void> {
  for (const { webhookId, eventSequence } of cursors) {
    yield* all(
      `INSERT INTO webhook_cursors (webhook_id, event_sequence)
       SELECT id, CAST(? AS BIGINT) FROM webhooks WHERE id = ?
       ON CONFLICT (webhook_id) DO UPDATE SET event_sequence = excluded.event_sequence`,
      eventSequence,
      webhookId,
    )
  }
}

export function* deleteCursor(webhookId: string): Reading<void> {
  yield* all('DELETE FROM webhook_cursors WHERE webhook_id = ?', webhookId)
}
