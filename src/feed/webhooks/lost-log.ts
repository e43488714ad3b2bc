// Log lines about deliveries that are not attempted any more: there may be thousands of them.

import type { Log } from '../../ops/log.ts'
import type { Timing } from '../timing.ts'

export type LostLogContext = {
  readonly timing: Pick<Timing, 'now'>
  readonly log: Pick<Log, 'warn'>
}

const everyMs = 60_000

export class LostLog {
  readonly #webhook: { readonly webhookId: string; readonly operatorId: string }
  readonly #context: LostLogContext
  #count = 0
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(
    { webhookId, operatorId }: { readonly webhookId: string; readonly operatorId: string },
    context: LostLogContext,
  ) {
    this.#webhook = { webhookId, operatorId }
    this.#context = context
  }

  /** Logs the first at once, then at most one line a minute. */
  add(sequence: number): void {
    const { timing, log } = this.#context
    this.#count += 1
    if (timing.now() - this.#loggedAt < everyMs) return
    log.warn('webhook deliveries lost', { ...this.#webhook, count: this.#count, sequence })
    this.#loggedAt = timing.now()
    this.#count = 0
  }
}
