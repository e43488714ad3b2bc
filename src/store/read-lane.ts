// A few readers that many parties share. A read waits until it is the next one and a reader is
// free; it is dropped when its caller has gone or its deadline has passed.

import { type QueueLimits, ReadQueue, type WaitingRead } from './read-queue.ts'
import {
  type LaneName,
  type ReadCaller,
  type ReadDrop,
  type ReadMetrics,
  StoreUnavailable,
} from './store.ts'

export type LaneLimits = Omit<QueueLimits, 'runningMax'> & {
  /** From the call to the answer. */
  readonly deadlineMs: number
}

export type LaneReader = {
  /** Ends the read that is running before its next statement. */
  abandon(): void
  close(): Promise<void>
}

type LaneOptions<Reader extends LaneReader> = {
  readonly name: LaneName
  readonly readers: readonly Reader[]
  readonly limits: LaneLimits
  readonly metrics?: ReadMetrics | undefined
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

type LaneRead<Reader> = WaitingRead & {
  readonly caller: ReadCaller
  readonly start: (reader: Reader) => Promise<void>
  readonly fail: (error: Error) => void
  /** Its caller was answered that it was dropped, and a reader still runs it. */
  isDropped: boolean
}

/** How often reads are checked for their deadlines and callers. */
const checkMs = 50

const messages: Readonly<Record<ReadDrop, string>> = {
  full: 'Too many reads of this caller are waiting.',
  slow: 'The reads of this caller have waited too long.',
  late: 'The read was not done in time.',
  gone: 'The caller of the read has gone.',
}

const noMetrics: ReadMetrics = { readsWaiting() {}, readWaited() {}, readDropped() {} }

export class ReadLane<Reader extends LaneReader> {
  readonly #name: LaneName
  readonly #readers: readonly Reader[]
  readonly #deadlineMs: number
  readonly #metrics: ReadMetrics
  readonly #now: () => number
  readonly #queue: ReadQueue<LaneRead<Reader>>
  readonly #idle: Reader[]
  readonly #running = new Map<LaneRead<Reader>, Reader>()
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor({ name, readers, limits, metrics, now }: LaneOptions<Reader>) {
    this.#name = name
    this.#readers = readers
    this.#deadlineMs = limits.deadlineMs
    this.#metrics = metrics ?? noMetrics
    this.#now = now ?? (() => performance.now())
    // Half of the readers are left for the others, and so are the processors that they share.
    const runningMax = Math.max(1, Math.floor(readers.length / 2))
    this.#queue = new ReadQueue({ ...limits, runningMax })
    this.#idle = readers.toReversed()
  }

  /** Throws StoreUnavailable if the read is refused or dropped. */
  run<Answer>(caller: ReadCaller, read: (reader: Reader) => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The store is closed.'))
    const refusal = this.#queue.refusal(caller.party, this.#now())
    if (refusal !== null) return Promise.reject(this.#dropped(refusal))
    return new Promise<Answer>((resolve, reject) => {
      this.#queue.add({
        party: caller.party,
        since: this.#now(),
        caller,
        start: async (reader) => {
          try {
            resolve(await read(reader))
          } catch (error) {
            reject(error)
          }
        },
        fail: reject,
        isDropped: false,
      })
      this.#startReads()
      this.#timer ??= setInterval(() => this.check(), checkMs).unref()
    })
  }

  /** Drops the reads whose caller has gone or whose deadline has passed. */
  check(): void {
    for (const read of [...this.#queue.all()]) {
      const reason = this.#reasonToDrop(read)
      if (reason === null) continue
      this.#queue.delete(read)
      read.fail(this.#dropped(reason))
    }
    for (const [read, reader] of this.#running) {
      const reason = read.isDropped ? null : this.#reasonToDrop(read)
      if (reason === null) continue
      read.isDropped = true
      // Its reader becomes free when the read has ended.
      reader.abandon()
      read.fail(this.#dropped(reason))
    }
    this.#metrics.readsWaiting(this.#name, this.#queue.waiting)
    if (this.#queue.waiting === 0 && this.#running.size === 0) this.#stopTimer()
  }

  /** Waiting reads fail; those that are running are finished. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTimer()
    for (const read of [...this.#queue.all()]) {
      this.#queue.delete(read)
      read.fail(new StoreUnavailable('The store is closed.'))
    }
    await Promise.all(this.#readers.map((reader) => reader.close()))
  }

  #startReads(): void {
    for (;;) {
      const reader = this.#idle.at(-1)
      const read = reader === undefined ? null : this.#queue.next()
      if (reader === undefined || read === null) return
      const reason = this.#reasonToDrop(read)
      if (reason === null) {
        this.#idle.pop()
        this.#metrics.readWaited(this.#name, (this.#now() - read.since) / 1_000)
        void this.#run(read, reader)
      } else {
        this.#queue.end(read)
        read.fail(this.#dropped(reason))
      }
    }
  }

  async #run(read: LaneRead<Reader>, reader: Reader): Promise<void> {
    this.#running.set(read, reader)
    await read.start(reader)
    this.#running.delete(read)
    this.#idle.push(reader)
    this.#queue.end(read)
    this.#startReads()
  }

  #reasonToDrop({ since, caller }: LaneRead<Reader>): ReadDrop | null {
    if (caller.isGone()) return 'gone'
    return this.#now() - since >= this.#deadlineMs ? 'late' : null
  }

  #dropped(reason: ReadDrop): StoreUnavailable {
    this.#metrics.readDropped(this.#name, reason)
    return new StoreUnavailable(messages[reason])
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}
