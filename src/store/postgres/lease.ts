// Who holds the shard. A lease says so for some seconds, by the server's clock, and each turn and
// each beat renews it. It only decides who may try: what keeps a late owner from writing is the
// epoch, which every owner raises.

import type { Client } from './connection.ts'

const leaseSeconds = 6
export const beatMs = 2_000
export const leaseText = `clock_timestamp() + interval '${leaseSeconds} seconds'`

export type Hold = { readonly shard: number; readonly owner: string }

/** False where another has taken it. */
export async function renew(client: Client, { shard, owner }: Hold): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE shards SET lease_until = ${leaseText} WHERE shard = $1 AND owner = $2`,
    [shard, owner],
  )
  return rowCount === 1
}

/** So that the next one need not wait for the end of the lease. */
export async function letGo(client: Client, { shard, owner }: Hold): Promise<void> {
  await client.query(
    `UPDATE shards SET lease_until = '-infinity' WHERE shard = $1 AND owner = $2`,
    [shard, owner],
  )
}
