// The thread that commits turns, so that the main thread neither encodes them for PostgreSQL nor
// reads the answers. Every shard that the process owns has a writer here, and a number for it: a
// shard that is acquired again gets another one.

import { workerData } from 'node:worker_threads'
import { CommitFailure, StoreUnavailable } from '../store.ts'
import { serve } from '../thread.ts'
import type { SentTurn } from '../turn-sender.ts'
import { Writer, type WriterOptions } from './writer.ts'

export type WriterThreadData = { readonly url: string }
export type Claim = WriterOptions & { readonly writer: number }
export type Commit = { readonly writer: number; readonly turn: SentTurn }

const { url }: WriterThreadData = workerData
const writers = new Map<number, Writer>()

const calls = {
  /** The first claim makes the writer. */
  claim: ({ writer: number, ...options }: Claim) => {
    const writer = writers.get(number) ?? new Writer(url, options)
    writers.set(number, writer)
    return writer.claim()
  },
  commit: ({ writer, turn }: Commit) => {
    const found = writers.get(writer)
    if (found !== undefined) return found.commit(turn)
    // A thread before this one had the writer.
    throw new CommitFailure('The shard was not claimed in this thread.', { outcome: 'aborted' })
  },
  /** Waits for the pending turns of the writer. */
  release: async (number: number) => {
    const writer = writers.get(number)
    writers.delete(number)
    await writer?.close()
  },
  close: async (_: null) => {
    await Promise.all(Array.from(writers.values(), (writer) => writer.close()))
  },
}
export type WriterCalls = typeof calls

const meaningOf = (error: unknown) => ({
  isUnavailable: error instanceof StoreUnavailable,
  isFull: error instanceof StoreUnavailable && error.isFull,
  isFatal: false,
})

serve(calls, meaningOf)
