// Sends one webhook its events. First attempts start in the order of the events; one that fails
// waits for its next attempt aside, and later events go on. What is not over when the service ends
// is sent again by the next start, for the cursor stays before it.

import type { Log } from '../../ops/log.ts'
import type { WebhookRow } from '../../store/store.ts'
import type { CallOff, Timing } from '../timing.ts'
import type { Attempt } from './attempt-log.ts'
import { type Backlog, filterOf } from './backlog.ts'
import { type Delivery, deliveryOf, headersOf } from './delivery.ts'
import type { Slots, SlotUser } from './slots.ts'
import type { Outcome, Posting } from './webhook-sender.ts'

/** What all pumps share. */
export type PumpRoom = {
  readonly slots: Slots
  readonly attempt: (posting: Posting) => Promise<Outcome>
  /** As it is now; undefined once it is deleted. */
  readonly find: (webhookId: string) => WebhookRow | undefined
  readonly secretOf: (webhook: WebhookRow) => string
  readonly isOperatorActive: (operatorId: string) => boolean
  readonly timing: Timing
  readonly eventRetentionMs: number
  readonly onAttempt: (webhookId: string, attempt: Attempt) => void
  readonly onExpired: (webhookId: string, events: number) => void
  readonly log: Pick<Log, 'warn'>
}

export type DeliveryQueueOptions = {
  readonly webhookId: string
  readonly operatorId: string
  readonly backlog: Backlog
  /** The operator's last event that is known to be stored. */
  readonly head: () => number
}

/** From the end of the attempt before. */
export const retryDelaysMs: readonly number[] = [5_000, 30_000]
export const attemptsPerWebhookMax = 8
export const outstandingMax = 1_000
const readAheadMax = 100
const outstandingBytesMax = 4 * 1024 * 1024
const readAgainMs = 1_000
const attemptsFewest = 2
/** A failure that took so long halves how many are tried at once; a success allows one more. */
const slowFailureMs = 1_000
/** Repeated ones have room of their own: a receiver that is slow to refuse one gets the others. */
export const repeatsMax = 4
const lostLogEveryMs = 60_000

type Pending = { readonly delivery: Delivery; attempts: number; callOff: CallOff | null }

export class DeliveryQueue implements SlotUser {
  readonly webhookId: string
  readonly operatorId: string
  readonly #room: PumpRoom
  readonly #backlog: Backlog
  readonly #head: () => number
  /** By sequence, in ascending order: what is not over yet. */
  readonly #outstanding = new Map<number, Pending>()
  readonly #first: Pending[] = []
  readonly #again: Pending[] = []
  #outstandingBytes = 0
  #firstUnderWay = 0
  #repeatsUnderWay = 0
  /** First attempts at once: all at the beginning, for a slow receiver need not be a bad one. */
  #allowed = attemptsPerWebhookMax
  #isReading = false
  #isPaused = false
  #isClosed = false
  #lost = 0
  #lostLoggedAt = Number.NEGATIVE_INFINITY

  constructor(options: DeliveryQueueOptions, room: PumpRoom) {
    this.webhookId = options.webhookId
    this.operatorId = options.operatorId
    this.#backlog = options.backlog
    this.#head = options.head
    this.#room = room
  }

  /** Everything up to here is over. */
  get finishedThrough(): number {
    const [earliest] = this.#outstanding.keys()
    return earliest === undefined ? this.#backlog.position : earliest - 1
  }

  get outstanding(): number {
    return this.#outstanding.size
  }

