// The answer to a retry of settlements: totals over the retried settlements of all operators, and
// the caller's own retried settlements.

import { Readable } from 'node:stream'
import type { RetryAnswer } from '../../engine/commands.ts'
import type { OperatorRow } from '../../store/store.ts'
import { Streamed } from '../http/response.ts'
import { presentSettlement, presentSettleTotals } from '../present/holding.ts'
import type { ShardAccess } from '../shards.ts'

const readAtOnce = 100

export function retryAnswer(
  shard: ShardAccess,
  operator: OperatorRow,
  retried: RetryAnswer & { readonly marketId: string },
): Streamed {
  return new Streamed(Readable.from(piecesOf(shard, operator, retried), { objectMode: false }))
}

async function* piecesOf(
  { reads, ids }: ShardAccess,
  operator: OperatorRow,
  { marketId, settlementSerials, payout }: RetryAnswer & { readonly marketId: string },
): AsyncGenerator<string> {
  const answer = { settled: settlementSerials.length, payout, cancelledOrders: 0 }
  const totals = JSON.stringify(presentSettleTotals(marketId, answer))
  let separator = ''
  yield `{"success":true,"data":${totals.slice(0, -1)},"settlements":[`
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
