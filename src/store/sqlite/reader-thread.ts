// The program of a thread that reads: see reader.ts.

import { workerData } from 'node:worker_threads'
import { serve } from '../thread.ts'
import { openReader, Statements } from './connection.ts'
import { DerivedProgress } from './derived-progress.ts'
import { meaningOf } from './failures.ts'
import type { ReaderThreadData } from './reader.ts'
import { type ReaderCalls, readerCalls } from './reader-calls.ts'

const { folder, abandoned, progress }: ReaderThreadData = workerData
const isAbandoned = (number: number) =>
  Atomics.load(abandoned, number % abandoned.length) === number
const calls: ReaderCalls = readerCalls(new Statements(openReader(folder)), {
  isAbandoned,
  progress: new DerivedProgress(progress),
})

serve(calls, meaningOf)
