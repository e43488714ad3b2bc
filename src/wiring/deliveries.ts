// Attempts of webhooks on a node: those of another node's shard are requested from its owner.

import { lostResponse } from '../cluster/link/link-client.ts'
import type { ClusterNode } from '../cluster/node.ts'
import { CommitUnknown, Unavailable } from '../engine/commands.ts'
import type { Deliveries, Feeds } from '../feed/feeds.ts'
import type { Attempt } from '../feed/webhooks/attempt-log.ts'
import type { AttemptsPage } from '../feed/webhooks/dispatch.ts'
import type { RedeliveryAnswer, RedeliveryRequest } from '../feed/webhooks/redeliveries.ts'
import type { Registry } from '../registry/registry.ts'
import type { AttemptPage, WebhookRow } from '../store/store.ts'

const attemptsRequest = 'webhook-attempts'
const testRequest = 'webhook-test'
const redeliveryRequest = 'webhook-redelivery'

type RequestBody = {
  readonly webhookId: string
  readonly page?: AttemptsPage
  readonly redelivery?: RedeliveryRequest
}

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

  async attempts(webhook: WebhookRow, page: AttemptsPage): Promise<AttemptPage> {
    const shard = this.#shardOf(webhook)
    if (this.#feeds.has(shard)) return this.#feeds.attempts(webhook, page)
    const body = { webhookId: webhook.id, page }
    return (await this.#request(shard, attemptsRequest, body)) as AttemptPage
  }

  async test(webhook: WebhookRow): Promise<Attempt | null> {
    const shard = this.#shardOf(webhook)
    if (this.#feeds.has(shard)) return this.#feeds.test(webhook)
    const body = { webhookId: webhook.id }
    return (await this.#request(shard, testRequest, body)) as Attempt | null
  }

  async redeliver(webhook: WebhookRow, redelivery: RedeliveryRequest): Promise<RedeliveryAnswer> {
    const shard = this.#shardOf(webhook)
    if (this.#feeds.has(shard)) return this.#feeds.redeliver(webhook, redelivery)
    const body = { webhookId: webhook.id, redelivery }
    const answer = (await this.#request(shard, redeliveryRequest, body)) as
      | RedeliveryAnswer
      | { readonly queued: number }
    // A node of an earlier version does not count them.
    return 'queued' in answer ? { unreadable: 0, ...answer } : answer
  }

  async #request(shard: number, name: string, body: RequestBody): Promise<unknown> {
    const response = await this.#node.requestOf(shard, name, body)
    if (response === lostResponse && name !== attemptsRequest) {
      throw new CommitUnknown('The node that delivers these webhooks has not answered.')
    }
    if (response !== undefined && response !== lostResponse) return response
    throw new Unavailable('The node that delivers these webhooks cannot be reached.')
  }

  #shardOf({ operatorId }: WebhookRow): number {
    return this.#registry.operators.get(operatorId)?.shard ?? 0
  }
}

/** The owner's answer; rejected if this node does not deliver to the webhook. */
export async function answerOf(feeds: Feeds, name: string, body: unknown): Promise<unknown> {
  const { webhookId, page, redelivery } = body as RequestBody
  const webhook = feeds.ownWebhook(webhookId)
  if (webhook !== undefined) {
    if (name === attemptsRequest && page !== undefined) return feeds.attempts(webhook, page)
    if (name === testRequest) return feeds.test(webhook)
    if (name === redeliveryRequest && redelivery !== undefined) {
      return feeds.redeliver(webhook, redelivery)
    }
  }
  throw new Error('The request cannot be answered here.')
}
