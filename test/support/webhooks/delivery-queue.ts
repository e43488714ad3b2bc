// A webhook's pump over made-up events, with a receiver whose answers the test gives, and a time
// that it moves.

import type { Attempt } from '../../../src/feed/webhooks/attempt-log.ts'
import { Backlog } from '../../../src/feed/webhooks/backlog.ts'
import { DeliveryQueue, type PumpRoom } from '../../../src/feed/webhooks/delivery-queue.ts'
import { Slots } from '../../../src/feed/webhooks/slots.ts'
import type { Outcome, Posting } from '../../../src/feed/webhooks/webhook-sender.ts'
import type { WebhookRow } from '../../../src/store/store.ts'
import { settled, TestTiming } from '../process/timing.ts'
import { EventRows } from '../store/event-rows.ts'

export const delivered: Outcome = { httpStatus: 200, error: null }
export const broken: Outcome = { httpStatus: 500, error: 'The answer was 500.' }

export type Arrival = {
  readonly sequence: number
  readonly at: number
  readonly posting: Posting
  readonly answer: (outcome: Outcome) => void
}

export class DeliveryQueueFixture {
  readonly timing = new TestTiming()
  readonly told = new EventRows()
  readonly arrivals: Arrival[] = []
  readonly attempts: Attempt[] = []
  readonly warnings: string[] = []
  readonly slots = new Slots()
  readonly queue: DeliveryQueue
  readonly startedAt = this.timing.now()
  /** Answers at once; null where the test answers each. */
  answer: ((sequence: number) => Outcome) | null = null
  isOperatorActive = true
  expired = 0
  secret = 'secret'
  webhook: WebhookRow | undefined = {
    id: '01890000-0000-7000-8000-0000000000aa',
    operatorId: 'operator',
    url: 'https://example.com/hook',
    sealedSecret: '',
    events: [],
    isActive: true,
    description: null,
    createdAt: 0,
    updatedAt: 0,
  }

  constructor({ payloadBytes = 0, eventRetentionMs = Number.POSITIVE_INFINITY } = {}) {
    this.told.payloadBytes = payloadBytes
    const room: PumpRoom = {
      slots: this.slots,
      attempt: (posting) => this.#arrive(posting),
      find: () => this.webhook,
      secretOf: () => this.secret,
      isOperatorActive: () => this.isOperatorActive,
      timing: this.timing,
      eventRetentionMs,
      onAttempt: (_id, attempt) => this.attempts.push(attempt),
      onExpired: (_id, events) => {
        this.expired += events
      },
      log: { warn: (event) => this.warnings.push(event) },
    }
    const { read, expand } = this.told
    const backlog = new Backlog({ read, expand, operator: 1, since: 0 })
    const { id: webhookId, operatorId } = this.webhook!
    const head = () => this.told.head
    this.queue = new DeliveryQueue({ webhookId, operatorId, backlog, head }, room)
  }

  get sequences(): readonly number[] {
    return this.arrivals.map(({ sequence }) => sequence)
  }

  /** How many have arrived and are not answered. */
  get underWay(): number {
    return this.slots.taken
  }

  /** So many events, each of a command of its own. */
  publish(count: number): void {
    for (let at = 0; at < count; at += 1) this.told.publish(['ORDER_PLACED'], this.timing.now())
  }

  async wake(): Promise<void> {
    this.queue.wake()
    await settled()
  }

  async answerAll(outcome: Outcome): Promise<void> {
    for (const arrival of this.arrivals) arrival.answer(outcome)
    await settled()
  }

  #arrive(posting: Posting): Promise<Outcome> {
    const { sequence } = JSON.parse(Buffer.from(posting.body).toString())
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.arrivals.push({ sequence, at: this.timing.now(), posting, answer: resolve })
    const answer = this.answer
    if (answer !== null) setImmediate(() => resolve(answer(sequence)))
    return promise
  }
}
