// The program of a thread that reads: see reader.ts.

import { workerData } from 'node:worker_threads'
import { serve } from '../thread.ts'
import { openReader, Statements } from './connection.ts'
import { meaningOf } from './failures.ts'
import type { ReaderThreadData } from './reader.ts'
import { type ReaderCalls, readerCalls } from './reader-calls.ts'

const { folder, abandoned }: ReaderThreadData = workerData
const isAbandoned = () => Atomics.load(abandoned, 0) === 1
const calls: ReaderCalls = readerCalls(new Statements(openReader(folder)), isAbandoned)

serve(calls, meaningOf)
