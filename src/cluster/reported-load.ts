// What a node reports about itself with each beat, for the administrator and for other nodes.

import type { NodeLoad } from '../store/store.ts'

export type ReportedLoad = {
  /** How late its event loop runs. */
  readonly loopLagMs: number | null
  /** Those that it runs, by their numbers. */
  readonly shards: ReadonlyMap<number, ShardLoad>
  /** The nodes that have a link to it. */
  readonly callers: readonly string[] | null
  /** As in placement.ts. */
  readonly mayClaim: boolean
  readonly isBackingOff: boolean
}

type ShardLoad = {
  readonly openOrders: number
  /** Whether its commands can be committed. */
  readonly isReady: boolean
}

type LoadSources = {
  readonly loopLagMs: number
  readonly shards: Iterable<readonly [number, ShardLoad]>
  readonly callers: readonly string[]
  readonly mayClaim: boolean
  readonly isBackingOff: boolean
}

export function loadOf({ shards, ...more }: LoadSources): NodeLoad {
  return { ...more, shards: Object.fromEntries(shards) }
}

/** The node may run another version: what is not as expected counts as not reported. */
export function reportedLoad(load: NodeLoad): ReportedLoad {
  const { callers, isBackingOff, loopLagMs, mayClaim, shards } = load
  const own = isRecord(shards) ? Object.entries(shards) : []
  return {
    loopLagMs: typeof loopLagMs === 'number' ? loopLagMs : null,
    shards: new Map(
      own.flatMap(([shard, load]) => {
        if (!isRecord(load) || typeof load.openOrders !== 'number') return []
        return [[Number(shard), { openOrders: load.openOrders, isReady: load.isReady !== false }]]
      }),
    ),
    callers: Array.isArray(callers) ? callers.map(String) : null,
    mayClaim: mayClaim !== false,
    isBackingOff: isBackingOff === true,
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
