// The thread that writes: a sync of the disk never holds up the event loop.

import { workerData } from 'node:worker_threads'
import type { Item, TableName } from '../sql/registry-tables.ts'
import type { PruneRequest, WebhookCursor } from '../store.ts'
import type { StartOptions } from './start.ts'
import { serve } from './thread.ts'
import { type SentTurn, Writer } from './writer.ts'

const options: StartOptions = workerData
const writer = new Writer(options)

const calls = {
  take: (_: null) => writer.take(),
  commit: (turn: SentTurn) => writer.commit(turn),
  probe: (_: null) => writer.probe(),
  prune: (ask: PruneRequest) => writer.prune(ask),
  put: (ask: { table: TableName; item: Item }) => writer.put(ask.table, ask.item),
  delete: (ask: { table: TableName; id: string }) => writer.delete(ask.table, ask.id),
  addOperator: (ask: { operator: Item; key: Item }) => writer.addOperator(ask.operator, ask.key),
  putCursors: (cursors: readonly WebhookCursor[]) => writer.putCursors(cursors),
  deleteCursor: (webhookId: string) => writer.deleteCursor(webhookId),
  close: (_: null) => writer.close(),
}
export type WriterCalls = typeof calls

serve(calls)
