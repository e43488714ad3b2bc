// The lease of the shard: it names the owner for some seconds of the server's clock, and is renewed
// by each turn and by a timer. It decides which service may claim the shard, and how long its owner
// may show what it has in memory. The epoch, which every owner raises, keeps a previous owner from
// writing.

import { StoreUnavailable } from '../store.ts'
import type { Client } from './connection.ts'
import type { ShardSchema } from './shard-schema.ts'

export type LeaseTimes = {
  readonly leaseMs: number
  readonly renewEveryMs: number
  /**
   * From the start of a confirmed renewal, how long its owner relies on the lease. Less than the
   * lease, because the clocks of two machines may run at different rates.
   */
  readonly reliedOnMs: number
}

export function leaseTimes(leaseMs: number): LeaseTimes {
  return { leaseMs, renewEveryMs: leaseMs / 3, reliedOnMs: (leaseMs * 5) / 6 }
}

/** For a service that is alone on its database, which ends if it loses a shard. */
export const leaseMsAlone = 6_000

/** The end of a lease that begins now; `ms` is a parameter of the statement. */
export function leaseEnd(ms: string): string {
  return `clock_timestamp() + ${ms} * interval '1 millisecond'`
}

/** A lease and what it is for: the shard, and the process that holds it. */
export type ShardLease = {
  readonly shard: ShardSchema
  readonly owner: string
  readonly lease: LeaseTimes
}

export function shardLost(): StoreUnavailable {
  return new StoreUnavailable('Another service has acquired the shard.')
}

/** Returns false if another service has acquired it. */
export async function renewLease(
  client: Client,
  { shard, owner, lease }: ShardLease,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE head SET lease_until = ${leaseEnd('$3')} WHERE shard = $1 AND owner = $2`,
    [shard.shard, owner, lease.leaseMs],
  )
  return rowCount === 1
}

/**
 * Lets the next service acquire the lease without waiting for its end. For a moment only the
 * successor may, if one is named.
 */
export async function releaseLease(
  client: Client,
  { shard, owner }: Pick<ShardLease, 'shard' | 'owner'>,
  successor: string | null = null,
): Promise<void> {
  await client.query(
    `UPDATE head SET lease_until = '-infinity', successor = $3, released_at = clock_timestamp()
     WHERE shard = $1 AND owner = $2`,
    [shard.shard, owner, successor],
  )
}

/** How long only the successor may acquire a lease that was released for it. */
export const successorMs = 500

export type Acquisition = ShardLease & {
  readonly place: string
  readonly nodeId: string
  readonly engineVersion: number
}

/**
 * Acquires a lease that has ended, or that an earlier process of the same place holds. Returns
 * false if it is held, kept for another service, or the records are of a newer version.
 */
export async function acquireLease(
  client: Client,
  { shard, owner, place, nodeId, engineVersion, lease }: Acquisition,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE head SET epoch = epoch + 1, owner = $2, engine_version = $3,
       lease_until = ${leaseEnd('$4')}, successor = NULL, released_at = NULL
     WHERE shard = $1 AND engine_version <= $3
       AND (lease_until <= clock_timestamp() OR starts_with(owner, $5 || ' '))
       AND (successor IS NULL OR successor = $6
         OR released_at <= clock_timestamp() - interval '${successorMs} milliseconds')`,
    [shard.shard, owner, engineVersion, lease.leaseMs, place, nodeId],
  )
  return rowCount === 1
}
