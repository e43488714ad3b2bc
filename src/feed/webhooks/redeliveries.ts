// Redeliveries: one more attempt of events that the operator asks for, beside the deliveries. They
// do not move the position of a webhook, and are forgotten when the process ends.

import type { Event } from '../../core/events/events.ts'
import type { EventRecordRow, RecordStore, WebhookRow } from '../../store/store.ts'
import { filterOf } from './backlog.ts'
import { deliveryOf } from './delivery.ts'
import type { DeliveryContext } from './delivery-queue.ts'
import { EventLookup, eventsOrNull } from './event-lookup.ts'
import { aboutAttempt, makeAttempt } from './make-attempt.ts'
import type { SlotUser } from './slots.ts'

export type RedeliveryRequest = Wanted & {
  /** The same in a repetition of the request, whose first outcome may be unknown. */
  readonly requestId?: string | undefined
}

type Wanted =
  | { readonly fromSequence: number; readonly toSequence: number }
  | { readonly failed: true }

export type RedeliveryAnswer =
  /** The events of records that are damaged are left out, and counted. */
  | { readonly queued: number; readonly unreadable: number }
  /** More deliveries than one request may name. */
  | { readonly failed: number; readonly firstSequence: number; readonly lastSequence: number }
  /** Too many redeliveries of the webhook are waiting. */
  | { readonly waiting: number }

export type RedeliveriesOptions = {
  readonly context: DeliveryContext
  readonly reads: Pick<RecordStore, 'events' | 'webhookDeliveries'>
  readonly operatorNumber: (operatorId: string) => number
  readonly expand: (operatorId: string, row: EventRecordRow) => readonly Event[]
  /** Until the log in the store has all attempts of the webhook. */
  readonly untilLogged: (webhookId: string) => Promise<void>
}

type Found = { readonly sequences: readonly number[]; readonly unreadable: number }

/** Of one request, and of all that wait for a webhook. */
export const redeliveriesMax = 1_000
const underWayMax = 4
/** Of all webhooks: a repetition follows within seconds. */
const answersMax = 1_000
const rowsPerReadMax = 64
const retryMs = 1_000

export class Redeliveries {
  readonly #options: RedeliveriesOptions
  readonly #queues = new Map<string, RedeliveryQueue>()
  /** Of the latest requests with an id; they are forgotten with the queues. */
  readonly #answers = new Map<string, Promise<RedeliveryAnswer>>()
  #isClosed = false

  constructor(options: RedeliveriesOptions) {
    this.#options = options
  }

  /** A repeated request has the first answer, and queues nothing more. */
  request(webhook: WebhookRow, request: RedeliveryRequest): Promise<RedeliveryAnswer> {
    const { requestId } = request
    if (requestId === undefined) return this.#carryOut(webhook, request)
    const known = this.#answers.get(requestId)
    if (known !== undefined) return known
    const answer = this.#carryOut(webhook, request)
    this.#answers.set(requestId, answer)
    const [oldest] = this.#answers.keys()
    if (oldest !== undefined && this.#answers.size > answersMax) this.#answers.delete(oldest)
    answer.then(
      (made) => 'queued' in made || this.#answers.delete(requestId),
      () => this.#answers.delete(requestId),
    )
    return answer
  }

  async #carryOut(webhook: WebhookRow, request: Wanted): Promise<RedeliveryAnswer> {
    const { sequences, unreadable } =
      'failed' in request
        ? await this.#failed(webhook)
        : await this.#inRange(webhook, request.fromSequence, request.toSequence)
    if (sequences.length > redeliveriesMax) {
      const [firstSequence, lastSequence] = [sequences[0]!, sequences.at(-1)!]
      return { failed: sequences.length, firstSequence, lastSequence }
    }
    const waiting = this.#queues.get(webhook.id)?.size ?? 0
    if (waiting + sequences.length > redeliveriesMax) return { waiting }
    if (sequences.length > 0 && !this.#isClosed) this.#queueOf(webhook).add(sequences)
    if (unreadable > 0) {
      const about = { webhookId: webhook.id, unreadable }
      this.#options.context.log.warn('events of a redelivery cannot be read', about)
    }
    return { queued: sequences.length, unreadable }
  }

  /** The webhook is deleted. */
  delete(webhookId: string): void {
    this.#queues.get(webhookId)?.close()
    this.#queues.delete(webhookId)
  }

  onOperatorChanged(operatorId: string): void {
    for (const queue of this.#queues.values()) if (queue.operatorId === operatorId) queue.wake()
  }

  close(): void {
    this.#isClosed = true
    for (const webhookId of [...this.#queues.keys()]) this.delete(webhookId)
  }

  #queueOf(webhook: WebhookRow): RedeliveryQueue {
    const { id: webhookId, operatorId } = webhook
    const known = this.#queues.get(webhookId)
    if (known !== undefined) return known
    const events = this.#lookup(operatorId)
    const onEmpty = () => this.#queues.delete(webhookId)
    const about = { webhookId, operatorId, events, onEmpty }
    const queue = new RedeliveryQueue(about, this.#options.context)
    this.#queues.set(webhookId, queue)
    return queue
  }

  #lookup(operatorId: string): EventLookup {
    const { context, reads, operatorNumber, expand } = this.#options
    return new EventLookup({
      read: reads.events,
      expand: (row) => expand(operatorId, row),
      operatorNumber: operatorNumber(operatorId),
      notBefore: () => context.timing.now() - context.eventRetentionMs,
    })
  }

  async #failed({ id: webhookId, operatorId, events }: WebhookRow): Promise<Found> {
    const { reads, operatorNumber, untilLogged } = this.#options
    await untilLogged(webhookId)
    const query = { operatorNumber: operatorNumber(operatorId), webhookId, after: 0 }
    const failed = (await reads.webhookDeliveries(query)).flatMap(
      ({ sequence, status, eventType }) =>
        status === 'FAILED' && isAmong(events, eventType) ? [sequence] : [],
    )
    if (failed.length > redeliveriesMax) return { sequences: failed, unreadable: 0 }
    const lookup = this.#lookup(operatorId)
    const sequences: number[] = []
    for (const sequence of failed) {
      if (await lookup.isReadable(sequence)) sequences.push(sequence)
    }
    return { sequences, unreadable: failed.length - sequences.length }
  }

  /** Which of the events of a damaged record the webhook subscribes to is unknown: all count. */
  async #inRange(webhook: WebhookRow, from: number, to: number): Promise<Found> {
    const { context, reads, operatorNumber, expand } = this.#options
    const { operatorId, events } = webhook
    const query = {
      operatorNumber: operatorNumber(operatorId),
      types: filterOf(events),
      marketSerial: null,
      limit: rowsPerReadMax,
      notBefore: context.timing.now() - context.eventRetentionMs,
    }
    const sequences: number[] = []
    let unreadable = 0
    for (let since = from - 1; since < to; ) {
      const { rows, hasMore } = await reads.events({ ...query, since })
      for (const row of rows) {
        if (row.firstSequence > to) return { sequences, unreadable }
        const expanded = eventsOrNull(() => expand(operatorId, row))
        if (expanded === null) {
          unreadable += Math.min(row.lastSequence, to) - Math.max(row.firstSequence, from) + 1
          continue
        }
        for (const { sequence, eventType } of expanded) {
          if (sequence < from || sequence > to) continue
          if (isAmong(events, eventType)) sequences.push(sequence)
        }
      }
      if (!hasMore) return { sequences, unreadable }
      since = rows.at(-1)!.lastSequence
    }
    return { sequences, unreadable }
  }
}

type QueueOptions = {
  readonly webhookId: string
  readonly operatorId: string
  readonly events: EventLookup
  readonly onEmpty: () => void
}

class RedeliveryQueue implements SlotUser {
  readonly operatorId: string
  readonly #options: QueueOptions
  readonly #context: DeliveryContext
  readonly #waiting: number[] = []
  #underWay = 0
  #isPausing = false
  #isClosed = false

