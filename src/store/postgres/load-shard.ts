// Loads a shard from one snapshot of the database. Large tables are read in parts, so that the
// memory of a part is free before the next one arrives.

import type { FieldDef } from 'pg'
import type { Serial } from '../../core/ids.ts'
import type { MarketRecord, OrderRecord, PositionRecord } from '../../core/snapshot/records.ts'
import type { Cell } from '../sql/cells.ts'
import {
  type CellArray,
  keyColumns,
  keyTables,
  liveMarkets,
  loadedKey,
  loadedOrder,
  loadedPosition,
  orderColumns,
  pagesOf,
  positionColumns,
  readBase,
} from '../sql/load-rows.ts'
import { recordsOfMarkets } from '../sql/market-records.ts'
import type { LoadedShard } from '../store.ts'
import { answerOf } from './answer.ts'
import { type Client, inTransaction, oneState, openClient } from './connection.ts'
import { type ShardSchema, searchPathOf } from './shard-schema.ts'

const rowsAtOnce = 20_000
/** Fewer, because the engine runs meanwhile. */
const keysAtOnce = 2_000

type LoadOptions = {
  readonly url: string
  readonly shard: ShardSchema
  /** Keys of ended markets are loaded from that time on. */
  readonly keysFrom: number
}

export async function loadShard(options: LoadOptions): Promise<LoadedShard> {
  const { url, shard } = options
  const client = await openClient(url)
  try {
    await client.query(`SET ${searchPathOf(shard)}`)
    const loaded = await inTransaction(client, () => loadFrom(client, shard), oneState)
    const { live, ...rest } = loaded
    return { ...rest, keys: [], laterKeys: () => keysOf(options, live) }
  } finally {
    void client.end().catch(() => undefined)
  }
}

async function loadFrom(client: Client, shard: ShardSchema) {
  const { operatorIds, operatorNumbers, ...base } = await answerOf(
    client,
    shard,
    readBase(shard.shard),
  )
  const liveOnes = await answerOf(client, shard, liveMarkets())
  const live = liveOnes.map(({ serial }) => serial)
  const markets: MarketRecord[] = []
  for (const serials of pagesOf(liveOnes)) {
    markets.push(...(await answerOf(client, shard, recordsOfMarkets(serials))))
  }
  const positions: PositionRecord[] = []
  await eachRow(client, {
    text: `SELECT ${positionColumns} FROM positions AS p
      WHERE market_serial = ANY ($1) ORDER BY serial`,
    values: [live],
    use: (cells) => positions.push(loadedPosition(cells, operatorIds)),
  })
  const orders: OrderRecord[] = []
  await eachRow(client, {
    text: `SELECT ${orderColumns} FROM orders AS open WHERE status <= 1 ORDER BY queue_serial`,
    values: [],
    use: (cells) => orders.push(loadedOrder(cells, operatorIds)),
  })
  const records = { ...base, markets, positions, orders }
  return { records, operatorNumbers, live }
}

async function* keysOf({ url, shard, keysFrom }: LoadOptions, live: readonly Serial[]) {
  const client = await openClient(url)
  try {
    await client.query(`SET ${searchPathOf(shard)}`)
    await client.query(oneState)
    for (const table of keyTables) {
      const text = `SELECT ${keyColumns} FROM ${table}
        WHERE transaction_id IS NOT NULL AND (created_at >= $1 OR market_serial = ANY ($2))`
      for await (const { rows } of partsOf(client, text, [keysFrom, live], keysAtOnce)) {
        yield rows.map((cells) => loadedKey(cells))
      }
    }
  } finally {
    void client.end().catch(() => undefined)
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

/** Runs a query in parts, inside the caller's transaction. */
export async function eachPart(
  client: Client,
  text: string,
  values: readonly unknown[],
  use: (part: Part) => void,
): Promise<void> {
  for await (const part of partsOf(client, text, values, rowsAtOnce)) use(part)
}

async function* partsOf(
  client: Client,
  text: string,
  values: readonly unknown[],
  atOnce: number,
): AsyncGenerator<Part> {
  await client.query(`DECLARE rows_to_load NO SCROLL CURSOR FOR ${text}`, [...values])
  for (;;) {
    const fetch = { text: `FETCH ${atOnce} FROM rows_to_load`, rowMode: 'array' as const }
    const part = await client.query<Cell[]>(fetch)
    yield part
    if (part.rows.length < atOnce) break
  }
  await client.query('CLOSE rows_to_load')
}
