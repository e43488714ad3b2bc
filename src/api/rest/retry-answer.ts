// The answer to a retry: the settlements that were taken back, of the caller's own, and what they
// come to. Their sum is known when the last is read, so the totals stand behind them.

import { Readable } from 'node:stream'
import type { OperatorRow } from '../../store/store.ts'
import { payoutOf, presentSettlement, presentSettleTotals } from '../present/holding.ts'
import type { Context } from './context.ts'
import { Streamed } from './deliver.ts'

const readAtOnce = 100

export function retryAnswer(
  context: Context,
  operator: OperatorRow,
  retried: { readonly marketId: string; readonly settlements: readonly number[] },
): Streamed {
  return new Streamed(Readable.from(piecesOf(context, operator, retried), { objectMode: false }))
}

async function* piecesOf(
  { reads, ids }: Context,
  operator: OperatorRow,
  { marketId, settlements }: { readonly marketId: string; readonly settlements: readonly number[] },
): AsyncGenerator<string> {
  let payout = 0n
  let separator = ''
  yield '{"success":true,"data":{"settlements":['
  for (let at = 0; at < settlements.length; at += readAtOnce) {
    const serials = settlements.slice(at, at + readAtOnce)
    const rows = await Promise.all(
      serials.map((serial) => reads.settlement(operator.number, serial)),
    )
    const own = rows.filter((row) => row !== null)
    if (own.length === 0) continue
    payout = own.reduce((sum, row) => sum + payoutOf(row), payout)
    yield separator + own.map((row) => JSON.stringify(presentSettlement(ids, row))).join(',')
    separator = ','
  }
  const answer = { settled: settlements.length, payout, cancelledOrders: 0 }
  yield `],${JSON.stringify(presentSettleTotals(marketId, answer)).slice(1)}}`
}
