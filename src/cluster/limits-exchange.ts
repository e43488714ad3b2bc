// Rate limits over several nodes. The owner of an operator's shard counts what all nodes have used:
// the others send it what was used at them, and receive what is left. A node decides at once
// with what it knows. What was allowed too much is a debt at the owner, which is paid off.

import type { LinkClient } from './link/link-client.ts'

/** What was used of the limits of an operator; 0 to ask what is left. */
export type Used = readonly [bucket: string, operatorId: string, count: number]
/** What is left; negative for a debt. */
export type Left = readonly [bucket: string, operatorId: string, tokens: number]

/** The limits as this node counts them. */
export interface SharedLimits {
  /** What was used here since the last call, for operators of shards that others own. */
  takeUsed(): ReadonlyMap<number, readonly Used[]>
  /** At the owner: counts what was used at another node, and returns what is left. */
  count(used: readonly Used[]): readonly Left[]
  /** At the other node: continues from what is left. */
  setLeft(left: readonly Left[]): void
}

const exchangeEveryMs = 50

export type LimitsExchangeOptions = {
  readonly limits: SharedLimits
  /** The link to the owner of a shard, if there is one. */
  readonly linkTo: (shard: number) => Pick<LinkClient, 'sendTokens'> | null
}

export class LimitsExchange {
  readonly #options: LimitsExchangeOptions
  readonly #timer: NodeJS.Timeout

  constructor(options: LimitsExchangeOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#exchange(), exchangeEveryMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** The answer to what another node has sent. */
  answerTo(used: unknown): readonly Left[] {
    return this.#options.limits.count(tuplesIn(used))
  }

  /** The answer of an owner. */
  apply(left: unknown): void {
    this.#options.limits.setLeft(tuplesIn(left))
  }

  // What cannot be sent need not be counted: without an owner no command is executed.
  #exchange(): void {
    for (const [shard, used] of this.#options.limits.takeUsed()) {
      this.#options.linkTo(shard)?.sendTokens(used)
    }
  }
}

/** Another version may send what this one does not know. */
function tuplesIn(value: unknown): [string, string, number][] {
  if (!Array.isArray(value)) return []
  return value.filter(
    (tuple) => Array.isArray(tuple) && typeof tuple[0] === 'string' && typeof tuple[2] === 'number',
  )
}
