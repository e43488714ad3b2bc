// Delivers committed events to webhooks, with a delivery queue for each active one. A webhook
// starts with the first event after its creation or activation; after a restart, at its cursor.

import {
  type Event,
  type EventRecord,
  expand,
  type StoredEventRecord,
} from '../../core/events/events.ts'
import type { Ids } from '../../core/ids.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { Log } from '../../ops/log.ts'
import type {
  EventRecordRow,
  RecordStore,
  WebhookCursorStore,
  WebhookRow,
} from '../../store/store.ts'
import type { Timing } from '../timing.ts'
import { type Attempt, AttemptLog } from './attempt-log.ts'
import { Backlog } from './backlog.ts'
import { Cursors } from './cursors.ts'
import { headersOf, pingOf } from './delivery.ts'
import { type DeliveryContext, DeliveryQueue } from './delivery-queue.ts'
import { Slots } from './slots.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** Where the dispatcher gets webhooks and operators from. */
export type WebhookSource = {
  readonly all: () => Iterable<WebhookRow>
  readonly find: (id: string) => WebhookRow | undefined
  readonly secretOf: (webhook: WebhookRow) => string
  /** The deliveries of an inactive operator wait until it is active again. */
  readonly isOperatorActive: (operatorId: string) => boolean
  /** The number of the operator in stored rows. */
  readonly operatorNumber: (operatorId: string) => number
}

