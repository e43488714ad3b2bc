// Delivers events to one webhook. First attempts start in the order of the events; a delivery that
// failed waits for its retry while later events are delivered. The cursor stays before the first
// unfinished delivery, so that unfinished deliveries are sent again after a restart.

import type { Event } from '../../core/events/events.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { DeliveryState, RetrySchedule, WebhookRow } from '../../store/store.ts'
import type { CancelTimer, Timing } from '../timing.ts'
import type { Attempt } from './attempt-log.ts'
import { type Backlog, filterOf } from './backlog.ts'
import { type Delivery, deliveryOf } from './delivery.ts'
import { LostLog } from './lost-log.ts'
import { type AttemptContext, aboutAttempt, makeAttempt, type TimedResult } from './make-attempt.ts'
import { longestWait, retryDelay } from './retry-schedule.ts'
import type { Slots, SlotUser } from './slots.ts'

/** What all delivery queues share. */
export type DeliveryContext = AttemptContext & {
  readonly slots: Slots
  /** The current settings of the webhook; undefined once it is deleted. */
  readonly find: (webhookId: string) => WebhookRow | undefined
  readonly isOperatorActive: (operatorId: string) => boolean
  /** Whether this process certainly owns the shard: after that, another one delivers. */
  readonly isOwner: () => boolean
  readonly timing: Timing
  readonly eventRetentionMs: number
  readonly onAttempt: (webhookId: string, attempt: Attempt) => void
  readonly onExpired: (webhookId: string, events: number) => void
  /** The receiver of the webhook wants no more deliveries. */
  readonly onGone: (webhook: WebhookRow) => void
  /** 0 to 1. */
  readonly random: () => number
  readonly reportFailure: ReportFailure
}

export type DeliveryQueueOptions = {
  readonly webhookId: string
  readonly operatorId: string
  readonly backlog: Backlog
  /** The eventSequence of the operator's last event known to be stored. */
  readonly head: () => number
  /** How earlier attempts of deliveries have ended, before a restart. */
  readonly states?: readonly DeliveryState[]
}

const attemptsPerWebhookMax = 8
export const outstandingMax = 1_000
const readAheadMax = 100
const outstandingBytesMax = 4 * 1024 * 1024
const readRetryMs = 1_000
const attemptsMin = 2
/** A failure this slow halves the number of concurrent first attempts; a success adds one. */
const slowFailureMs = 1_000
/** Retries have slots of their own, so that slow retries do not block first attempts. */
export const retriesMax = 4
const ownerCheckMs = 500
/** So often a waiting delivery is attempted early while no further one can begin. */
const probeEveryMs = 300_000
/** The receiver wants no more deliveries. */
const goneStatus = 410

type Pending = {
  readonly delivery: Delivery
  attempts: number
  /** When its next attempt is due, in logical time, while it waits for it. */
  dueAt: number | null
  cancelTimer: CancelTimer | null
}

export class DeliveryQueue implements SlotUser {
  readonly webhookId: string
  readonly operatorId: string
  readonly #context: DeliveryContext
  readonly #backlog: Backlog
  readonly #head: () => number
  /** Unfinished deliveries by eventSequence, in ascending order. */
  readonly #outstanding = new Map<number, Pending>()
  readonly #states: Map<number, DeliveryState>
  readonly #first: Pending[] = []
  readonly #retries: Pending[] = []
  #outstandingBytes = 0
  #firstUnderWay = 0
  #retriesUnderWay = 0
  /** Concurrent first attempts. Starts at the maximum: a slow receiver may be a healthy one. */
  #allowed = attemptsPerWebhookMax
  #isReading = false
  #isWaking = false
  #isProbing = false
  #isPaused = false
  #isClosed = false
  readonly #lost: LostLog

  constructor(options: DeliveryQueueOptions, context: DeliveryContext) {
    this.webhookId = options.webhookId
    this.operatorId = options.operatorId
    this.#backlog = options.backlog
    this.#head = options.head
    this.#states = new Map((options.states ?? []).map((state) => [state.sequence, state]))
    this.#context = context
    this.#lost = new LostLog(options, context)
  }

  /** Every event up to this eventSequence is delivered, lost or filtered out. */
  get finishedThrough(): number {
    const [earliest] = this.#outstanding.keys()
    return earliest === undefined ? this.#backlog.position : earliest - 1
  }

  get outstanding(): number {
    return this.#outstanding.size
  }

