// The feeds of the shards that run here. A webhook belongs to the shard of its operator.

import type { AttemptPage, WebhookRow } from '../store/store.ts'
import type { Feed } from './feed.ts'
import type { Attempt } from './webhooks/attempt-log.ts'
import type { AttemptsPage } from './webhooks/dispatch.ts'
import type { RedeliveryAnswer, RedeliveryRequest } from './webhooks/redeliveries.ts'

/** Where the shard of an operator and the operator of a webhook are found. */
export type FeedOwners = {
  readonly shardOf: (operatorId: string) => number | undefined
  readonly webhook: (id: string) => WebhookRow | undefined
}

/** The attempts to deliver to a webhook, wherever its shard runs. */
export interface Deliveries {
  /** The attempts in the log, newest first. */
  attempts(webhook: WebhookRow, page: AttemptsPage): Promise<AttemptPage>
  /** Makes one attempt at once; null if the operator has too many tests running. */
  test(webhook: WebhookRow): Promise<Attempt | null>
  /** Queues one more attempt of events that were named, or whose deliveries have failed. */
  redeliver(webhook: WebhookRow, request: RedeliveryRequest): Promise<RedeliveryAnswer>
}

export class Feeds implements Deliveries {
  /** By the number of the shard. */
  readonly #feeds = new Map<number, Feed>()
  readonly #owners: FeedOwners

  constructor(owners: FeedOwners) {
    this.#owners = owners
  }

  /** Starts the feed of a shard. */
  async start(shard: number, feed: Feed): Promise<void> {
    await feed.start()
    this.#feeds.set(shard, feed)
  }

  async stop(shard: number, waitMs?: number): Promise<void> {
    const feed = this.#feeds.get(shard)
    this.#feeds.delete(shard)
    await feed?.stop(waitMs)
  }

  has(shard: number): boolean {
    return this.#feeds.has(shard)
  }

  /** The webhook, if it belongs to a shard that runs here. */
  ownWebhook(id: string): WebhookRow | undefined {
    const webhook = this.#owners.webhook(id)
    return webhook !== undefined && this.#of(webhook.operatorId) ? webhook : undefined
  }

  async attempts(webhook: WebhookRow, page: AttemptsPage): Promise<AttemptPage> {
    const own = this.#of(webhook.operatorId)?.dispatcher.attempts(webhook, page)
    return own ?? { rows: [], hasMore: false }
  }

  async test(webhook: WebhookRow): Promise<Attempt | null> {
    return this.#of(webhook.operatorId)?.dispatcher.test(webhook) ?? null
  }

  async redeliver(webhook: WebhookRow, request: RedeliveryRequest): Promise<RedeliveryAnswer> {
    const own = this.#of(webhook.operatorId)?.dispatcher.redeliver(webhook, request)
    return own ?? { queued: 0, unreadable: 0 }
  }

  onOperatorChanged(id: string): void {
    this.#of(id)?.dispatcher.onOperatorChanged(id)
  }

  /** The operator of a webhook that was deleted is unknown: any feed may have it. */
  async onWebhookChanged(id: string): Promise<void> {
    const webhook = this.#owners.webhook(id)
    const own = webhook === undefined ? undefined : this.#of(webhook.operatorId)
    const feeds = own === undefined ? this.#feeds.values() : [own]
    await Promise.all(Array.from(feeds, ({ dispatcher }) => dispatcher.onWebhookChanged(id)))
  }

  #of(operatorId: string): Feed | undefined {
    const shard = this.#owners.shardOf(operatorId)
    return shard === undefined ? undefined : this.#feeds.get(shard)
  }
}