export type DispatcherOptions = {
  readonly webhooks: WebhookSource
  readonly cursors: WebhookCursorStore
  readonly read: RecordStore['events']
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

/** The delivery queues of one operator; `head` is the eventSequence of its last stored event. */
type Group = { head: number; isHeadKnown: boolean; readonly queues: Set<DeliveryQueue> }

function newGroup(): Group {
  return { head: 0, isHeadKnown: false, queues: new Set() }
}

export const testsPerOperatorMax = 4
/** How long a process that ends waits for running attempts. */
const stopMsMax = 3_000
const stopPollMs = 10
const openRetryMs = 1_000

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #slots = new Slots()
  readonly #log = new AttemptLog()
  readonly #cursors: Cursors
  readonly #context: DeliveryContext
  readonly #queues = new Map<string, DeliveryQueue>()
  readonly #groups = new Map<string, Group>()
  readonly #tests = new Map<string, number>()
  readonly #toWake = new Set<Group>()
  #isStopped = false

  constructor(options: DispatcherOptions) {
    this.#options = options
    const { timing, log, reportFailure, webhooks, sender, eventRetentionMs } = options
    this.#cursors = new Cursors({
      store: options.cursors,
      timing,
      log,
      positions: () => this.#queues.values(),
    })
    this.#context = {
      slots: this.#slots,
      timing,
      log,
      reportFailure,
      eventRetentionMs,
      attempt: (request) => sender.attempt(request),
      find: webhooks.find,
      secretOf: webhooks.secretOf,
      isOperatorActive: webhooks.isOperatorActive,
      isOwner: options.isOwner,
      onAttempt: (webhookId, attempt) => this.#record(webhookId, attempt),
      onExpired: (webhookId, events) => {
        options.metrics.webhookExpired(events)
        log.warn('events expired before delivery', { webhookId, events })
      },
    }
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
  }

  /** Called for every committed turn, before other orders are executed, so it must be quick. */
  onCommitted(
    eventRecords: readonly Pick<EventRecord, 'operator' | 'firstSequence' | 'count'>[],
  ): void {
    if (this.#groups.size === 0) return
    const hadNone = this.#toWake.size === 0
    for (const { operator, firstSequence, count } of eventRecords) {
      const group = this.#groups.get(operator.id)
      if (group === undefined) continue
      group.head = Math.max(group.head, firstSequence + count - 1)
      this.#toWake.add(group)
    }
    if (hadNone && this.#toWake.size > 0) setImmediate(() => this.#wake())
  }

  /** Called when a webhook was created, edited or deleted. */
  async onWebhookChanged(id: string): Promise<void> {
    if (this.#isStopped) return
    const webhook = this.#options.webhooks.find(id)
    if (webhook === undefined) this.#log.delete(id)
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
    for (const queue of this.#groups.get(id)?.queues ?? []) queue.wake()
  }

  /** The latest attempts, newest first. */
  recent(webhookId: string): readonly Attempt[] {
    return this.#log.of(webhookId)
  }

  /** Makes one attempt at once; null if the operator has too many tests running. */
  async test(webhook: WebhookRow): Promise<Attempt | null> {
    const { sender, timing, webhooks } = this.#options
    const { operatorId, url } = webhook
    const underWay = this.#tests.get(operatorId) ?? 0
    if (underWay >= testsPerOperatorMax) return null
    const startedAt = timing.wall()
    const { body, ...ping } = pingOf(operatorId, startedAt)
    const secret = webhooks.secretOf(webhook)
    const headers = headersOf({ body, ...ping }, { secret, now: startedAt })
    this.#tests.set(operatorId, underWay + 1)
    const result = await sender.attempt({ url, headers, body })
    this.#tests.set(operatorId, (this.#tests.get(operatorId) ?? 1) - 1)
    const durationMs = Math.max(0, timing.wall() - startedAt)
    const status = result.error === null ? 'DELIVERED' : 'FAILED'
    const attempt = { ...ping, ...result, attempt: 1, status, durationMs, startedAt } as const
    this.#record(webhook.id, attempt)
    return attempt
  }

  /**
   * Starts no new attempts, waits for running ones for at most so long, then stores the cursors.
   * Attempts that have not ended by then are repeated by the next owner of the shard.
   */
  async stop(waitMs = stopMsMax): Promise<void> {
    this.#isStopped = true
    for (const queue of this.#queues.values()) queue.pause()
    const deadline = performance.now() + waitMs
    while (this.#slots.inUse > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, stopPollMs))
    }
    for (const queue of this.#queues.values()) queue.close()
    this.#options.sender.close()
    await this.#cursors.stop()
  }

  #record(webhookId: string, attempt: Attempt): void {
    this.#options.metrics.webhookAttempt(attempt.status)
    // The webhook may have been deleted during the attempt, and its log with it.
    if (this.#options.webhooks.find(webhookId) !== undefined) this.#log.add(webhookId, attempt)
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
    const group = this.#groups.get(operatorId) ?? newGroup()
    // Before the store is read, so that turns committed meanwhile update the head of the group.
    this.#groups.set(operatorId, group)
    if (!group.isHeadKnown) {
      group.head = Math.max(group.head, await this.#storedHead(operatorNumber))
      group.isHeadKnown = true
    }
    const since = Math.min(cursor ?? group.head, group.head)
    const { read } = this.#options
    const expandRow = (row: EventRecordRow) => this.#expand(operatorId, row)
    const backlog = new Backlog({ read, expand: expandRow, operatorNumber, since })
    const head = () => group.head
    const queue = new DeliveryQueue({ webhookId, operatorId, backlog, head }, this.#context)
    group.queues.add(queue)
    this.#queues.set(webhookId, queue)
    queue.wake()
    return queue
  }

  #close(webhookId: string): void {
    const queue = this.#queues.get(webhookId)
    if (queue === undefined) return
    queue.close()
    this.#queues.delete(webhookId)
    this.#groups.get(queue.operatorId)?.queues.delete(queue)
  }

  // A query that matches nothing still returns the sequence that the next event would have.
  async #storedHead(operatorNumber: number): Promise<number> {
    const query = { since: 0, types: null, marketSerial: null, limit: 1 }
    const notBefore = Number.MAX_SAFE_INTEGER
    const page = await this.#options.read({ ...query, operatorNumber, notBefore })
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
