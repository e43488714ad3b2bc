// Delivers committed events to webhooks, with a delivery queue for each active one. A webhook
// starts with the first event after its creation or activation; after a restart, at its cursor.

import type { EventTrace } from '../../core/events/committed-turn.ts'
import { type Event, expand, type StoredEventRecord } from '../../core/events/events.ts'
import type { Ids } from '../../core/ids.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { Log } from '../../ops/log.ts'
import type {
  AttemptPage,
  AttemptQuery,
  EventQuery,
  EventRecordRow,
  EventRows,
  OperatorEventRow,
  ReadCaller,
  RecordStore,
  WebhookCursorStore,
  WebhookLogStore,
  WebhookRow,
} from '../../store/store.ts'
import type { Timing } from '../timing.ts'
import { type Attempt, AttemptLog } from './attempt-log.ts'
import { Backlog } from './backlog.ts'
import { Cursors } from './cursors.ts'
import type { Signing } from './delivery.ts'
import { type DeliveryContext, DeliveryQueue } from './delivery-queue.ts'
import { EventTraces } from './event-traces.ts'
import { RecentEvents } from './recent-events.ts'
import { Redeliveries, type RedeliveryAnswer, type RedeliveryRequest } from './redeliveries.ts'
import { Slots } from './slots.ts'
import { TestDeliveries } from './test-deliveries.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** Where the dispatcher gets webhooks and operators from. */
export type WebhookSource = {
  readonly all: () => Iterable<WebhookRow>
  readonly find: (id: string) => WebhookRow | undefined
  /** Those that sign now. */
  readonly secretsOf: (webhook: WebhookRow) => Signing['secrets']
  /** The deliveries of an inactive operator wait until it is active again. */
  readonly isOperatorActive: (operatorId: string) => boolean
  /** The number of the operator in stored rows. */
  readonly operatorNumber: (operatorId: string) => number
  /** Makes a webhook inactive, unless its URL is another one by now. */
  readonly deactivate: (webhook: WebhookRow) => Promise<void>
}

export type DispatcherOptions = {
  readonly webhooks: WebhookSource
  readonly cursors: WebhookCursorStore
  readonly attempts: WebhookLogStore
  /** For the deliveries. */
  readonly reads: Pick<RecordStore, 'events' | 'webhookDeliveries' | 'webhookLogStates'>
  /** For a list that an operator reads. */
  readonly readsFor: (caller: ReadCaller) => Pick<RecordStore, 'webhookAttempts'>
  readonly ids: Ids
  readonly isOwner: DeliveryContext['isOwner']
  readonly sender: Pick<WebhookSender, 'attempt' | 'close'>
  readonly timing: Timing
  readonly eventRetentionMs: number
  readonly log: Pick<Log, 'warn'>
  readonly reportFailure: ReportFailure
  readonly metrics: {
    webhookAttempt(status: Attempt['status']): void
    webhookExpired(events: number): void
  }
}

export type AttemptsPage = Pick<AttemptQuery, 'before' | 'limit'>

/** The delivery queues of one operator; `head` is the eventSequence of its last stored event. */
type Group = {
  readonly operatorNumber: number
  head: number
  isHeadKnown: boolean
  readonly queues: Set<DeliveryQueue>
}

function newGroup(operatorNumber: number): Group {
  return { operatorNumber, head: 0, isHeadKnown: false, queues: new Set() }
}

