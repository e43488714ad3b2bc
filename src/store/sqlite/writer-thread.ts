// The thread that writes, so that a sync of the disk never blocks the event loop.

import { workerData } from 'node:worker_threads'
import type { Item, TableName } from '../sql/registry-tables.ts'
import type { PruneRequest, WebhookCursor } from '../store.ts'
import { serve } from '../thread.ts'
import type { SentTurn } from '../turn-sender.ts'
import { meaningOf } from './failures.ts'
import type { StartOptions } from './start.ts'
import { Writer } from './writer.ts'

const options: StartOptions = workerData
const writer = new Writer(options)

const calls = {
  claim: (_: null) => writer.claim(),
  commit: (turn: SentTurn) => writer.commit(turn),
  probe: (_: null) => writer.probe(),
  prune: (request: PruneRequest) => writer.prune(request),
  put: ({ table, item }: { table: TableName; item: Item }) => writer.put(table, item),
  delete: ({ table, id }: { table: TableName; id: string }) => writer.delete(table, id),
  addOperator: ({ operator, key }: { operator: Item; key: Item }) =>
    writer.addOperator(operator, key),
  putCursors: (cursors: readonly WebhookCursor[]) => writer.putCursors(cursors),
  deleteCursor: (webhookId: string) => writer.deleteCursor(webhookId),
  close: (_: null) => writer.close(),
}
export type WriterCalls = typeof calls

serve(calls, meaningOf)
