// Carries out requests with an Idempotency-Key once, and keeps their answers. Of two with the same
// key, the second waits for the first, also if that is at another node. After a crash the request
// is carried out again, by a handler that knows that an earlier attempt may have succeeded.

import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { KeptAnswerStore, KeptAttempt, KeptKey, KeptState } from '../../store/store.ts'
import { Refusal, unknownOutcomes } from '../errors.ts'
import { refusalOfFault } from '../faults.ts'
import { Done, type RouteAnswer, Streamed } from '../http/response.ts'

const lifetimeMs = 24 * 3_600_000
/** Of one operator, or of the administrator. */
const keptAnswersMax = 10_000
const keptBytesMax = 32 * 1_024 * 1_024
/** How long the process of an attempt may be silent until another one takes over. */
const busyMs = 10_000
const renewEveryMs = 3_000
/** How often a request asks whether one at another node is done. */
const askEveryMs = 150
const waitingMax = 1_000
const pruneEveryMs = 10 * 60_000
const pruneAtMost = 500

const reused = new Refusal(
  'IDEMPOTENCY_KEY_REUSED',
  'The Idempotency-Key was already used for a request with another body.',
)
const full = new Refusal(
  'RATE_LIMITED',
  `At most ${keptAnswersMax} answers and ${keptBytesMax} bytes are kept for requests with an ` +
    'Idempotency-Key in 24 hours; send the request without one, or later.',
)
const tooManyWaiting = new Refusal(
  'UNAVAILABLE',
  'Too many requests wait for one with the same Idempotency-Key; nothing was done.',
)

export type Attempt = {
  /** For the record that the request creates; the same in every attempt. */
  readonly recordId: string
  /** false if an earlier attempt may have carried the request out. */
  readonly isFirst: boolean
  /** When the first attempt began. */
  readonly begunAt: number
  /** The data of what other requests on the route, with other keys, were answered since then. */
  readonly otherAnswers: () => Promise<readonly unknown[]>
}

export type KeyedRequest = KeptKey & {
  readonly fingerprint: string
  /** The caller needs no answer any more. */
  readonly isGone: () => boolean
  readonly run: (attempt: Attempt) => Promise<RouteAnswer> | RouteAnswer
  /** The answer from what was kept of an earlier one. */
  readonly again: (kept: unknown) => Promise<RouteAnswer> | RouteAnswer
}

type Begun = Extract<KeptState, { readonly kind: 'BEGUN' }>

export type KeptAnswersOptions = {
  readonly store: KeptAnswerStore
  /** Whether no other process serves clients of this database. */
  readonly isOnlyProcess: boolean
  /** Unix milliseconds. */
  readonly now: () => number
  readonly newId: () => string
  readonly reportFailure: ReportFailure
}

export class KeptAnswers {
  readonly #options: KeptAnswersOptions
  readonly #holder = randomUUID()
  /** The requests of this process that are under way; they never reject. */
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #timer: NodeJS.Timeout
  #waiting = 0

  constructor(options: KeptAnswersOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#prune(), pruneEveryMs)
    this.#timer.unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async answer(request: KeyedRequest): Promise<RouteAnswer> {
    const name = JSON.stringify([request.owner, request.route, request.key])
    for (;;) {
      const other = this.#running.get(name)
      if (other !== undefined) {
        if (!(await this.#wait(other))) return tooManyWaiting
        continue
      }
      const attempt = attemptOf(request)
      const state = await this.#begin(request, attempt)
      if (state.kind === 'REUSED') return reused
      if (state.kind === 'FULL') return full
      if (state.kind === 'DONE') return replayed(request, state)
      if (state.kind === 'BEGUN') {
        const running = this.#carryOut(request, attempt, state)
        const settled = running.catch(() => undefined)
        this.#running.set(name, settled)
        void settled.then(() => this.#running.delete(name))
        return running
      }
      if (request.isGone()) return tooManyWaiting
      if (!(await this.#wait(after(askEveryMs)))) return tooManyWaiting
    }
  }

  #begin({ fingerprint }: KeyedRequest, attempt: KeptAttempt): Promise<KeptState> {
    const { store, isOnlyProcess, newId } = this.#options
    const now = this.#options.now()
    return store.begin({
      ...attempt,
      fingerprint,
      recordId: newId(),
      holder: this.#holder,
      isOnlyHolder: isOnlyProcess,
      busyUntil: now + busyMs,
      now,
      keptFrom: now - lifetimeMs,
      answersMax: keptAnswersMax,
      bytesMax: keptBytesMax,
    })
  }

  /** false if too many requests wait already. */
  async #wait(until: Promise<unknown>): Promise<boolean> {
    if (this.#waiting >= waitingMax) return false
    this.#waiting += 1
    try {
      await until
      return true
    } finally {
      this.#waiting -= 1
    }
  }

  async #carryOut(
    { run }: KeyedRequest,
    attempt: KeptAttempt,
    { recordId, isFirst, begunAt }: Begun,
  ): Promise<RouteAnswer> {
    const { store, now } = this.#options
    const { owner, route } = attempt
    const otherAnswers = async () => {
      const texts = await store.answersSince({ owner, route, since: begunAt })
      return texts.map((text): unknown => JSON.parse(text))
    }
    const renewal = setInterval(() => {
      store.renew(attempt, now() + busyMs).catch((error) => this.#report(error))
    }, renewEveryMs)
    try {
      const answer = await run({ recordId, isFirst, begunAt, otherAnswers })
      if (answer instanceof Refusal) await this.#end(attempt, answer)
      else await this.#keep(attempt, answer)
      return answer
    } catch (error) {
      await this.#end(attempt, refusalOfFault(error))
      throw error
    } finally {
      clearInterval(renewal)
    }
  }

  // The request was carried out and is answered, even if the answer cannot be kept. A repetition
  // then continues it, as after a crash.
  async #keep(attempt: KeptAttempt, answer: Done | Streamed): Promise<void> {
    try {
      const status = answer instanceof Done ? answer.status : 200
      await this.#options.store.finish(attempt, { status, data: JSON.stringify(answer.kept) })
    } catch (error) {
      this.#report(error)
    }
  }

  async #end(attempt: KeptAttempt, { code }: Refusal): Promise<void> {
    const { store } = this.#options
    try {
      if (unknownOutcomes.has(code)) await store.renew(attempt, 0)
      else await store.drop(attempt)
    } catch (error) {
      this.#report(error)
    }
  }

  async #prune(): Promise<void> {
    const { store, now } = this.#options
    try {
      while ((await store.prune(now() - lifetimeMs, pruneAtMost)).hasMore);
    } catch (error) {
      this.#report(error)
    }
  }

  #report(error: unknown): void {
    this.#options.reportFailure('rest', 'kept answer not stored', { error })
  }
}

function attemptOf({ owner, route, key }: KeptKey): KeptAttempt {
  return { owner, route, key, attempt: randomUUID() }
}

async function replayed(
  { again }: KeyedRequest,
  { status, data }: { readonly status: number; readonly data: string },
): Promise<RouteAnswer> {
  const answer = await again(JSON.parse(data))
  if (answer instanceof Refusal) return answer
  if (answer instanceof Streamed) return new Streamed(answer.pieces, { isReplay: true })
  return new Done(answer.data, { status: statusOf(status), isReplay: true })
}

function statusOf(kept: number): Done['status'] {
  return kept === 201 || kept === 202 ? kept : 200
}
