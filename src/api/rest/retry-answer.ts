// The answer to a retry of settlements: totals over the retried settlements of all operators, and
// the caller's own retried settlements.

import { Readable } from 'node:stream'
import type { Serial } from '../../core/ids.ts'
import type { RetryAnswer } from '../../engine/commands.ts'
import type { OperatorRow } from '../../store/store.ts'
import { Streamed } from '../http/response.ts'
import { presentSettlement, presentSettleTotals } from '../present/holding.ts'
import type { ShardAccess } from '../shards.ts'

const readAtOnce = 100

type Retried = {
  readonly totals: object
  readonly settlementSerials: readonly Serial[]
}

export function retryAnswer(
  shard: ShardAccess,
  operator: OperatorRow,
  { marketId, settlementSerials, payout }: RetryAnswer & { readonly marketId: string },
): Streamed {
  const answer = { settled: settlementSerials.length, payout, cancelledOrders: 0 }
  const totals = presentSettleTotals(marketId, answer)
  return retryAgain(shard, operator, { totals, settlementSerials })
}

/** With the settlements as they are now; `kept` is what an earlier answer was made of. */
export function retryAgain(shard: ShardAccess, operator: OperatorRow, kept: unknown): Streamed {
  const pieces = piecesOf(shard, operator, kept as Retried)
  return new Streamed(Readable.from(pieces, { objectMode: false }), { kept })
}

async function* piecesOf(
  { reads, ids }: ShardAccess,
  operator: OperatorRow,
  { totals, settlementSerials }: Retried,
): AsyncGenerator<string> {
  let separator = ''
  yield `{"success":true,"data":${JSON.stringify(totals).slice(0, -1)},"settlements":[`
  for (let at = 0; at < settlementSerials.length; at += readAtOnce) {
    const serials = settlementSerials.slice(at, at + readAtOnce)
    const rows = await Promise.all(
      serials.map((serial) => reads.settlement(operator.number, serial)),
    )
    const own = rows.filter((row) => row !== null)
    if (own.length === 0) continue
    yield separator + own.map((row) => JSON.stringify(presentSettlement(ids, row))).join(',')
    separator = ','
  }
  yield ']}}'
}
