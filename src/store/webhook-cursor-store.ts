// The cursors of webhooks: the event up to which all deliveries have ended.

export interface WebhookCursorStore {
  all(): Promise<readonly WebhookCursor[]>
  /** Adds or replaces all of them, or none. Cursors of deleted webhooks are ignored. */
  save(cursors: readonly WebhookCursor[]): Promise<void>
  delete(webhookId: string): Promise<void>
}

export type WebhookCursor = {
  readonly webhookId: string
  /** Each event up to this one was delivered, given up or not subscribed to. */
  readonly eventSequence: number
}
