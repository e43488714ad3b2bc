// Delivers events to one webhook. First attempts start in the order of the events; a delivery that
// failed waits for its retry while later events are delivered. The cursor stays before the first
// unfinished delivery, so that unfinished deliveries are sent again after a restart.

import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { Log } from '../../ops/log.ts'
import type { WebhookRow } from '../../store/store.ts'
import type { CancelTimer, Timing } from '../timing.ts'
import type { Attempt } from './attempt-log.ts'
import { type Backlog, filterOf } from './backlog.ts'
import { type Delivery, deliveryOf, headersOf } from './delivery.ts'
import type { Slots, SlotUser } from './slots.ts'
import type { AttemptResult, WebhookRequest } from './webhook-sender.ts'

/** What all delivery queues share. */
export type DeliveryContext = {
  readonly slots: Slots
  readonly attempt: (request: WebhookRequest) => Promise<AttemptResult>
  /** The current settings of the webhook; undefined once it is deleted. */
  readonly find: (webhookId: string) => WebhookRow | undefined
  readonly secretOf: (webhook: WebhookRow) => string
  readonly isOperatorActive: (operatorId: string) => boolean
  /** Whether this process certainly owns the shard: after that, another one delivers. */
  readonly isOwner: () => boolean
  readonly timing: Timing
  readonly eventRetentionMs: number
  readonly onAttempt: (webhookId: string, attempt: Attempt) => void
  readonly onExpired: (webhookId: string, events: number) => void
  readonly log: Pick<Log, 'warn'>
  readonly reportFailure: ReportFailure
}

export type DeliveryQueueOptions = {
  readonly webhookId: string
  readonly operatorId: string
  readonly backlog: Backlog
  /** The eventSequence of the operator's last event known to be stored. */
  readonly head: () => number
}

/** Counted from the end of the previous attempt. */
const retryDelaysMs: readonly number[] = [5_000, 30_000]
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
const lostLogEveryMs = 60_000

type Pending = { readonly delivery: Delivery; attempts: number; cancelTimer: CancelTimer | null }

export class DeliveryQueue implements SlotUser {
  readonly webhookId: string
  readonly operatorId: string
  readonly #context: DeliveryContext
  readonly #backlog: Backlog
  readonly #head: () => number
  /** Unfinished deliveries by eventSequence, in ascending order. */
  readonly #outstanding = new Map<number, Pending>()
  readonly #first: Pending[] = []
  readonly #retries: Pending[] = []
  #outstandingBytes = 0
  #firstUnderWay = 0
  #retriesUnderWay = 0
  /** Concurrent first attempts. Starts at the maximum: a slow receiver may be a healthy one. */
  #allowed = attemptsPerWebhookMax
  #isReading = false
  #isWaking = false
  #isPaused = false
  #isClosed = false
  #lost = 0
  #lostLoggedAt = Number.NEGATIVE_INFINITY

  constructor(options: DeliveryQueueOptions, context: DeliveryContext) {
    this.webhookId = options.webhookId
    this.operatorId = options.operatorId
    this.#backlog = options.backlog
    this.#head = options.head
    this.#context = context
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
    const types = filterOf(this.#context.find(this.webhookId)?.events ?? [])
    while (this.#hasCapacity) {
      const event = this.#backlog.next(types)
      if (event === null) {
        if (this.#backlog.position < this.#head()) void this.#read(types)
        return
      }
      const delivery = deliveryOf(this.webhookId, event)
      const pending = { delivery, attempts: 0, cancelTimer: null }
      this.#outstanding.set(event.sequence, pending)
      this.#outstandingBytes += delivery.body.length
      this.#first.push(pending)
    }
  }

  get #hasCapacity(): boolean {
    return (
      !(this.#isReading || this.#isPaused) &&
      this.#first.length < readAheadMax &&
      this.#outstanding.size < outstandingMax &&
      this.#outstandingBytes < outstandingBytesMax
    )
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
    const { timing } = this.#context
    const startedAt = timing.wall()
    const result = await this.#send(pending.delivery, webhook, startedAt)
    const durationMs = Math.max(0, timing.wall() - startedAt)
    this.#count(pending, -1)
    try {
      if (!this.#isClosed) {
        this.#adjust(result, durationMs)
        this.#settle(pending, { ...result, startedAt, durationMs })
      }
    } finally {
      this.#context.slots.release(this.operatorId)
      this.wake()
    }
  }

  async #send(delivery: Delivery, webhook: WebhookRow, now: number): Promise<AttemptResult> {
    const { attempt, secretOf, log } = this.#context
    const { url } = webhook
    const { body } = delivery
    try {
      const headers = headersOf(delivery, { secret: secretOf(webhook), now })
      return await attempt({ url, headers, body })
    } catch (error) {
      log.warn('webhook attempt not started', { webhookId: this.webhookId, error })
      return { httpStatus: null, error: 'The service failed to start the attempt.' }
    }
  }

  /** A receiver that hangs must not occupy slots that other webhooks could use. */
  #adjust({ error }: AttemptResult, durationMs: number): void {
    if (error === null) this.#allowed = Math.min(attemptsPerWebhookMax, this.#allowed + 1)
    else if (durationMs >= slowFailureMs) this.#allowed = Math.max(attemptsMin, this.#allowed >> 1)
  }

  #settle(
    pending: Pending,
    result: AttemptResult & { readonly startedAt: number; readonly durationMs: number },
  ): void {
    const { slots, timing, onAttempt } = this.#context
    const { id, sequence, eventType } = pending.delivery
    pending.attempts += 1
    const waitMs = result.error === null ? undefined : retryDelaysMs[pending.attempts - 1]
    const finalStatus = result.error === null ? 'DELIVERED' : 'FAILED'
    const status = waitMs === undefined ? finalStatus : 'RETRYING'
    const attempt = pending.attempts
    onAttempt(this.webhookId, { id, sequence, eventType, attempt, status, ...result })
    if (status === 'FAILED') this.#logLost(sequence)
    if (waitMs === undefined) {
      this.#finish(pending)
    } else if (!this.#isPaused) {
      pending.cancelTimer = timing.after(waitMs, () => {
        this.#retries.push(pending)
        if (this.#wantsSlot) slots.request(this)
      })
    }
  }

  #finish({ delivery }: Pending): void {
    this.#outstanding.delete(delivery.sequence)
    this.#outstandingBytes -= delivery.body.length
  }

  /** Logs the first at once, then at most one line a minute: there may be thousands. */
  #logLost(sequence: number): void {
    const { timing, log } = this.#context
    this.#lost += 1
    if (timing.now() - this.#lostLoggedAt < lostLogEveryMs) return
    const { webhookId, operatorId } = this
    log.warn('webhook deliveries lost', { webhookId, operatorId, count: this.#lost, sequence })
    this.#lostLoggedAt = timing.now()
    this.#lost = 0
  }
}

/** By the current filter of the webhook. */
function isSubscribed({ events }: WebhookRow, { delivery }: Pending): boolean {
  return events.length === 0 || events.includes(delivery.eventType)
}
