// Lists of positions and settlements: the whole array, or a page if limit or cursor is sent.

import type { Serial } from '../../core/ids.ts'
import type { HoldingQuery, OperatorRow, Page } from '../../store/store.ts'
import { Refusal } from '../errors.ts'
import type { Done, Streamed } from '../http/response.ts'
import { afterOf, type ListName } from '../parse/cursor.ts'
import { serialOrNull } from '../parse/serial.ts'
import { pageMax } from '../schemas/fields.ts'
import type { SettlementsQuery } from '../schemas/holding.ts'
import type { ShardAccess } from '../shards.ts'
import { arrayAnswer, rowsPerPiece } from './array-stream.ts'
import { pageAnswer } from './page-answer.ts'

export type Holdings<Row> = {
  readonly name: ListName
  readonly read: (query: HoldingQuery) => Promise<Page<Row>>
  readonly present: (row: Row) => { readonly id: string }
}

export async function holdingsAnswer<Row extends { readonly serial: Serial }>(
  { ids }: ShardAccess,
  { name, read, present }: Holdings<Row>,
  { operator, query }: { readonly operator: OperatorRow; readonly query: SettlementsQuery },
): Promise<Done | Streamed | Refusal> {
  const after = afterOf(ids, name, query.cursor)
  if (after instanceof Refusal) return after
  const filter = {
    operatorNumber: operator.number,
    marketSerial: serialOrNull(ids, query.marketId),
    playerId: query.playerId ?? null,
    isAcknowledged: query.acknowledged,
  }
  if (query.limit === undefined && query.cursor === undefined) {
    const limit = rowsPerPiece
    return arrayAnswer({
      read: (from) => read({ ...filter, after: from, limit, isCounted: false }),
      present,
    })
  }
  return pageAnswer(name, await read({ ...filter, after, limit: query.limit ?? pageMax }), present)
}
