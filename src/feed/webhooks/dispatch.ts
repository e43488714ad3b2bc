// Delivers committed events to webhooks: one pump for each that is active. A webhook begins at the
// head of its operator's events, when it is made or activated; after a restart, where it stood.

import {
  type Event,
  type EventRecord,
  expand,
  type StoredEventRecord,
} from '../../core/events/events.ts'
import type { Ids } from '../../core/ids.ts'
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
import { DeliveryQueue, type PumpRoom } from './delivery-queue.ts'
import { Slots } from './slots.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** Who keeps the webhooks. */
export type WebhookSource = {
  readonly all: () => Iterable<WebhookRow>
  readonly find: (id: string) => WebhookRow | undefined
  readonly secretOf: (webhook: WebhookRow) => string
  /** While it is not, its deliveries wait. */
  readonly isOperatorActive: (operatorId: string) => boolean
  /** What rows call the operator by. */
  readonly operatorNumber: (operatorId: string) => number
}

export type DispatcherOptions = {
  readonly webhooks: WebhookSource
  readonly cursors: WebhookCursorStore
  readonly read: RecordStore['events']
  readonly ids: Ids
  readonly sender: Pick<WebhookSender, 'attempt' | 'close'>
  readonly timing: Timing
  readonly eventRetentionMs: number
  readonly log: Pick<Log, 'warn'>
  readonly metrics: {
    webhookAttempt(status: Attempt['status']): void
    webhookExpired(events: number): void
  }
}

/** An operator that has or had active webhooks. */
type Group = { head: number; isHeadKnown: boolean; readonly queues: Set<DeliveryQueue> }

function newGroup(): Group {
  return { head: 0, isHeadKnown: false, queues: new Set() }
}

