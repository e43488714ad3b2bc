// Loads a shard for the rules, from one state of the database. What is many is read in parts, so
// that the rows of a part are let go of before the next comes.

import type { FieldDef } from 'pg'
import type { OrderRecord, PositionRecord } from '../../core/snapshot/records.ts'
import { type Cell, numberOf, textOf } from '../sql/cells.ts'
import {
  type CellArray,
  liveMarkets,
  loadedOrder,
  loadedPosition,
  orderColumns,
  positionColumns,
  readBase,
} from '../sql/load-rows.ts'
import type { LoadedShard, UsedKey } from '../store.ts'
import { answerOf } from './answer.ts'
import { type Client, inTransaction, openClient } from './connection.ts'

const rowsAtOnce = 20_000

type LoadOptions = {
  readonly url: string
  readonly shard: number
  /** Keys of ended markets are kept that long. */
  readonly keysFrom: number
}

export const oneState = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

export async function loadShard({ url, shard, keysFrom }: LoadOptions): Promise<LoadedShard> {
  const client = await openClient(url)
  try {
    return await inTransaction(client, () => loadFrom(client, shard, keysFrom), oneState)
  } finally {
    void client.end().catch(() => undefined)
  }
}

async function loadFrom(client: Client, shard: number, keysFrom: number): Promise<LoadedShard> {
  const { operatorIds, operatorNumbers, ...base } = await answerOf(client, readBase(shard))
  const live = (await answerOf(client, liveMarkets())).map(({ serial }) => serial)
  const positions: PositionRecord[] = []
  await eachRow(client, {
    text: `SELECT ${positionColumns} FROM positions AS p WHERE market = ANY ($1) ORDER BY serial`,
    values: [live],
    use: (cells) => positions.push(loadedPosition(cells, operatorIds)),
  })
  const orders: OrderRecord[] = []
  await eachRow(client, {
    text: `SELECT ${orderColumns} FROM orders WHERE status <= 1 ORDER BY queue_serial`,
    values: [],
    use: (cells) => orders.push(loadedOrder(cells, operatorIds)),
  })
  const keys: UsedKey[] = []
  for (const table of ['orders', 'sets']) {
    await eachRow(client, {
      text: `SELECT operator, transaction_id, market FROM ${table}
        WHERE transaction_id IS NOT NULL AND (created_at >= $1 OR market = ANY ($2))`,
      values: [keysFrom, live],
      use: (cells) => keys.push(keyOf(cells)),
    })
  }
  return { records: { ...base, positions, orders }, operatorNumbers, keys }
}

function keyOf(cells: CellArray): UsedKey {
  return {
    operatorNumber: numberOf(cells[0]),
    transactionId: textOf(cells[1]),
    marketSerial: numberOf(cells[2]),
  }
}

type RowQuery = {
  readonly text: string
  readonly values: readonly unknown[]
  readonly use: (cells: CellArray) => void
}

async function eachRow(client: Client, { text, values, use }: RowQuery): Promise<void> {
  await eachPart(client, text, values, ({ rows }) => {
    for (const cells of rows) use(cells)
  })
}

type Part = { readonly fields: readonly FieldDef[]; readonly rows: readonly (readonly Cell[])[] }

/** In parts, inside a transaction. */
export async function eachPart(
  client: Client,
  text: string,
  values: readonly unknown[],
  use: (part: Part) => void,
): Promise<void> {
  await client.query(`DECLARE rows_to_load NO SCROLL CURSOR FOR ${text}`, [...values])
  for (;;) {
    const fetch = { text: `FETCH ${rowsAtOnce} FROM rows_to_load`, rowMode: 'array' as const }
    const part = await client.query<Cell[]>(fetch)
    use(part)
    if (part.rows.length < rowsAtOnce) break
  }
  await client.query('CLOSE rows_to_load')
}
