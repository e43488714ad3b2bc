// A shard whose commands carry the trace of their request, so that deliveries of their events do.

import { traceOf } from './http/trace.ts'
import type { ShardAccess } from './shards.ts'

/** The shard itself if the request has no traceparent, or an invalid one. */
export function tracedShard(shard: ShardAccess, traceparent: unknown): ShardAccess {
  if (traceparent === undefined) return shard
  const trace = traceOf(traceparent)
  if (trace === null) return shard
  const { traceId } = trace
  return {
    ...shard,
    submit: (kind, command) => shard.submit(kind, { ...command, traceId }),
    submitAll: (kind, commands) =>
      shard.submitAll(
        kind,
        commands.map((command) => ({ ...command, traceId })),
      ),
  }
}
