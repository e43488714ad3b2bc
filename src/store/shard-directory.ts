// Which node of a cluster owns which shard, as the database says it.

/** Times are those of the database's clock. */
export type ShardState = {
  readonly shard: number
  /** Raised by every owner. */
  readonly epoch: number
  /** The node that holds the lease; null if it has ended. */
  readonly nodeId: string | null
  /** The node that held the lease last; null if none has. */
  readonly lastNodeId: string | null
  /** Unix milliseconds; null if the lease was released. */
  readonly leaseUntil: number | null
  /** The node for which the lease was released, for as long as no other may acquire it. */
  readonly successor: string | null
  /** The node that the shard was moved to by hand; it stays there. */
  readonly pinnedTo: string | null
}

export type Takeover = {
  readonly shard: number
  readonly fromNodeId: string | null
  readonly toNodeId: string
  readonly reason: TakeoverReason
  /** Unix milliseconds. */
  readonly at: number
  /** From the end of the last ownership, as the new owner saw it, until the shard runs again. */
  readonly tookMs: number
}

/** `FIRST`: nobody has owned the shard. `LEASE_ENDED`: its owner did not renew the lease. */
export type TakeoverReason = 'FIRST' | 'HANDOVER' | 'LEASE_ENDED'

/** All methods throw StoreUnavailable if the database does not answer. */
export interface ShardDirectory {
  /** In order of the shards' numbers. */
  list(): Promise<readonly ShardState[]>
  /** Keeps a shard at a node, or at none. */
  pin(shard: number, nodeId: string | null): Promise<void>
  /** Also announces it. */
  addTakeover(takeover: Omit<Takeover, 'at'>): Promise<void>
  /** The latest, newest first. */
  takeovers(): Promise<readonly Takeover[]>
  /** Tells all nodes that shards have changed, which is only a hint. */
  announce(): Promise<void>
  /** Called when shards may have changed. */
  listen(onChange: () => void): void
  close(): Promise<void>
}
