// The thread that commits the turns of all shards of this process; writer-thread.ts is its program.
// If it ends unexpectedly, the outcome of its turns is unknown, as after a lost connection: the
// engine claims the shard again, which starts another thread.

import { CommitFailure, type ShardHead, StoreUnavailable } from '../store.ts'
import { Thread } from '../thread.ts'
import { reasonOf } from './failure-text.ts'
import type { Claim, Commit, WriterCalls, WriterThreadData } from './writer-thread.ts'

export const writerProgram = new URL('./writer-thread.ts', import.meta.url)

export class CommitThread {
  readonly #program: URL
  readonly #data: WriterThreadData
  #thread: Thread<WriterCalls> | null = null
  /** Why there is no thread. */
  #absence = 'No shard is claimed'
  #lastWriter = 0
  #isClosed = false

  constructor(url: string, program = writerProgram) {
    this.#data = { url }
    this.#program = program
  }

  /** Otherwise the thread starts with the first claim, which waits for it. */
  start(): void {
    this.#thread ??= this.#newThread()
  }

  /** The number of a new writer. */
  newWriter(): number {
    this.#lastWriter += 1
    return this.#lastWriter
  }

  /** Returns null if another service has acquired the shard. */
  async claim(claim: Claim): Promise<ShardHead | null> {
    if (this.#isClosed) throw new StoreUnavailable('The store is closed.')
    this.#thread ??= this.#newThread()
    return this.#thread.call('claim', claim)
  }

  /** Throws a CommitFailure, or StoreUnavailable if the thread ends meanwhile. */
  async commit(commit: Commit): Promise<void> {
    if (this.#thread !== null) return this.#thread.call('commit', commit)
    throw new CommitFailure(`The turn was not stored: ${this.#absence}.`, { outcome: 'aborted' })
  }

  /** Waits for the pending turns of the writer. */
  async release(writer: number): Promise<void> {
    // A thread that ends has no pending turns.
    await this.#thread?.call('release', writer).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.close()
  }

  #newThread(): Thread<WriterCalls> {
    const onFatal = (cause: Error) => {
      this.#thread = null
      this.#absence = `the thread that commits has ended: ${reasonOf(cause)}`
    }
    return new Thread<WriterCalls>(this.#program, { name: 'writer', data: this.#data, onFatal })
  }
}
