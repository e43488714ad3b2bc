// Test deliveries: one attempt with a PING, at once, on request of the operator.

import type { WebhookRow } from '../../store/store.ts'
import type { Timing } from '../timing.ts'
import type { Attempt } from './attempt-log.ts'
import { pingOf } from './delivery.ts'
import { type AttemptContext, aboutAttempt, makeAttempt } from './make-attempt.ts'

export type TestDeliveriesOptions = {
  readonly context: AttemptContext
  readonly timing: Timing
  readonly onAttempt: (webhookId: string, attempt: Attempt) => void
}

export const testsPerOperatorMax = 4

export class TestDeliveries {
  readonly #options: TestDeliveriesOptions
  readonly #underWay = new Map<string, number>()

  constructor(options: TestDeliveriesOptions) {
    this.#options = options
  }

  /** Makes one attempt at once; null if the operator has too many tests running. */
  async send(webhook: WebhookRow): Promise<Attempt | null> {
    const { context, timing, onAttempt } = this.#options
    const { id: webhookId, operatorId } = webhook
    if (this.#countOf(operatorId) >= testsPerOperatorMax) return null
    this.#underWay.set(operatorId, this.#countOf(operatorId) + 1)
    try {
      const ping = pingOf(operatorId, timing.wall(), webhook.format)
      const result = await makeAttempt(context, webhook, ping)
      const status = result.error === null ? 'DELIVERED' : 'FAILED'
      const attempt = { ...aboutAttempt(ping, result), attempt: 1, status, nextAt: null } as const
      onAttempt(webhookId, attempt)
      return attempt
    } finally {
      const left = this.#countOf(operatorId) - 1
      if (left === 0) this.#underWay.delete(operatorId)
      else this.#underWay.set(operatorId, left)
    }
  }

  #countOf(operatorId: string): number {
    return this.#underWay.get(operatorId) ?? 0
  }
}