  /** There may be new events. */
  wake(): void {
    if (this.#isPaused || this.#isClosed) return
    this.#fill()
    if (this.#wantsSlot) this.#room.slots.ask(this)
  }

  /** The webhook was edited: what is not taken yet is read by its new filter. */
  edited(): void {
    this.#backlog.drop()
    this.wake()
  }

  /** No new attempts; those under way still count. */
  pause(): void {
    this.#isPaused = true
    this.#room.slots.forget(this)
    for (const { callOff } of this.#outstanding.values()) callOff?.()
  }

  /** Whatever is under way no longer counts. */
  close(): void {
    this.pause()
    this.#isClosed = true
  }

  startOne(): boolean {
    const webhook = this.#room.find(this.webhookId)
    if (webhook === undefined || !webhook.isActive) return false
    if (!this.#room.isOperatorActive(this.operatorId)) return false
    const pending = this.#mayRepeat ? this.#again.shift() : this.#mayBegin && this.#first.shift()
    if (!pending) return false
    if (isAskedFor(webhook, pending)) {
      this.#count(pending, 1)
      this.#room.slots.take(this.operatorId)
      void this.#attempt(pending, webhook)
    } else {
      this.#finish(pending)
    }
    this.#fill()
    return this.#wantsSlot
  }

  get #wantsSlot(): boolean {
    return (this.#mayRepeat || this.#mayBegin) && !this.#isPaused
  }

  get #mayRepeat(): boolean {
    return this.#again.length > 0 && this.#repeatsUnderWay < repeatsMax
  }

  get #mayBegin(): boolean {
    return this.#first.length > 0 && this.#firstUnderWay < this.#allowed
  }

  #count({ attempts }: Pending, by: number): void {
    if (attempts === 0) this.#firstUnderWay += by
    else this.#repeatsUnderWay += by
  }

  #fill(): void {
    const types = filterOf(this.#room.find(this.webhookId)?.events ?? [])
    while (this.#hasRoom) {
      const event = this.#backlog.take(types)
      if (event === null) {
        if (this.#backlog.position < this.#head()) void this.#read(types)
        return
      }
      const delivery = deliveryOf(this.webhookId, event)
      const pending = { delivery, attempts: 0, callOff: null }
      this.#outstanding.set(event.sequence, pending)
      this.#outstandingBytes += delivery.body.length
      this.#first.push(pending)
    }
  }

  get #hasRoom(): boolean {
    return (
      !(this.#isReading || this.#isPaused) &&
      this.#first.length < readAheadMax &&
      this.#outstanding.size < outstandingMax &&
      this.#outstandingBytes < outstandingBytesMax
    )
  }

  async #read(types: number | null): Promise<void> {
    const { timing, eventRetentionMs, onExpired, log } = this.#room
    this.#isReading = true
    try {
      const notBefore = timing.now() - eventRetentionMs
      const head = this.#head()
      const expired = await this.#backlog.load({ types, notBefore, head })
      if (expired > 0) onExpired(this.webhookId, expired)
      this.#isReading = false
      this.wake()
    } catch (error) {
      log.warn('events not read for a webhook', { webhookId: this.webhookId, error })
      timing.after(readAgainMs, () => {
        this.#isReading = false
        this.wake()
      })
    }
  }

  async #attempt(pending: Pending, webhook: WebhookRow): Promise<void> {
    const { timing } = this.#room
    const startedAt = timing.now()
    const outcome = await this.#send(pending.delivery, webhook, startedAt)
    const durationMs = Math.max(0, timing.now() - startedAt)
    this.#count(pending, -1)
    if (!this.#isClosed) {
      this.#adjust(outcome, durationMs)
      this.#settle(pending, { ...outcome, startedAt, durationMs })
    }
    this.#room.slots.give(this.operatorId)
    this.wake()
  }

  async #send(delivery: Delivery, webhook: WebhookRow, now: number): Promise<Outcome> {
    const { attempt, secretOf, log } = this.#room
    const { url } = webhook
    const { body } = delivery
    try {
      const headers = headersOf(delivery, { secret: secretOf(webhook), now })
      return await attempt({ url, headers, body })
    } catch (error) {
      log.warn('webhook attempt broken', { webhookId: this.webhookId, error })
      return { httpStatus: null, error: 'The service could not make the attempt.' }
    }
  }

  /** A receiver that hangs must not hold the slots that others could use. */
  #adjust({ error }: Outcome, durationMs: number): void {
    if (error === null) this.#allowed = Math.min(attemptsPerWebhookMax, this.#allowed + 1)
    else if (durationMs >= slowFailureMs)
      this.#allowed = Math.max(attemptsFewest, this.#allowed >> 1)
  }

  #settle(
    pending: Pending,
    result: Outcome & { readonly startedAt: number; readonly durationMs: number },
  ): void {
    const { slots, timing, onAttempt } = this.#room
    const { id, sequence, eventType } = pending.delivery
    pending.attempts += 1
    const waitMs = result.error === null ? undefined : retryDelaysMs[pending.attempts - 1]
    const given = result.error === null ? 'DELIVERED' : 'FAILED'
    const status = waitMs === undefined ? given : 'RETRYING'
    const attempt = pending.attempts
    onAttempt(this.webhookId, { id, sequence, eventType, attempt, status, ...result })
    if (status === 'FAILED') this.#noteLost(sequence)
    if (waitMs === undefined) {
      this.#finish(pending)
    } else if (!this.#isPaused) {
      pending.callOff = timing.after(waitMs, () => {
        this.#again.push(pending)
        if (this.#wantsSlot) slots.ask(this)
      })
    }
  }

  #finish({ delivery }: Pending): void {
    this.#outstanding.delete(delivery.sequence)
    this.#outstandingBytes -= delivery.body.length
  }

  /** The first at once, then a sum of them now and then: there may be thousands. */
  #noteLost(sequence: number): void {
    const { timing, log } = this.#room
    this.#lost += 1
    if (timing.now() - this.#lostLoggedAt < lostLogEveryMs) return
    const { webhookId, operatorId } = this
    log.warn('webhook deliveries lost', { webhookId, operatorId, count: this.#lost, sequence })
    this.#lostLoggedAt = timing.now()
    this.#lost = 0
  }
}

/** By the filter as it is now. */
function isAskedFor({ events }: WebhookRow, { delivery }: Pending): boolean {
  return events.length === 0 || events.includes(delivery.eventType)
}