  /** Called when there may be new events. */
  wake(): void {
    if (this.#isPaused || this.#isClosed) return
    this.#fill()
    if (this.#wantsSlot) this.#context.slots.request(this)
  }

  /** Called when the webhook was edited: the backlog is read again with the new filter. */
  onEdited(): void {
    this.#backlog.discardPage()
    this.#shortenWaits()
    this.wake()
  }

  /** Starts no new attempts; the results of running ones still count. */
  pause(): void {
    this.#isPaused = true
    this.#context.slots.withdraw(this)
    for (const { cancelTimer } of this.#outstanding.values()) cancelTimer?.()
  }

  /** Starts no new attempts; the results of running ones are ignored. */
  close(): void {
    this.pause()
    this.#isClosed = true
  }

  startOne(): boolean {
    const webhook = this.#context.find(this.webhookId)
    if (webhook === undefined || !webhook.isActive) return false
    if (!this.#context.isOperatorActive(this.operatorId)) return false
    if (!this.#context.isOwner()) {
      this.#wakeLater()
      return false
    }
    const pending = this.#canRetry
      ? this.#retries.shift()
      : this.#canStartFirst && this.#first.shift()
    if (!pending) return false
    if (isSubscribed(webhook, pending)) {
      this.#count(pending, 1)
      this.#context.slots.acquire(this.operatorId)
      this.#attempt(pending, webhook).catch((error: unknown) => {
        this.#report('webhook delivery failed', error)
      })
    } else {
      this.#finish(pending)
    }
    this.#fill()
    return this.#wantsSlot
  }

  // The lease may be renewed late.
  #wakeLater(): void {
    if (this.#isWaking) return
    this.#isWaking = true
    this.#context.timing.after(ownerCheckMs, () => {
      this.#isWaking = false
      this.wake()
    })
  }

  get #wantsSlot(): boolean {
    return (this.#canRetry || this.#canStartFirst) && !this.#isPaused
  }

