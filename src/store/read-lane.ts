// A few readers that many parties share. A read waits until the store has what it must see, until
// it is the next one and until a reader is free; it is dropped when its caller has gone or its
// deadline has passed.

import {
  keyOf,
  type QueueLimits,
  ReadQueue,
  type ShareKey,
  type WaitingRead,
} from './read-queue.ts'
import {
  type LaneName,
  type ReadCaller,
  type ReadDrop,
  type ReadMetrics,
  StoreUnavailable,
} from './store.ts'

export type LaneLimits = QueueLimits & {
  /** From the call to the answer. */
  readonly deadlineMs: number
}

export type LaneReader = {
  /** How many reads it takes at once, which it runs one after the other; 1 if it does not say. */
  readonly readsMax?: number
  /** Ends the read with that answer before its next statement. */
  abandon(answer: Promise<unknown>): void
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
  /** When it was called, and when it entered the queue. */
  readonly calledAt: number
  since: number
  readonly caller: ReadCaller
  readonly start: (reader: Reader) => Running<Reader>
  readonly fail: (error: unknown) => void
  /** Its caller was answered that it was dropped, and a reader still runs it. */
  isDropped: boolean
}

type Running<Reader> = {
  readonly reader: Reader
  /** When it was given to the reader, or later, when the read before it ended. */
  since: number
  readonly answer: Promise<unknown>
  /** Settles when its caller is answered; never rejects. */
  readonly done: Promise<void>
}

