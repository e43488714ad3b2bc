// A thread that reads, so that a long read delays neither an order nor the reads of other threads.
// It runs one read after the other.

import type { RecordReader } from '../read-lanes.ts'
import type { ReadAnswer, ReadArgument, ReadName } from '../sql/readings.ts'
import { Thread } from '../thread.ts'
import type { DerivedProgress, ProgressCells } from './derived-progress.ts'
import type { ReaderCalls } from './reader-calls.ts'

/** The next read is there when one has ended, also if the event loop is busy. */
const readsMax = 2
const numberMax = 2 ** 31 - 1

type ReaderOptions = {
  readonly folder: string
  /** Of the tables. */
  readonly progress: DerivedProgress
  readonly onFatal: (cause: Error) => void
}

export type ReaderThreadData = {
  readonly folder: string
  /** The numbers of abandoned reads. The thread cannot receive a message while it reads. */
  readonly abandoned: Int32Array
  readonly progress: ProgressCells
}

export class Reader implements RecordReader {
  readonly #options: ReaderOptions
  readonly readsMax = readsMax
  readonly #abandoned = new Int32Array(
    new SharedArrayBuffer(readsMax * Int32Array.BYTES_PER_ELEMENT),
  )
  readonly #numbers = new WeakMap<Promise<unknown>, number>()
  #lastNumber = 0
  #thread: Thread<ReaderCalls> | null = null

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** Starts the thread, which otherwise starts with its first call. */
  start(): Thread<ReaderCalls> {
    const { folder, progress, onFatal } = this.#options
    const abandoned = this.#abandoned
    const data: ReaderThreadData = { folder, abandoned, progress: progress.cells }
    const file = new URL('./reader-thread.ts', import.meta.url)
    this.#thread ??= new Thread(file, { name: 'reader', data, onFatal })
    return this.#thread
  }

  /** The database has one shard. */
  read<Name extends ReadName>(
    _shard: number,
    name: Name,
    argument: ReadArgument<Name>,
    mustSee = 0,
  ): Promise<ReadAnswer<Name>> {
    this.#lastNumber = (this.#lastNumber % numberMax) + 1
    const number = this.#lastNumber
    // The thread runs the reading of that name.
    const answer = this.start().call('read', { number, name, argument, mustSee })
    this.#numbers.set(answer, number)
    return answer as Promise<ReadAnswer<Name>>
  }

  call: Thread<ReaderCalls>['call'] = (name, argument) => this.start().call(name, argument)

  /** The read ends before its next statement: SQLite offers no way to interrupt one here. */
  abandon(answer: Promise<unknown>): void {
    const number = this.#numbers.get(answer)
    if (number !== undefined) Atomics.store(this.#abandoned, number % readsMax, number)
  }

  async close(): Promise<void> {
    await this.#thread?.close()
  }
}
