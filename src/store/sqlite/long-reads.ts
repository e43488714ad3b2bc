// Reads that may take seconds run in a separate thread, so that they delay no other read. The
// thread starts with the first of them.

import { StoreUnavailable } from '../store.ts'
import type { ReaderCalls } from './reader.ts'
import type { Thread } from './thread.ts'

/** Runs the reads one after the other. */
const waitingMax = 16

export class LongReads {
  readonly #start: () => Thread<ReaderCalls>
  #thread: Thread<ReaderCalls> | null = null
  #waiting = 0
  #isClosed = false

  constructor(start: () => Thread<ReaderCalls>) {
    this.#start = start
  }

  async run<Answer>(read: (thread: Thread<ReaderCalls>) => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) throw new StoreUnavailable('The store is closed.')
    if (this.#waiting >= waitingMax) throw new StoreUnavailable('Too many long reads are waiting.')
    this.#thread ??= this.#start()
    this.#waiting += 1
    try {
      return await read(this.#thread)
    } finally {
      this.#waiting -= 1
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.close()
  }
}
