// A thread that reads, so that a long read delays neither an order nor the reads of other threads.
// It runs one read at a time.

import type { RecordReader } from '../read-lanes.ts'
import type { ReadAnswer, ReadArgument, ReadName } from '../sql/readings.ts'
import { Thread } from '../thread.ts'
import type { ReaderCalls } from './reader-calls.ts'

type ReaderOptions = {
  readonly folder: string
  readonly onFatal: (cause: Error) => void
}

export type ReaderThreadData = {
  readonly folder: string
  /** 1 if the current read is abandoned. The thread cannot receive a message while it reads. */
  readonly abandoned: Int32Array
}

export class Reader implements RecordReader {
  readonly #options: ReaderOptions
  readonly #abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #thread: Thread<ReaderCalls> | null = null

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** Starts the thread, which otherwise starts with its first call. */
  start(): Thread<ReaderCalls> {
    const { folder, onFatal } = this.#options
    const data: ReaderThreadData = { folder, abandoned: this.#abandoned }
    const file = new URL('./reader-thread.ts', import.meta.url)
    this.#thread ??= new Thread(file, { name: 'reader', data, onFatal })
    return this.#thread
  }

  /** The database has one shard. */
  read<Name extends ReadName>(
    _shard: number,
    name: Name,
    argument: ReadArgument<Name>,
  ): Promise<ReadAnswer<Name>> {
    Atomics.store(this.#abandoned, 0, 0)
    // The thread runs the reading of that name.
    return this.start().call('read', { name, argument }) as Promise<ReadAnswer<Name>>
  }

  call: Thread<ReaderCalls>['call'] = (name, argument) => this.start().call(name, argument)

  /** The read ends before its next statement: SQLite offers no way to interrupt one here. */
  abandon(): void {
    Atomics.store(this.#abandoned, 0, 1)
  }

  async close(): Promise<void> {
    await this.#thread?.close()
  }
}