export const testsPerOperatorMax = 4
const stopMaxMs = 3_000
const stopLookMs = 10
const settleAgainMs = 1_000

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #slots = new Slots()
  readonly #log = new AttemptLog()
  readonly #cursors: Cursors
  readonly #room: PumpRoom
  readonly #queues = new Map<string, DeliveryQueue>()
  readonly #groups = new Map<string, Group>()
  readonly #tests = new Map<string, number>()
  readonly #woken = new Set<Group>()
  #isStopped = false

  constructor(options: DispatcherOptions) {
    this.#options = options
    const { timing, log, webhooks, sender, eventRetentionMs } = options
    this.#cursors = new Cursors({
      ...{ store: options.cursors, timing, log },
      standing: () => this.#queues.values(),
    })
    this.#room = {
      ...{ slots: this.#slots, timing, log, eventRetentionMs },
      attempt: (posting) => sender.attempt(posting),
      find: webhooks.find,
      secretOf: webhooks.secretOf,
      isOperatorActive: webhooks.isOperatorActive,
      onAttempt: (webhookId, attempt) => this.#note(webhookId, attempt),
      onExpired: (webhookId, events) => {
        options.metrics.webhookExpired(events)
        log.warn('events expired before a webhook was told of them', { webhookId, events })
      },
    }
  }

  /** Goes on where each webhook stood. */
  async start(): Promise<void> {
    const stood = new Map(await this.#cursors.load())
    const active = [...this.#options.webhooks.all()].filter((webhook) => webhook.isActive)
    for (const webhook of active) {
      await this.#open(webhook, stood.get(webhook.id) ?? null)
      stood.delete(webhook.id)
    }
    // Of webhooks that were made inactive just before the end.
    for (const id of stood.keys()) await this.#cursors.forget(id)
    this.#cursors.start()
  }

  /** A turn is durable. Called on the path of orders, so it only takes note. */
  stored(eventRecords: readonly Pick<EventRecord, 'operator' | 'firstSequence' | 'count'>[]): void {
    if (this.#groups.size === 0) return
    const hadNone = this.#woken.size === 0
    for (const { operator, firstSequence, count } of eventRecords) {
      const group = this.#groups.get(operator.id)
      if (group === undefined) continue
      group.head = Math.max(group.head, firstSequence + count - 1)
      this.#woken.add(group)
    }
    if (hadNone && this.#woken.size > 0) setImmediate(() => this.#wake())
  }

  /** A webhook was made, edited or deleted. */
  async changed(id: string): Promise<void> {
    if (this.#isStopped) return
    const webhook = this.#options.webhooks.find(id)
    if (webhook === undefined) this.#log.forget(id)
    if (webhook === undefined || !webhook.isActive) {
      this.#close(id)
      await this.#cursors.forget(id)
    } else if (this.#queues.has(id)) {
      this.#queues.get(id)?.edited()
    } else {
      await this.#begin(webhook)
    }
  }

  /** An operator was made or edited: what has waited for it goes on. */
  operatorChanged(id: string): void {
    for (const queue of this.#groups.get(id)?.queues ?? []) queue.wake()
  }

  /** The latest attempts, newest first. */
  recent(webhookId: string): readonly Attempt[] {
    return this.#log.of(webhookId)
  }

  /** One attempt, at once; null where the operator has too many tests under way. */
  async test(webhook: WebhookRow): Promise<Attempt | null> {
    const { sender, timing, webhooks } = this.#options
    const { operatorId, url } = webhook
    const underWay = this.#tests.get(operatorId) ?? 0
    if (underWay >= testsPerOperatorMax) return null
    this.#tests.set(operatorId, underWay + 1)
    const startedAt = timing.now()
    const { body, ...about } = pingOf(operatorId, startedAt)
    const secret = webhooks.secretOf(webhook)
    const headers = headersOf({ body, ...about }, { secret, now: startedAt })
    const outcome = await sender.attempt({ url, headers, body })
    this.#tests.set(operatorId, (this.#tests.get(operatorId) ?? 1) - 1)
    const durationMs = Math.max(0, timing.now() - startedAt)
    const status = outcome.error === null ? 'DELIVERED' : 'FAILED'
    const attempt = { ...about, ...outcome, attempt: 1, status, durationMs, startedAt } as const
    this.#note(webhook.id, attempt)
    return attempt
  }

  /** No new attempts; those under way have a moment; then it is stored where webhooks stand. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const queue of this.#queues.values()) queue.pause()
    const deadline = performance.now() + stopMaxMs
    while (this.#slots.taken > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, stopLookMs))
    }
    for (const queue of this.#queues.values()) queue.close()
    this.#options.sender.close()
    await this.#cursors.stop()
  }

  #note(webhookId: string, attempt: Attempt): void {
    this.#options.metrics.webhookAttempt(attempt.status)
    // One that was deleted meanwhile is not remembered again.
    if (this.#options.webhooks.find(webhookId) !== undefined) this.#log.add(webhookId, attempt)
  }

  #wake(): void {
    const groups = [...this.#woken]
    this.#woken.clear()
    for (const { queues } of groups) for (const queue of queues) queue.wake()
  }

  async #begin(webhook: WebhookRow): Promise<void> {
    try {
      const queue = await this.#open(webhook, null)
      await this.#cursors.begin(webhook.id, queue.finishedThrough)
    } catch (error) {
      this.#options.timing.after(settleAgainMs, () => {
        this.changed(webhook.id).catch(() => undefined)
      })
      throw error
    }
  }

  async #open(webhook: WebhookRow, stoodAt: number | null): Promise<DeliveryQueue> {
    const { id: webhookId, operatorId } = webhook
    const operator = this.#options.webhooks.operatorNumber(operatorId)
    const group = this.#groups.get(operatorId) ?? newGroup()
    // Before the store is asked: what is committed meanwhile is noted in it.
    this.#groups.set(operatorId, group)
    if (!group.isHeadKnown) {
      group.head = Math.max(group.head, await this.#storedHead(operator))
      group.isHeadKnown = true
    }
    const since = Math.min(stoodAt ?? group.head, group.head)
    const { read } = this.#options
    const expandRow = (row: EventRecordRow) => this.#expand(operatorId, row)
    const backlog = new Backlog({ read, expand: expandRow, operator, since })
    const head = () => group.head
    const queue = new DeliveryQueue({ webhookId, operatorId, backlog, head }, this.#room)
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

  /** Of a reading that finds nothing, the store still says where the next event would stand. */
  async #storedHead(operator: number): Promise<number> {
    const nothing = { since: 0, types: null, market: null, limit: 1 }
    const notBefore = Number.MAX_SAFE_INTEGER
    const page = await this.#options.read({ ...nothing, operator, notBefore })
    return page.earliestSequence - 1
  }

  #expand(operatorId: string, { market, body, ...row }: EventRecordRow): readonly Event[] {
    return expand(this.#options.ids, {
      ...row,
      operatorId,
      marketSerial: market,
      body: JSON.parse(body) as StoredEventRecord['body'],
    })
  }
}
