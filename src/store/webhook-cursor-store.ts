// Where webhooks stand: up to which sequence all of their deliveries are over.

export interface WebhookCursorStore {
  all(): Promise<readonly WebhookCursor[]>
  /** Adds or replaces them, all or none; those of webhooks that are gone are passed over. */
  save(cursors: readonly WebhookCursor[]): Promise<void>
  delete(webhookId: string): Promise<void>
}

export type WebhookCursor = {
  readonly webhookId: string
  /** Each event up to this one was delivered, given up, or not asked for. */
  readonly sequence: number
}
