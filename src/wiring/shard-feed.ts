// The feed of a shard: webhooks of its operators, and the deletion of its expired events.

import type { Config } from '../config.ts'
import { assert } from '../core/assert.ts'
import { Feed, type FeedOptions } from '../feed/feed.ts'
import type { Registry } from '../registry/registry.ts'
import { checkWebhookUrl, isPublicAddress } from '../registry/webhook-url.ts'

export type ShardFeedParts = Omit<
  FeedOptions,
  keyof ReturnType<typeof webhookSettings> | 'webhooks'
> & { readonly shard: number }

export function newFeed(config: Config, registry: Registry, parts: ShardFeedParts): Feed {
  const { operators, webhooks } = registry
  const { shard, ...rest } = parts
  return new Feed({
    ...rest,
    ...webhookSettings(config),
    webhooks: {
      all: () =>
        [...webhooks.all()].filter(({ operatorId }) => operators.get(operatorId)?.shard === shard),
      find: (id) => webhooks.find(id),
      secretsOf: (webhook) => webhooks.signingSecretsOf(webhook),
      deactivate: (webhook) => webhooks.deactivate(webhook),
      isOperatorActive: (id) => operators.get(id)?.isActive === true,
      operatorNumber: (id) => {
        const operator = operators.get(id)
        assert(operator !== undefined, 'a webhook belongs to an operator')
        return operator.number
      },
    },
  })
}

function webhookSettings({ allowsInsecureWebhooks: allowInsecure, eventRetentionMs }: Config) {
  return {
    eventRetentionMs,
    allowsPrivateNames: allowInsecure,
    addressFilter: {
      urlError: (url: string) => checkWebhookUrl(url, { allowInsecure })?.message ?? null,
      isAllowed: (address: string) => allowInsecure || isPublicAddress(address),
    },
  }
}
