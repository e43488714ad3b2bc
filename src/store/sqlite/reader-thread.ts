// The thread that reads records, so that a long read never delays an order.

import { workerData } from 'node:worker_threads'
import { openReader, Statements } from './connection.ts'
import { type ReaderCalls, readerCalls } from './reader.ts'
import { serve } from './thread.ts'

const { folder }: { folder: string } = workerData
const calls: ReaderCalls = readerCalls(new Statements(openReader(folder)))

serve(calls)