/** How long a process that ends waits for running attempts. */
const stopMsMax = 3_000
const stopPollMs = 10
const openRetryMs = 1_000

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #slots = new Slots()
  readonly #attempts: AttemptLog
  readonly #cursors: Cursors
  readonly #context: DeliveryContext
  readonly #queues = new Map<string, DeliveryQueue>()
  /** By the number of the operator. */
  readonly #groups = new Map<number, Group>()
  readonly #recent = new RecentEvents()
  readonly #traces = new EventTraces()
  readonly #tests: TestDeliveries
  readonly #redeliveries: Redeliveries
  readonly #toWake = new Set<Group>()
  #isStopped = false

  constructor(options: DispatcherOptions) {
    this.#options = options
    const { timing, log, reportFailure, webhooks, sender, eventRetentionMs } = options
    const { attempts: store, reads } = options
    this.#attempts = new AttemptLog({ store, states: reads.webhookLogStates, timing, log })
    this.#cursors = new Cursors({
      store: options.cursors,
      timing,
      log,
      positions: () => this.#queues.values(),
    })
    const onAttempt = (webhookId: string, attempt: Attempt) => this.#record(webhookId, attempt)
    this.#context = {
      slots: this.#slots,
      timing,
      log,
      reportFailure,
      eventRetentionMs,
      attempt: (request) => sender.attempt(request),
      find: webhooks.find,
      secretsOf: webhooks.secretsOf,
      traceIdOf: (operatorId, sequence) => this.#traces.find(operatorId, sequence),
      isOperatorActive: webhooks.isOperatorActive,
      isOwner: options.isOwner,
      onAttempt,
      onExpired: (webhookId, events) => {
        options.metrics.webhookExpired(events)
        log.warn('events expired before delivery', { webhookId, events })
      },
      onGone: (webhook) => this.#deactivate(webhook),
      random: Math.random,
    }
    const context = this.#context
    this.#tests = new TestDeliveries({ context, timing, onAttempt })
    this.#redeliveries = new Redeliveries({
      context,
      reads,
      operatorNumber: webhooks.operatorNumber,
      expand: (operatorId, row) => this.#expand(operatorId, row),
      untilLogged: (webhookId) => this.#attempts.flush(webhookId),
    })
  }

  /** Continues each webhook at its cursor. */
  async start(): Promise<void> {
    const cursors = new Map(await this.#cursors.load())
    const active = [...this.#options.webhooks.all()].filter((webhook) => webhook.isActive)
    for (const webhook of active) {
      await this.#open(webhook, cursors.get(webhook.id) ?? null)
      cursors.delete(webhook.id)
    }
    // Cursors of webhooks that were deactivated just before the service ended.
    for (const id of cursors.keys()) await this.#cursors.delete(id)
    this.#cursors.start()
    this.#attempts.start()
  }

  /** Called for every committed turn, before other orders are executed, so it must be quick. */
  onCommitted(eventRows: readonly OperatorEventRow[], traces: readonly EventTrace[] = []): void {
    if (this.#groups.size === 0) return
    const hadNone = this.#toWake.size === 0
    for (const row of eventRows) {
      const group = this.#groups.get(row.operatorNumber)
      if (group === undefined) continue
      group.head = Math.max(group.head, row.lastSequence)
      if (group.queues.size > 0) this.#recent.add(row)
      this.#toWake.add(group)
    }
    for (const trace of traces) {
      if ((this.#groupOf(trace.operatorId)?.queues.size ?? 0) > 0) this.#traces.add(trace)
    }
    if (hadNone && this.#toWake.size > 0) setImmediate(() => this.#wake())
  }

  /** Called when a webhook was created, edited or deleted. */
  async onWebhookChanged(id: string): Promise<void> {
    if (this.#isStopped) return
    const webhook = this.#options.webhooks.find(id)
    if (webhook === undefined) {
      this.#attempts.delete(id)
      this.#redeliveries.delete(id)
    }
    if (webhook === undefined || !webhook.isActive) {
      this.#close(id)
      await this.#cursors.delete(id)
    } else if (this.#queues.has(id)) {
      this.#queues.get(id)?.onEdited()
    } else {
      await this.#activate(webhook)
    }
  }

  /** Called when an operator was created or edited: deliveries continue if it is active now. */
  onOperatorChanged(id: string): void {
    for (const queue of this.#groupOf(id)?.queues ?? []) queue.wake()
    this.#redeliveries.onOperatorChanged(id)
  }

  /** The attempts in the log, newest first. */
  attempts({ id, operatorId }: WebhookRow, page: AttemptsPage): Promise<AttemptPage> {
    const { readsFor, webhooks } = this.#options
    const operatorNumber = webhooks.operatorNumber(operatorId)
    const { webhookAttempts } = readsFor({ party: operatorNumber, isGone: () => false })
    return this.#attempts.page({ ...page, operatorNumber, webhookId: id }, webhookAttempts)
  }

  /** Queues one more attempt of events that were named, or whose deliveries have failed. */
  redeliver(webhook: WebhookRow, request: RedeliveryRequest): Promise<RedeliveryAnswer> {
    return this.#redeliveries.request(webhook, request)
  }

  /** Makes one attempt at once; null if the operator has too many tests running. */
  test(webhook: WebhookRow): Promise<Attempt | null> {
    return this.#tests.send(webhook)
  }

  /**
   * Starts no new attempts, waits for running ones for at most so long, then stores the cursors.
   * Attempts that have not ended by then are repeated by the next owner of the shard.
   */
  async stop(waitMs = stopMsMax): Promise<void> {
    this.#isStopped = true
    for (const queue of this.#queues.values()) queue.pause()
    this.#redeliveries.close()
    const deadline = performance.now() + waitMs
    while (this.#slots.inUse > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, stopPollMs))
    }
    for (const queue of this.#queues.values()) queue.close()
    this.#options.sender.close()
    await Promise.all([this.#cursors.stop(), this.#attempts.stop()])
  }

  #record(webhookId: string, attempt: Attempt): void {
    this.#options.metrics.webhookAttempt(attempt.status)
    // The webhook may have been deleted during the attempt, and its log with it.
    if (this.#options.webhooks.find(webhookId) === undefined) return
    this.#attempts.add(webhookId, attempt)
  }

  #wake(): void {
    const groups = [...this.#toWake]
    this.#toWake.clear()
    for (const { queues } of groups) for (const queue of queues) queue.wake()
  }

  async #activate(webhook: WebhookRow): Promise<void> {
    try {
      const queue = await this.#open(webhook, null)
      await this.#cursors.create(webhook.id, queue.finishedThrough)
    } catch (error) {
      this.#options.timing.after(openRetryMs, () => {
        this.onWebhookChanged(webhook.id).catch(() => undefined)
      })
      throw error
    }
  }

  async #open(webhook: WebhookRow, cursor: number | null): Promise<DeliveryQueue> {
    const { id: webhookId, operatorId } = webhook
    const operatorNumber = this.#options.webhooks.operatorNumber(operatorId)
    const group = this.#groups.get(operatorNumber) ?? newGroup(operatorNumber)
    // Before the store is read, so that turns committed meanwhile update the head of the group.
    this.#groups.set(operatorNumber, group)
    if (!group.isHeadKnown) {
      group.head = Math.max(group.head, await this.#storedHead(operatorNumber))
      group.isHeadKnown = true
    }
    const since = Math.min(cursor ?? group.head, group.head)
    const read = async (query: EventQuery): Promise<EventRows> =>
      this.#recent.page(query, group.head) ?? this.#options.reads.events(query)
    const expandRow = (row: EventRecordRow) => this.#expand(operatorId, row)
    const backlog = new Backlog({ read, expand: expandRow, operatorNumber, since })
    const head = () => group.head
    const states = cursor === null ? [] : await this.#statesOf(webhook, since)
    const options = { webhookId, operatorId, backlog, head, states }
    const queue = new DeliveryQueue(options, this.#context)
    group.queues.add(queue)
    this.#queues.set(webhookId, queue)
    queue.wake()
    return queue
  }

  /** The long waits of a webhook go on after a restart. */
  async #statesOf({ id, operatorId, retrySchedule }: WebhookRow, after: number) {
    if (retrySchedule !== 'LONG') return []
    const { reads, webhooks } = this.#options
    const operatorNumber = webhooks.operatorNumber(operatorId)
    return reads.webhookDeliveries({ operatorNumber, webhookId: id, after })
  }

  #deactivate(webhook: WebhookRow): void {
    const { id: webhookId, operatorId } = webhook
    const { log, reportFailure, webhooks } = this.#options
    log.warn('webhook made inactive, its receiver is gone', { webhookId, operatorId })
    webhooks.deactivate(webhook).catch((error: unknown) => {
      reportFailure('feed', 'webhook not made inactive', { webhookId, error })
    })
  }

  #close(webhookId: string): void {
    const queue = this.#queues.get(webhookId)
    if (queue === undefined) return
    queue.close()
    this.#queues.delete(webhookId)
    const group = this.#groupOf(queue.operatorId)
    group?.queues.delete(queue)
    if (group?.queues.size !== 0) return
    this.#recent.delete(group.operatorNumber)
    this.#traces.delete(queue.operatorId)
  }

  #groupOf(operatorId: string): Group | undefined {
    return this.#groups.get(this.#options.webhooks.operatorNumber(operatorId))
  }

  // A query that matches nothing still returns the sequence that the next event would have.
  async #storedHead(operatorNumber: number): Promise<number> {
    const query = { since: 0, types: null, marketSerial: null, limit: 1 }
    const notBefore = Number.MAX_SAFE_INTEGER
    const page = await this.#options.reads.events({ ...query, operatorNumber, notBefore })
    return page.earliestSequence - 1
  }

  #expand(operatorId: string, { marketSerial, body, ...row }: EventRecordRow): readonly Event[] {
    return expand(this.#options.ids, {
      ...row,
      operatorId,
      marketSerial,
      body: JSON.parse(body) as StoredEventRecord['body'],
    })
  }
}
