// A delivery queue with made-up events, a receiver that the test answers for, and a test clock.

import type { Attempt } from '../../../src/feed/webhooks/attempt-log.ts'
import { Backlog } from '../../../src/feed/webhooks/backlog.ts'
import { type DeliveryContext, DeliveryQueue } from '../../../src/feed/webhooks/delivery-queue.ts'
import { Slots } from '../../../src/feed/webhooks/slots.ts'
import type { AttemptResult, WebhookRequest } from '../../../src/feed/webhooks/webhook-sender.ts'
import type { DeliveryState, RetrySchedule, WebhookRow } from '../../../src/store/store.ts'
import { settled, TestTiming } from '../process/timing.ts'
import { EventRows } from '../store/event-rows.ts'

export const delivered: AttemptResult = {
  httpStatus: 200,
  error: null,
  response: 'ok',
  retryAfterMs: null,
}
export const failed: AttemptResult = {
  httpStatus: 500,
  error: 'The answer was 500.',
  response: 'oh',
  retryAfterMs: null,
}

export type Arrival = {
  readonly sequence: number
  readonly at: number
  readonly request: WebhookRequest
  readonly answer: (result: AttemptResult) => void
}

type FixtureOptions = {
  readonly payloadBytes?: number
  readonly eventRetentionMs?: number
  readonly states?: readonly DeliveryState[]
  readonly retrySchedule?: RetrySchedule
}

export class DeliveryQueueFixture {
  readonly timing = new TestTiming()
  readonly events = new EventRows()
  readonly arrivals: Arrival[] = []
  readonly attempts: Attempt[] = []
  readonly warnings: string[] = []
  readonly slots = new Slots()
  readonly context: DeliveryContext
  readonly queue: DeliveryQueue
  readonly startedAt = this.timing.now()
  /** Answers each attempt at once; if it is null, the test answers each arrival. */
  answer: ((sequence: number) => AttemptResult) | null = null
  isOperatorActive = true
  isOwner = true
  /** How often recording an attempt fails. */
  recordFailures = 0
  expired = 0
  secret = 'secret'
  /** The webhooks whose receivers want no more deliveries. */
  readonly gone: string[] = []
  random = 0.5
  webhook: WebhookRow | undefined = {
    id: '01890000-0000-7000-8000-0000000000aa',
    operatorId: 'operator',
    url: 'https://example.com/hook',
    sealedSecret: '',
    previousSealedSecret: null,
    previousSecretUntil: null,
    events: [],
    retrySchedule: 'STANDARD',
    format: 'OUTCRY',
    isActive: true,
    description: null,
    createdAt: 0,
    updatedAt: 0,
  }

  constructor({
    payloadBytes = 0,
    eventRetentionMs = Number.POSITIVE_INFINITY,
    states = [],
    retrySchedule = 'STANDARD',
  }: FixtureOptions = {}) {
    this.webhook = { ...this.webhook!, retrySchedule }
    this.events.payloadBytes = payloadBytes
    this.context = {
      slots: this.slots,
      attempt: (request) => this.#arrive(request),
      find: () => this.webhook,
      secretsOf: () => [this.secret],
      traceIdOf: () => undefined,
      isOperatorActive: () => this.isOperatorActive,
      isOwner: () => this.isOwner,
      timing: this.timing,
      eventRetentionMs,
      onAttempt: (_id, attempt) => this.#record(attempt),
      onExpired: (_id, events) => {
        this.expired += events
      },
      onGone: (webhook) => this.gone.push(webhook.id),
      random: () => this.random,
      log: { warn: (event) => this.warnings.push(event) },
      reportFailure: (_edge, event) => this.warnings.push(event),
    }
    const { read, expand } = this.events
    const backlog = new Backlog({ read, expand, operatorNumber: 1, since: 0 })
    const { id: webhookId, operatorId } = this.webhook!
    const head = () => this.events.head
    this.queue = new DeliveryQueue({ webhookId, operatorId, backlog, head, states }, this.context)
  }

  get sequences(): readonly number[] {
    return this.arrivals.map(({ sequence }) => sequence)
  }

  /** Attempts that have arrived and are not answered. */
  get inFlight(): number {
    return this.slots.inUse
  }

  /** Stores that many events, each of its own command. */
  publish(count: number): void {
    for (let at = 0; at < count; at += 1) this.events.publish(['ORDER_PLACED'], this.timing.now())
  }

  async wake(): Promise<void> {
    this.queue.wake()
    await settled()
  }

  async answerAll(result: AttemptResult): Promise<void> {
    for (const arrival of this.arrivals) arrival.answer(result)
    await settled()
  }

  #record(attempt: Attempt): void {
    if (this.recordFailures > 0) {
      this.recordFailures -= 1
      throw new Error('not recorded')
    }
    this.attempts.push(attempt)
  }

  #arrive(request: WebhookRequest): Promise<AttemptResult> {
    const { sequence } = JSON.parse(Buffer.from(request.body).toString())
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    this.arrivals.push({ sequence, at: this.timing.now(), request, answer: resolve })
    const answer = this.answer
    if (answer !== null) setImmediate(() => resolve(answer(sequence)))
    return promise
  }
}