/** How often reads are checked for their deadlines and callers. */
const checkMs = 50
/** A read is put behind one of another operator only if that one has just begun. */
const justBegunMs = 20
/** How many reads of all parties may wait for the store, before they are in the queue. */
const beforeQueueMax = 20_000

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
  /** Reads that wait for the store, before they are in the queue, within its limits. */
  readonly #beforeQueue: ReadQueue<LaneRead<Reader>>
  readonly #queue: ReadQueue<LaneRead<Reader>>
  readonly #running = new Map<LaneRead<Reader>, Running<Reader>>()
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor({ name, readers, limits, metrics, now }: LaneOptions<Reader>) {
    this.#name = name
    this.#readers = readers
    this.#deadlineMs = limits.deadlineMs
    this.#metrics = metrics ?? noMetrics
    this.#now = now ?? (() => performance.now())
    this.#queue = new ReadQueue(limits)
    // They wait for the store, which says nothing about their party.
    this.#beforeQueue = new ReadQueue({ ...limits, waitMsMax: Number.POSITIVE_INFINITY })
  }

  /**
   * Waits for `untilReadable` first. Throws StoreUnavailable if the read is refused or dropped, or
   * what `untilReadable` throws.
   */
  run<Answer>(
    caller: ReadCaller,
    read: (reader: Reader) => Promise<Answer>,
    untilReadable: (() => Promise<void>) | null = null,
  ): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The store is closed.'))
    const refusal = this.#refusal(caller)
    if (refusal !== null) return Promise.reject(this.#dropped(refusal))
    return new Promise<Answer>((resolve, reject) => {
      const waiting: LaneRead<Reader> = {
        party: caller.party,
        calledAt: this.#now(),
        since: this.#now(),
        caller,
        start: (reader) => {
          const answer = answerOf(() => read(reader))
          return { reader, since: this.#now(), answer, done: answer.then(resolve, reject) }
        },
        fail: reject,
        isDropped: false,
      }
      if (untilReadable === null) this.#enqueue(waiting)
      else void this.#enqueueLater(waiting, untilReadable)
      this.#timer ??= setInterval(() => this.check(), checkMs).unref()
    })
  }

  async #enqueueLater(read: LaneRead<Reader>, untilReadable: () => Promise<void>): Promise<void> {
    this.#beforeQueue.add(read)
    try {
      await untilReadable()
      if (!this.#beforeQueue.delete(read)) return
      const refusal = this.#refusal(read.caller)
      if (refusal !== null) throw this.#dropped(refusal)
      this.#enqueue(read)
    } catch (error) {
      this.#beforeQueue.delete(read)
      read.fail(error)
    }
  }

  #refusal({ party }: ReadCaller): 'full' | 'slow' | null {
    if (this.#beforeQueue.waiting >= beforeQueueMax) return 'full'
    const now = this.#now()
    return this.#beforeQueue.refusal(party, now) ?? this.#queue.refusal(party, now)
  }

  #enqueue(read: LaneRead<Reader>): void {
    read.since = this.#now()
    this.#queue.add(read)
    this.#startReads()
  }

  /** Drops the reads whose caller has gone or whose deadline has passed. */
  check(): void {
    for (const read of [...this.#beforeQueue.all(), ...this.#queue.all()]) {
      const reason = this.#reasonToDrop(read)
      if (reason === null) continue
      if (!this.#beforeQueue.delete(read)) this.#queue.delete(read)
      read.fail(this.#dropped(reason))
    }
    for (const [read, { reader, answer }] of this.#running) {
      const reason = read.isDropped ? null : this.#reasonToDrop(read)
      if (reason === null) continue
      read.isDropped = true
      // Its reader becomes free when the read has ended.
      reader.abandon(answer)
      read.fail(this.#dropped(reason))
    }
    const waiting = this.#beforeQueue.waiting + this.#queue.waiting
    this.#metrics.readsWaiting(this.#name, waiting)
    if (waiting === 0 && this.#running.size === 0) this.#stopTimer()
  }

  /** Waiting reads fail; those that are running are finished. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTimer()
    for (const read of [...this.#beforeQueue.all(), ...this.#queue.all()]) {
      if (!this.#beforeQueue.delete(read)) this.#queue.delete(read)
      read.fail(new StoreUnavailable('The store is closed.'))
    }
    await Promise.all(this.#readers.map((reader) => reader.close()))
  }

  #startReads(): void {
    for (;;) {
      // Asked once for a read: a moment later, the answer may be another one.
      const next = this.#queue.next((key) => this.#readerFor(key))
      if (next === null) return
      const { read, reader } = next
      const reason = this.#reasonToDrop(read)
      if (reason === null) {
        this.#metrics.readWaited(this.#name, (this.#now() - read.calledAt) / 1_000)
        void this.#run(read, reader)
      } else {
        this.#queue.end(read)
        read.fail(this.#dropped(reason))
      }
    }
  }

  async #run(read: LaneRead<Reader>, reader: Reader): Promise<void> {
    const running = read.start(reader)
    this.#running.set(read, running)
    await running.done
    this.#running.delete(read)
    const next = this.#readsOf(reader)[0]
    if (next !== undefined) next[1].since = this.#now()
    this.#queue.end(read)
    this.#startReads()
  }

  /** In the order in which the reader runs them. */
  #readsOf(reader: Reader): [LaneRead<Reader>, Running<Reader>][] {
    return [...this.#running].filter(([, running]) => running.reader === reader)
  }

  /** A reader for the next read of the operator; null if it has to wait. */
  #readerFor(key: ShareKey): Reader | null {
    const isOwn = ([{ party }]: [LaneRead<Reader>, unknown]) => keyOf(party) === key
    const all = this.#readers.map((reader) => ({ reader, reads: this.#readsOf(reader) }))
    const own = all.filter(({ reads }) => reads.some(isOwn))
    // Half of the readers are left for the others, and so are the processors that they share.
    const ownMax = Math.max(1, Math.floor(all.length / 2))
    let best: { reader: Reader; count: number; since: number } | null = null
    for (const { reader, reads } of own.length < ownMax ? all : own) {
      const [current] = reads
      const since = current?.[1].since ?? 0
      if (reads.length >= (reader.readsMax ?? 1)) continue
      const hasJustBegun = this.#now() - since < justBegunMs
      if (current !== undefined && !isOwn(current) && !hasJustBegun) continue
      const count = reads.length
      // Of two that are equally busy, the one that has begun last is less likely to take long.
      if (best === null || count < best.count || (count === best.count && since > best.since)) {
        best = { reader, count, since }
      }
    }
    return best?.reader ?? null
  }

  #reasonToDrop({ calledAt, caller }: LaneRead<Reader>): ReadDrop | null {
    if (caller.isGone()) return 'gone'
    if (caller.hasNoDeadline) return null
    return this.#now() - calledAt >= this.#deadlineMs ? 'late' : null
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

/** An error of the call itself becomes that of the answer. */
function answerOf<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return call()
  } catch (error) {
    return Promise.reject(error)
  }
}
