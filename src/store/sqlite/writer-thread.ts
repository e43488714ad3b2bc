// The thread that writes the tables.

import { workerData } from 'node:worker_threads'
import type { Item, TableName } from '../sql/registry-tables.ts'
import type {
  AttemptBatch,
  AuditChange,
  KeptAnswer,
  KeptAttempt,
  KeptRequest,
  KeptSince,
  KeyUse,
  PruneRequest,
  WebhookCursor,
} from '../store.ts'
import { serve } from '../thread.ts'
import { DerivedProgress, type ProgressCells } from './derived-progress.ts'
import { meaningOf } from './failures.ts'
import type { StartOptions } from './start.ts'
import { Writer } from './writer.ts'

export type WriterThreadData = { readonly start: StartOptions; readonly progress: ProgressCells }

const { start, progress }: WriterThreadData = workerData
const writer = new Writer(start, new DerivedProgress(progress))

const calls = {
  claim: (_: null) => writer.claim(),
  derive: (to: number) => writer.derive(to),
  reserveSpace: (_: null) => writer.reserveSpace(),
  prune: (request: PruneRequest) => writer.prune(request),
  put: ({ table, item }: { table: TableName; item: Item }) => writer.put(table, item),
  delete: ({ table, id }: { table: TableName; id: string }) => writer.delete(table, id),
  addOperator: ({ operator, key }: { operator: Item; key: Item }) =>
    writer.addOperator(operator, key),
  putCursors: (cursors: readonly WebhookCursor[]) => writer.putCursors(cursors),
  deleteCursor: (webhookId: string) => writer.deleteCursor(webhookId),
  beginKept: (request: KeptRequest) => writer.beginKept(request),
  renewKept: ({ attempt, busyUntil }: { attempt: KeptAttempt; busyUntil: number }) =>
    writer.renewKept(attempt, busyUntil),
  finishKept: ({ attempt, answer }: { attempt: KeptAttempt; answer: KeptAnswer }) =>
    writer.finishKept(attempt, answer),
  dropKept: (attempt: KeptAttempt) => writer.dropKept(attempt),
  keptSince: (requests: KeptSince) => writer.keptSince(requests),
  pruneKept: ({ before, atMost }: { before: number; atMost: number }) =>
    writer.pruneKept(before, atMost),
  writeAudit: (changes: readonly AuditChange[]) => writer.writeAudit(changes),
  pruneAudit: ({ before, atMost }: { before: number; atMost: number }) =>
    writer.pruneAudit(before, atMost),
  saveKeyUses: (uses: readonly KeyUse[]) => writer.saveKeyUses(uses),
  addAttempts: (batch: AttemptBatch) => writer.addAttempts(batch),
  close: (_: null) => writer.close(),
}
export type WriterCalls = typeof calls

serve(calls, meaningOf)
