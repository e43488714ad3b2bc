// What a node reports about itself with each beat, for the administrator.

import type { NodeLoad } from '../store/store.ts'

export type ReportedLoad = {
  /** How late its event loop runs. */
  readonly loopLagMs: number | null
  /** Those that it runs, by their numbers. */
  readonly shards: ReadonlyMap<number, { readonly openOrders: number }>
}

type LoadSources = {
  readonly loopLagMs: number
  readonly shards: Iterable<readonly [number, { readonly openOrders: number }]>
}

export function loadOf({ loopLagMs, shards }: LoadSources): NodeLoad {
  const own = [...shards].map(([shard, { openOrders }]) => [shard, { openOrders }])
  return { loopLagMs, shards: Object.fromEntries(own) }
}

/** The node may run another version: what is not as expected counts as not reported. */
export function reportedLoad({ loopLagMs, shards }: NodeLoad): ReportedLoad {
  const own = isRecord(shards) ? Object.entries(shards) : []
  return {
    loopLagMs: typeof loopLagMs === 'number' ? loopLagMs : null,
    shards: new Map(
      own.flatMap(([shard, load]) => {
        const openOrders = isRecord(load) ? load.openOrders : null
        return typeof openOrders === 'number' ? [[Number(shard), { openOrders }]] : []
      }),
    ),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
