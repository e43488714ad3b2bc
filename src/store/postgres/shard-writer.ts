// Commits the turns of a shard, through a thread, while this process owns the shard.

import type { ShardHead, Turn } from '../store.ts'
import { TurnSender } from '../turn-sender.ts'
import type { CommitThread } from './commit-thread.ts'
import { shardLost } from './lease.ts'
import type { WriterOptions } from './writer.ts'

type ShardWriterOptions = WriterOptions & {
  readonly thread: CommitThread
  /** Another service holds the shard. */
  readonly onLost: (cause: Error) => void
}

export class ShardWriter {
  readonly #options: ShardWriterOptions
  readonly #writer: number
  readonly #sender: TurnSender
  /**
   * When the last turn or claim that has renewed the lease was handed to the thread, as in
   * performance.now() of this thread: the clock of the other one begins at another time.
   */
  renewedAt = 0

  constructor(options: ShardWriterOptions) {
    const { thread } = options
    const writer = thread.newWriter()
    this.#options = options
    this.#writer = writer
    this.#sender = new TurnSender((turn) => thread.commit({ writer, turn }))
  }

  /** Waits for a pending turn of this service. A previous owner of the shard is fenced. */
  async claim(): Promise<ShardHead> {
    const { engineVersion, lease, onLost, owner, shard, thread } = this.#options
    const startedAt = performance.now()
    const claim = { writer: this.#writer, engineVersion, lease, owner, shard }
    const head = await thread.claim(claim)
    if (head === null) {
      const lost = shardLost()
      onLost(lost)
      throw lost
    }
    this.renewedAt = startedAt
    return head
  }

  /** Throws a CommitFailure. */
  async commit(turn: Turn): Promise<void> {
    const startedAt = performance.now()
    await this.#sender.commit(turn)
    this.renewedAt = startedAt
  }

  /** Waits for the pending turns. */
  close(): Promise<void> {
    return this.#options.thread.release(this.#writer)
  }
}
