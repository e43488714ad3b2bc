// The answer to a command on a market: the market as it is stored now.

import { assert } from '../../core/assert.ts'
import type { Serial } from '../../core/ids.ts'
import type { OperatorRow } from '../../store/store.ts'
import { answerOfStored } from '../faults.ts'
import { Done } from '../http/response.ts'
import { presentMarket } from '../present/market.ts'
import type { ShardAccess } from '../shards.ts'

/** The caller of the command, and its shard. */
export type MarketCaller = { readonly operator: OperatorRow; readonly shard: ShardAccess }

export async function marketAnswer(
  { operator, shard }: MarketCaller,
  serial: Serial,
  status: 200 | 201 = 200,
): Promise<Done> {
  return answerOfStored(async () => {
    const market = await shard.reads.market(serial, operator.number)
    assert(market !== null, 'a market that accepted a command is stored')
    return Done.ofStored(() => presentMarket(shard.ids, market), { status })
  })
}
