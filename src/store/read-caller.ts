// On whose behalf records are read, and what is measured about waiting reads.

/** The number of an operator, or the address of a caller without a key. */
export type ReadParty = number | string

export type ReadCaller = {
  readonly party: ReadParty
  /** Whether the answer is no longer needed: the connection is closed. */
  readonly isGone: () => boolean
  /** A start needs the answer, however long it takes: without it, the start would begin again. */
  readonly hasNoDeadline?: true
}

/** The reads of a lane wait only for each other. */
export type LaneName = 'callers' | 'service' | 'long'

/**
 * Why a read has no answer. `full`: too many reads of its party are waiting. `slow`: they have
 * waited for too long. `late`: its deadline has passed. `gone`: its caller has gone.
 */
export type ReadDrop = 'full' | 'slow' | 'late' | 'gone'

export type ReadMetrics = {
  readsWaiting(lane: LaneName, count: number): void
  readWaited(lane: LaneName, seconds: number): void
  readDropped(lane: LaneName, reason: ReadDrop): void
}
