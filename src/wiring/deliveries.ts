// Attempts of webhooks on a node: those of another node's shard are requested from its owner.

import type { ClusterNode } from '../cluster/node.ts'
import { Unavailable } from '../engine/commands.ts'
import type { Deliveries, Feeds } from '../feed/feeds.ts'
import type { Attempt } from '../feed/webhooks/attempt-log.ts'
import type { Registry } from '../registry/registry.ts'
import type { WebhookRow } from '../store/store.ts'

const recentRequest = 'webhook-attempts'
const testRequest = 'webhook-test'

export class RoutedDeliveries implements Deliveries {
  readonly #feeds: Feeds
  readonly #node: Pick<ClusterNode, 'requestOf'>
  readonly #registry: Pick<Registry, 'operators'>

  constructor(
    feeds: Feeds,
    node: Pick<ClusterNode, 'requestOf'>,
    registry: Pick<Registry, 'operators'>,
  ) {
    this.#feeds = feeds
    this.#node = node
    this.#registry = registry
  }

  async recent(webhook: WebhookRow): Promise<readonly Attempt[]> {
    const shard = this.#shardOf(webhook)
    if (this.#feeds.has(shard)) return this.#feeds.recent(webhook)
    return (await this.#request(shard, recentRequest, webhook)) as readonly Attempt[]
  }

  async test(webhook: WebhookRow): Promise<Attempt | null> {
    const shard = this.#shardOf(webhook)
    if (this.#feeds.has(shard)) return this.#feeds.test(webhook)
    return (await this.#request(shard, testRequest, webhook)) as Attempt | null
  }

  async #request(shard: number, name: string, { id }: WebhookRow): Promise<unknown> {
    const response = await this.#node.requestOf(shard, name, id)
    if (response !== undefined) return response
    throw new Unavailable('The node that delivers these webhooks cannot be reached.')
  }

  #shardOf({ operatorId }: WebhookRow): number {
    return this.#registry.operators.get(operatorId)?.shard ?? 0
  }
}

/** The owner's answer; rejected if this node does not deliver to the webhook. */
export async function answerOf(feeds: Feeds, name: string, webhookId: unknown): Promise<unknown> {
  const webhook = feeds.ownWebhook(String(webhookId))
  if (webhook !== undefined && name === recentRequest) return feeds.recent(webhook)
  if (webhook !== undefined && name === testRequest) return feeds.test(webhook)
  throw new Error('The request cannot be answered here.')
}
