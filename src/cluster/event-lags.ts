// How far the streams of this node are behind the shards of other nodes.

import type { PublishedTurn } from '../core/events/committed-turn.ts'
import type { EventLag } from '../ops/cluster-metrics.ts'

/** What was received longer ago says nothing about now. */
const recentMs = 15_000

type Lag = {
  /** Since when turns may be missed; null while they arrive. */
  missingSince: number | null
  /** How old the last turn was when it arrived, and when that was. */
  ageMs: number
  receivedAt: number
}

export class EventLags {
  /** By shard: those in which this node has an interest. */
  readonly #lags = new Map<number, Lag>()

  /** From now on turns may be missed, until the interests are in force at an owner. */
  missing(shard: number): void {
    const lag = this.#lags.get(shard) ?? { missingSince: null, ageMs: 0, receivedAt: -recentMs }
    lag.missingSince ??= performance.now()
    this.#lags.set(shard, lag)
  }

  inForce(shard: number): void {
    const lag = this.#lags.get(shard)
    if (lag !== undefined) lag.missingSince = null
  }

  /** The age is as accurate as the clocks of the two machines are. */
  received(shard: number, { records, trades }: PublishedTurn): void {
    const createdAt = records[0]?.stored.createdAt ?? trades[0]?.createdAt
    const lag = this.#lags.get(shard)
    if (createdAt === undefined || lag === undefined) return
    lag.ageMs = Math.max(0, Date.now() - createdAt)
    lag.receivedAt = performance.now()
  }

  /** This node owns the shard, or has no interest in it any more. */
  delete(shard: number): void {
    this.#lags.delete(shard)
  }

  list(): readonly EventLag[] {
    const now = performance.now()
    return Array.from(this.#lags, ([shard, { missingSince, ageMs, receivedAt }]) => {
      const lastMs = now - receivedAt < recentMs ? ageMs : 0
      const ms = missingSince === null ? lastMs : now - missingSince
      return { shard, seconds: ms / 1_000 }
    })
  }
}
