// The lease of the shard: it names the owner for some seconds of the server's clock, and is renewed
// by each turn and by a timer. It decides which service may claim the shard, and how long its owner
// may show what it has in memory. The epoch, which every owner raises, keeps a previous owner from
// writing.

import type { Client } from './connection.ts'
import type { ShardSchema } from './shard-schema.ts'

const leaseSeconds = 6
export const renewEveryMs = 2_000
/**
 * From the start of a confirmed renewal, how long its owner relies on the lease. Less than the
 * lease, because the clocks of two machines may run at different rates.
 */
export const reliedOnMs = 5_000
export const leaseText = `clock_timestamp() + interval '${leaseSeconds} seconds'`

export type Hold = { readonly shard: ShardSchema; readonly owner: string }

/** Returns false if another service has acquired it. */
export async function renewLease(client: Client, { shard, owner }: Hold): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE head SET lease_until = ${leaseText} WHERE shard = $1 AND owner = $2`,
    [shard.shard, owner],
  )
  return rowCount === 1
}

/** Lets the next service start without waiting for the end of the lease. */
export async function releaseLease(client: Client, { shard, owner }: Hold): Promise<void> {
  await client.query(`UPDATE head SET lease_until = '-infinity' WHERE shard = $1 AND owner = $2`, [
    shard.shard,
    owner,
  ])
}
