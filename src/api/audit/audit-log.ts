// Carries out acts that the audit log notes: before the act, and when it is done. The changes of
// requests that come at the same time are written together.

import type { ReportFailure } from '../../ops/edge-failures.ts'
import {
  type AuditChange,
  type AuditEntry,
  type AuditStore,
  type Concerned,
  StoreUnavailable,
} from '../../store/store.ts'
import { Refusal, unknownOutcomes } from '../errors.ts'
import { refusalOfFault } from '../faults.ts'
import type { Done, RouteAnswer, Streamed } from '../http/response.ts'

/** Of changes that wait to be written. */
export const waitingMax = 10_000
/** Each takes a writer of the store as long as a few rows. */
const changesAtOnce = 200
/** Of characters, as schemas count them. */
export const reasonMax = 1_024

const firstPruneAfterMs = 10_000
const pruneEveryMs = 3_600_000
const pruneAtOnce = 500
const pauseMinMs = 20
/** A pause is four times as long as its step: the writer of the store is busy a fifth of it. */
const pausePerStep = 4

export type Act = Omit<AuditEntry, 'id' | 'createdAt'> & {
  /** What the act has concerned, from its answer. */
  readonly concernedOf: (answer: Done | Streamed) => Concerned
}

export type AuditLogOptions = {
  readonly store: AuditStore
  readonly retentionMs: number
  /** The time of the machine, in Unix milliseconds. */
  readonly now: () => number
  /** A version 7 UUID of this time. */
  readonly newId: (now: number) => string
  readonly reportFailure: ReportFailure
}

type Waiting = {
  readonly change: AuditChange
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export class AuditLog {
  readonly #options: AuditLogOptions
  readonly #ids: EntryIds
  #waiting: Waiting[] = []
  #isWriting = false
  #pruneTimer: NodeJS.Timeout
  #isClosed = false

  constructor(options: AuditLogOptions) {
    this.#options = options
    this.#ids = new EntryIds(options.newId)
    this.#pruneTimer = this.#pruneAfter(firstPruneAfterMs)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#pruneTimer)
  }

  /**
   * Throws StoreUnavailable, without the act, if it cannot be noted. Once it is carried out it is
   * answered, even if it cannot be marked as done: its note then stays.
   */
  async carryOut(
    { concernedOf, ...act }: Act,
    run: () => Promise<RouteAnswer>,
  ): Promise<RouteAnswer> {
    const id = await this.#note(act)
    let answer: RouteAnswer
    try {
      answer = await run()
    } catch (error) {
      await this.#onRefused(id, refusalOfFault(error))
      throw error
    }
    if (answer instanceof Refusal) await this.#onRefused(id, answer)
    else await this.#mark({ kind: 'DONE', id, ...concernedOf(answer) })
    return answer
  }

  async #note(act: Omit<AuditEntry, 'id' | 'createdAt'>): Promise<string> {
    const { id, createdAt } = this.#ids.next(this.#options.now())
    const reason = act.reason === null ? null : shortened(act.reason)
    try {
      if (this.#waiting.length >= waitingMax) throw new StoreUnavailable('Too many acts wait.')
      await this.#write({ kind: 'NOTE', entry: { ...act, id, createdAt, reason } })
    } catch (cause) {
      // It may be stored.
      this.#write({ kind: 'REMOVE', id }).catch(() => undefined)
      throw new StoreUnavailable('The act could not be noted in the audit log.', { cause })
    }
    return id
  }

  async #onRefused(id: string, { code }: Refusal): Promise<void> {
    if (!unknownOutcomes.has(code)) await this.#mark({ kind: 'REMOVE', id })
  }

  async #mark(change: AuditChange): Promise<void> {
    try {
      await this.#write(change)
    } catch (error) {
      this.#options.reportFailure('rest', 'audit entry not completed', { error })
    }
  }

  #write(change: AuditChange): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, changesAtOnce)
      try {
        await this.#options.store.write(batch.map(({ change }) => change))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isWriting = false
  }

  #pruneAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#pruneStep(), ms).unref()
  }

  async #pruneStep(): Promise<void> {
    const { store, now, retentionMs, reportFailure } = this.#options
    const startedAt = performance.now()
    let nextAfterMs = pruneEveryMs
    try {
      const { hasMore } = await store.prune(now() - retentionMs, pruneAtOnce)
      const tookMs = performance.now() - startedAt
      if (hasMore) nextAfterMs = Math.max(pauseMinMs, tookMs * pausePerStep)
    } catch (error) {
      reportFailure('rest', 'expired audit entries not deleted', { error })
    }
    if (!this.#isClosed) this.#pruneTimer = this.#pruneAfter(nextAfterMs)
  }
}

function shortened(text: string): string {
  if (text.length <= reasonMax) return text
  return [...text].slice(0, reasonMax).join('')
}

const countMax = 0xfff

/**
 * The ids of a process are in the order in which they were made, also within a millisecond and
 * after its machine's time was set back.
 */
class EntryIds {
  readonly #newId: (now: number) => string
  #time = 0
  #count = 0

  constructor(newId: (now: number) => string) {
    this.#newId = newId
  }

  /** An id and its time. */
  next(now: number): Pick<AuditEntry, 'id' | 'createdAt'> {
    if (now > this.#time) {
      this.#time = now
      this.#count = 0
    } else if (this.#count < countMax) this.#count += 1
    else {
      this.#time += 1
      this.#count = 0
    }
    const count = this.#count.toString(16).padStart(3, '0')
    // The 12 random bits after the version.
    const random = this.#newId(this.#time)
    return { id: random.slice(0, 15) + count + random.slice(18), createdAt: this.#time }
  }
}