  constructor(options: QueueOptions, context: DeliveryContext) {
    this.operatorId = options.operatorId
    this.#options = options
    this.#context = context
  }

  get size(): number {
    return this.#waiting.length + this.#underWay
  }

  add(sequences: readonly number[]): void {
    this.#waiting.push(...sequences)
    this.wake()
  }

  wake(): void {
    if (this.#wantsSlot) this.#context.slots.request(this)
  }

  close(): void {
    this.#isClosed = true
    this.#waiting.length = 0
    this.#context.slots.withdraw(this)
  }

  startOne(): boolean {
    if (!this.#context.isOperatorActive(this.operatorId)) return false
    if (!this.#context.isOwner()) {
      this.#pause()
      return false
    }
    const sequence = this.#waiting.shift()
    if (sequence === undefined) return false
    this.#underWay += 1
    this.#context.slots.acquire(this.operatorId)
    void this.#run(sequence)
    return this.#wantsSlot
  }

  get #wantsSlot(): boolean {
    const isFree = this.#underWay < underWayMax && !this.#isPausing && !this.#isClosed
    return isFree && this.#waiting.length > 0
  }

  async #run(sequence: number): Promise<void> {
    const { webhookId, events, onEmpty } = this.#options
    const { reportFailure, slots } = this.#context
    try {
      const event = await this.#eventOf(events, sequence)
      if (event !== null) await this.#deliver(event)
    } catch (error) {
      reportFailure('feed', 'webhook redelivery failed', { webhookId, error })
    } finally {
      this.#underWay -= 1
      slots.release(this.operatorId)
      if (this.size === 0 && !this.#isClosed) onEmpty()
      else this.wake()
    }
  }

  /** null if it was deleted meanwhile, or if it is read again later. */
  async #eventOf(events: EventLookup, sequence: number): Promise<Event | null> {
    try {
      return await events.find(sequence)
    } catch (error) {
      const { webhookId } = this.#options
      this.#context.log.warn('webhook redelivery not read', { webhookId, error })
      if (!this.#isClosed) this.#waiting.unshift(sequence)
      this.#pause()
      return null
    }
  }

  async #deliver(event: Event): Promise<void> {
    const { find, onAttempt } = this.#context
    const { webhookId } = this.#options
    const webhook = find(webhookId)
    if (webhook === undefined || !isAmong(webhook.events, event.eventType)) return
    const delivery = deliveryOf(webhookId, event, webhook.format)
    const result = await makeAttempt(this.#context, webhook, delivery)
    const status = result.error === null ? 'DELIVERED' : 'FAILED'
    const about = { ...aboutAttempt(delivery, result), isRedelivery: true }
    onAttempt(webhookId, { ...about, attempt: 1, status, nextAt: null })
  }

  #pause(): void {
    if (this.#isPausing) return
    this.#isPausing = true
    this.#context.timing.after(retryMs, () => {
      this.#isPausing = false
      this.wake()
    })
  }
}

function isAmong(events: readonly string[], eventType: string): boolean {
  return events.length === 0 || events.includes(eventType)
}
