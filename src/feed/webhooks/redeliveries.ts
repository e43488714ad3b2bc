// Redeliveries: one more attempt of events that the operator asks for, beside the deliveries. They
// do not move the position of a webhook, and are forgotten when the process ends.

import type { Event } from '../../core/events/events.ts'
import type { EventRecordRow, RecordStore, WebhookRow } from '../../store/store.ts'
import { filterOf } from './backlog.ts'
import { deliveryOf } from './delivery.ts'
import type { DeliveryContext } from './delivery-queue.ts'
import { EventLookup } from './event-lookup.ts'
import { aboutAttempt, makeAttempt } from './make-attempt.ts'
import type { SlotUser } from './slots.ts'

export type RedeliveryRequest =
  | { readonly fromSequence: number; readonly toSequence: number }
  | { readonly failed: true }

export type RedeliveryAnswer =
  | { readonly queued: number }
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

/** Of one request, and of all that wait for a webhook. */
export const redeliveriesMax = 1_000
const underWayMax = 4
const rowsPerReadMax = 64
const retryMs = 1_000

export class Redeliveries {
  readonly #options: RedeliveriesOptions
  readonly #queues = new Map<string, RedeliveryQueue>()
  #isClosed = false

  constructor(options: RedeliveriesOptions) {
    this.#options = options
  }

  async request(webhook: WebhookRow, request: RedeliveryRequest): Promise<RedeliveryAnswer> {
    const sequences =
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
    return { queued: sequences.length }
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
    const { context, reads, operatorNumber, expand } = this.#options
    const events = new EventLookup({
      read: reads.events,
      expand: (row) => expand(operatorId, row),
      operatorNumber: operatorNumber(operatorId),
      notBefore: () => context.timing.now() - context.eventRetentionMs,
    })
    const onEmpty = () => this.#queues.delete(webhookId)
    const queue = new RedeliveryQueue({ webhookId, operatorId, events, onEmpty }, context)
    this.#queues.set(webhookId, queue)
    return queue
  }

  async #failed({ id: webhookId, operatorId, events }: WebhookRow): Promise<number[]> {
    const { reads, operatorNumber, untilLogged } = this.#options
    await untilLogged(webhookId)
    const query = { operatorNumber: operatorNumber(operatorId), webhookId, after: 0 }
    return (await reads.webhookDeliveries(query)).flatMap(({ sequence, status, eventType }) =>
      status === 'FAILED' && isAmong(events, eventType) ? [sequence] : [],
    )
  }

  async #inRange(webhook: WebhookRow, from: number, to: number): Promise<number[]> {
    const { context, reads, operatorNumber, expand } = this.#options
    const { operatorId, events } = webhook
    const query = {
      operatorNumber: operatorNumber(operatorId),
      types: filterOf(events),
      marketSerial: null,
      limit: rowsPerReadMax,
      notBefore: context.timing.now() - context.eventRetentionMs,
    }
    const found: number[] = []
    for (let since = from - 1; since < to; ) {
      const { rows, hasMore } = await reads.events({ ...query, since })
      for (const row of rows) {
        if (row.firstSequence > to) return found
        for (const { sequence, eventType } of expand(operatorId, row)) {
          if (sequence < from || sequence > to) continue
          if (isAmong(events, eventType)) found.push(sequence)
        }
      }
      if (!hasMore) return found
      since = rows.at(-1)!.lastSequence
    }
    return found
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