  get #canRetry(): boolean {
    return this.#retries.length > 0 && this.#retriesUnderWay < retriesMax
  }

  get #canStartFirst(): boolean {
    return this.#first.length > 0 && this.#firstUnderWay < this.#allowed
  }

  #count({ attempts }: Pending, by: number): void {
    if (attempts === 0) this.#firstUnderWay += by
    else this.#retriesUnderWay += by
  }

  #fill(): void {
    try {
      this.#fillFromBacklog()
    } catch (error) {
      this.#report('webhook backlog not expanded', error)
      this.#readLater()
    }
  }

  #report(event: string, error: unknown): void {
    this.#context.reportFailure('feed', event, { webhookId: this.webhookId, error })
  }

  #fillFromBacklog(): void {
    const webhook = this.#context.find(this.webhookId)
    const types = filterOf(webhook?.events ?? [])
    while (this.#hasCapacity) {
      const event = this.#backlog.next(types)
      if (event === null) {
        if (this.#backlog.position < this.#head()) void this.#read(types)
        return
      }
      this.#add(event, webhook?.format)
    }
  }

  #add(event: Event, format: WebhookRow['format'] | undefined): void {
    const state = this.#states.get(event.sequence)
    this.#states.delete(event.sequence)
    if (state !== undefined && hasEnded(state)) return
    const delivery = deliveryOf(this.webhookId, event, format)
    const pending: Pending = { delivery, attempts: 0, dueAt: null, cancelTimer: null }
    this.#outstanding.set(event.sequence, pending)
    this.#outstandingBytes += delivery.body.length
    if (state?.status === 'RETRYING' && state.nextAt !== null) {
      pending.attempts = state.attempt
      this.#wait(pending, Math.max(0, state.nextAt - this.#context.timing.now()))
    } else {
      this.#first.push(pending)
    }
  }

  get #hasCapacity(): boolean {
    const isBusy = this.#isReading || this.#isPaused
    return !isBusy && this.#first.length < readAheadMax && !this.#isFull
  }

  get #isFull(): boolean {
    const { size } = this.#outstanding
    return size >= outstandingMax || this.#outstandingBytes >= outstandingBytesMax
  }

  async #read(types: number | null): Promise<void> {
    const { timing, eventRetentionMs, onExpired, log } = this.#context
    this.#isReading = true
    try {
      const notBefore = timing.now() - eventRetentionMs
      const head = this.#head()
      const expired = await this.#backlog.load({ types, notBefore, head })
      if (expired > 0) onExpired(this.webhookId, expired)
      this.#isReading = false
      this.wake()
    } catch (error) {
      log.warn('webhook backlog not read', { webhookId: this.webhookId, error })
      this.#readLater()
    }
  }

  #readLater(): void {
    this.#isReading = true
    this.#context.timing.after(readRetryMs, () => {
      this.#isReading = false
      this.wake()
    })
  }

  async #attempt(pending: Pending, webhook: WebhookRow): Promise<void> {
    const result = await makeAttempt(this.#context, webhook, pending.delivery)
    this.#count(pending, -1)
    try {
      if (!this.#isClosed) {
        this.#adjust(result)
        this.#settle(pending, webhook, result)
      }
    } finally {
      this.#context.slots.release(this.operatorId)
      this.wake()
    }
  }

  /** A receiver that hangs must not occupy slots that other webhooks could use. */
  #adjust({ error, durationMs }: TimedResult): void {
    if (error === null) this.#allowed = Math.min(attemptsPerWebhookMax, this.#allowed + 1)
    else if (durationMs >= slowFailureMs) this.#allowed = Math.max(attemptsMin, this.#allowed >> 1)
  }

  #settle(pending: Pending, webhook: WebhookRow, result: TimedResult): void {
    const { timing, onAttempt, onGone } = this.#context
    const { delivery } = pending
    pending.attempts += 1
    const isGone = result.httpStatus === goneStatus && this.#schedule === 'LONG'
    const waitMs = result.error === null || isGone ? null : this.#retryDelay(pending, result)
    const finalStatus = result.error === null ? 'DELIVERED' : 'FAILED'
    const status = waitMs === null ? finalStatus : 'RETRYING'
    const nextAt = waitMs === null ? null : timing.now() + waitMs
    const about = { ...aboutAttempt(delivery, result), attempt: pending.attempts }
    onAttempt(this.webhookId, { ...about, status, nextAt })
    if (status === 'FAILED') this.#lost.add(delivery.sequence)
    if (isGone) onGone(webhook)
    if (waitMs !== null) {
      if (!this.#isPaused) this.#wait(pending, waitMs)
      return
    }
    const wasFull = this.#isFull
    this.#finish(pending)
    if (wasFull && result.error === null) this.#hurry()
  }

  get #schedule(): RetrySchedule {
    return this.#context.find(this.webhookId)?.retrySchedule ?? 'STANDARD'
  }

  #retryDelay({ attempts, delivery }: Pending, { retryAfterMs }: TimedResult): number | null {
    const { timing, eventRetentionMs, random } = this.#context
    return retryDelay({
      schedule: this.#schedule,
      attempts,
      retryAfterMs,
      now: timing.now(),
      expiresAt: delivery.createdAt + eventRetentionMs,
      random: random(),
    })
  }

  #wait(pending: Pending, waitMs: number): void {
    const { timing } = this.#context
    pending.dueAt = timing.now() + waitMs
    pending.cancelTimer = timing.after(waitMs, () => this.#retry(pending))
    if (this.#isFull) this.#probeLater()
  }

  #retry(pending: Pending): void {
    pending.dueAt = null
    this.#retries.push(pending)
    if (this.#wantsSlot) this.#context.slots.request(this)
  }

  /** If the schedule has become a shorter one. */
  #shortenWaits(): void {
    const { timing } = this.#context
    const longest = longestWait(this.#schedule)
    for (const pending of this.#outstanding.values()) {
      if (pending.dueAt === null || pending.dueAt - timing.now() <= longest) continue
      pending.cancelTimer?.()
      this.#wait(pending, longest)
    }
  }

  /**
   * Attempts the waiting delivery that is due first. A success while no further delivery can begin
   * means that the receiver is back: the others need not wait for hours.
   */
  #hurry(): void {
    if (this.#schedule !== 'LONG' || this.#isPaused) return
    let next: Pending | null = null
    for (const pending of this.#outstanding.values()) {
      if (pending.dueAt !== null && pending.dueAt < (next?.dueAt ?? Number.POSITIVE_INFINITY)) {
        next = pending
      }
    }
    if (next === null) return
    next.cancelTimer?.()
    this.#retry(next)
  }

  #probeLater(): void {
    if (this.#isProbing) return
    this.#isProbing = true
    this.#context.timing.after(probeEveryMs, () => {
      this.#isProbing = false
      if (this.#isPaused || !this.#isFull) return
      this.#hurry()
      this.#probeLater()
    })
  }

  #finish({ delivery }: Pending): void {
    this.#outstanding.delete(delivery.sequence)
    this.#outstandingBytes -= delivery.body.length
  }
}

/** By the current filter of the webhook. */
function isSubscribed({ events }: WebhookRow, { delivery }: Pending): boolean {
  return events.length === 0 || events.includes(delivery.eventType)
}

/** Whether no attempt has to follow; a redelivery that failed says nothing about the delivery. */
function hasEnded({ status, isRedelivery }: DeliveryState): boolean {
  return status === 'DELIVERED' || (status === 'FAILED' && !isRedelivery)
}
