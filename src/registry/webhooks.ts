// Stands in for the registry's own file until it lands.

import type { WebhookRow } from '../store/store.ts'
import type { RegistryReject } from './reject.ts'

export declare class Webhooks {
  create(
    operatorId: string,
    webhook: {
      readonly url: string
      readonly events: readonly string[]
      readonly description: string | null
    },
  ): Promise<{ webhook: WebhookRow; secret: string } | RegistryReject>
  list(operatorId: string): readonly WebhookRow[]
  get(operatorId: string, id: string): WebhookRow | undefined
  update(
    operatorId: string,
    id: string,
    changes: Partial<Pick<WebhookRow, 'url' | 'events' | 'isActive' | 'description'>>,
  ): Promise<WebhookRow | RegistryReject>
  delete(operatorId: string, id: string): Promise<null | RegistryReject>
  secretOf(webhook: WebhookRow): string
}
