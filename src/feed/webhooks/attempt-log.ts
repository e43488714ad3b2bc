// The latest attempts of each webhook, in memory, so that operators can see why deliveries fail.

import type { DeliveredType } from './delivery.ts'

export type Attempt = {
  /** The id of the delivery. */
  readonly id: string
  readonly sequence: number
  readonly eventType: DeliveredType
  /** 1 to 3. */
  readonly attempt: number
  readonly status: 'DELIVERED' | 'RETRYING' | 'FAILED'
  readonly httpStatus: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly startedAt: number
}

const attemptsKeptMax = 100

export class AttemptLog {
  readonly #byWebhook = new Map<string, Attempt[]>()

  /** Newest first. */
  of(webhookId: string): readonly Attempt[] {
    return (this.#byWebhook.get(webhookId) ?? []).toReversed()
  }

  add(webhookId: string, attempt: Attempt): void {
    const kept = this.#byWebhook.get(webhookId) ?? []
    kept.push(attempt)
    if (kept.length > attemptsKeptMax) kept.shift()
    this.#byWebhook.set(webhookId, kept)
  }

  delete(webhookId: string): void {
    this.#byWebhook.delete(webhookId)
  }
}
