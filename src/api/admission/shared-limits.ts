// The rate limits of operators over all nodes of a cluster, as one node counts them. For operators
// of its own shards this node counts for all; for others it notes what was used here, sends it to
// the owner, and continues with what the owner answers is left.

import type { TokenBuckets } from './token-buckets.ts'

type Used = readonly [bucket: string, operatorId: string, count: number]
/** Negative for a debt. */
type Left = readonly [bucket: string, operatorId: string, tokens: number]

/** By name, such as `orders`; null where there is no limit. */
export type OperatorBuckets = Readonly<Record<string, TokenBuckets | null>>

export type OperatorLimitsOptions = {
  /** The shard of an operator that another node owns; null for the others. */
  readonly foreignShardOf: (operatorId: string) => number | null
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Of operators since the last exchange; what further ones use is not sent to the owner. */
const notedMax = 20_000

export class OperatorLimits {
  readonly #options: OperatorLimitsOptions
  #buckets: OperatorBuckets = {}
  /** By bucket, and then by operator. */
  readonly #used = new Map<string, Map<string, number>>()

  constructor(options: OperatorLimitsOptions) {
    this.#options = options
  }

  use(buckets: OperatorBuckets): void {
    this.#buckets = buckets
  }

  /** A request of an operator has consumed so much here. */
  note(bucket: string, operatorId: string, count: number): void {
    const used = this.#used.get(bucket) ?? new Map<string, number>()
    this.#used.set(bucket, used)
    const known = used.get(operatorId)
    if (known === undefined && used.size >= notedMax) return
    used.set(operatorId, (known ?? 0) + count)
  }

  /** What was used here since the last call, by shard, for operators of other nodes. */
  takeUsed(): ReadonlyMap<number, readonly Used[]> {
    const byShard = new Map<number, Used[]>()
    for (const [bucket, used] of this.#used) {
      for (const [operatorId, count] of used) {
        const shard = this.#options.foreignShardOf(operatorId)
        if (shard === null) continue
        const all = byShard.get(shard) ?? []
        all.push([bucket, operatorId, count])
        byShard.set(shard, all)
      }
      used.clear()
    }
    return byShard
  }

  /** At the owner: counts what was used at another node, and returns what is left. */
  count(used: readonly Used[]): readonly Left[] {
    const now = this.#options.now()
    return used.flatMap(([bucket, operatorId, count]): Left[] => {
      const tokens = this.#buckets[bucket]?.settle(operatorId, now, count)
      return tokens === undefined ? [] : [[bucket, operatorId, tokens]]
    })
  }

  /** At the other node: continues from what is left. */
  setLeft(left: readonly Left[]): void {
    const now = this.#options.now()
    for (const [bucket, operatorId, tokens] of left) {
      // What was used since then is not part of it.
      const since = this.#used.get(bucket)?.get(operatorId) ?? 0
      this.#buckets[bucket]?.setTokens(operatorId, now, tokens - since)
    }
  }
}
