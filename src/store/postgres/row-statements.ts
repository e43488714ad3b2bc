// What is done with each kind of row, as statements inside the function that stores a turn. There
// `n` and `t` are the packed numbers and texts, and `a` is where a row begins: its column c is
// n[a + 2 + c], since arrays count from 1 and the first number is the kind.

import { columnOf } from '../columns.ts'
import { type ColumnType, type RowKind, rowKinds } from '../rows.ts'
import { sequencesPerChunk } from '../sql/read-events.ts'
import { candleMinutes } from '../trade-data.ts'

export type RowStatement = {
  readonly text: string
  /** Two rows with the same of these cannot go into one statement. */
  readonly key: readonly string[]
  /** Every row changes one that must be there. */
  readonly mustChange: boolean
}

/** Columns that are not yet called like the fields of the rows. */
const storedNames: Readonly<Record<string, string>> = {
  marketSerial: 'market',
  outcomeSerial: 'outcome',
  operatorNumber: 'operator',
  ownerNumber: 'owner',
  buyOrderSerial: 'buy_order',
  sellOrderSerial: 'sell_order',
  buyerNumber: 'buyer',
  sellerNumber: 'seller',
  job: 'run',
  eventSequence: 'sequence',
}

export const rowStatements: Readonly<Record<RowKind, RowStatement>> = {
  newOrder: insert('newOrder', 'orders'),
  order: update('order', 'orders'),
  amendedOrder: update('amendedOrder', 'orders'),
  trade: insert('trade', 'trades'),
  position: insert('position', 'positions', {
    key: ['serial'],
    change: {
      updated_at: 'greatest(old.updated_at, excluded.updated_at)',
      ...replaced('shares', 'reserved', 'cost', 'profit'),
    },
  }),
  market: insert('market', 'markets', {
    key: ['serial'],
    more: { folded_title: 'folded[array_position(folded_at, a)]' },
    change: replaced(
      ...['updated_at', 'is_shared', 'status', 'title', 'folded_title', 'description'],
      ...['image_url', 'category_id', 'metadata', 'trading_starts_at', 'trading_ends_at'],
      'resolution',
    ),
  }),
  marketCounters: insert('marketCounters', 'market_counters', {
    key: ['marketSerial'],
    change: replaced('volume', 'trade_count', 'sets_minted', 'sets_redeemed'),
  }),
  newOutcome: insert('newOutcome', 'outcomes'),
  outcome: insert('outcome', 'books', {
    key: ['outcomeSerial'],
    change: replaced('version', 'last_price'),
  }),
  // One for each width; two minutes of an outcome may be of one hour.
  candle: insert('candle', 'candles', {
    key: ['outcomeSerial'],
    target: ['outcome', 'width', 'minute'],
    more: { width: 'width' },
    across: `unnest(ARRAY[${Object.values(candleMinutes).join(', ')}]) AS width`,
    computed: { minute: (minute) => `${minute} - ${minute} % width` },
    change: {
      high: 'greatest(old.high, excluded.high)',
      low: 'least(old.low, excluded.low)',
      ...replaced('close'),
      ...added('shares', 'trades'),
    },
  }),
  participant: insert('participant', 'guests', {
    key: ['marketSerial', 'operatorNumber'],
    change: {},
  }),
  job: insert('job', 'runs', {
    key: ['marketSerial'],
    change: replaced('is_done', 'run'),
  }),
  sets: insert('sets', 'sets'),
  settlement: insert('settlement', 'settlements', {
    key: ['serial'],
    change: {
      ...replaced('status', 'updated_at'),
      error_message: 'CASE excluded.status WHEN 2 THEN NULL ELSE old.error_message END',
    },
  }),
  settlementNote: update('settlementNote', 'settlements'),
  eventRecord: withChunks(insert('eventRecord', 'tellings')),
  eventSequence: insert('eventSequence', 'sequences', {
    key: ['operatorNumber'],
    change: replaced('sequence'),
  }),
  tally: insert('tally', 'tallies', {
    key: ['operatorNumber', 'marketSerial'],
    change: added('orders', 'trades'),
  }),
}

type Insert = {
  /** The packed columns that make a row the same as one that is there. */
  readonly key: readonly string[]
  /** What becomes of the columns of the one that is there. */
  readonly change: Readonly<Record<string, string>>
  /** Columns that are not packed, and what goes there. */
  readonly more?: Readonly<Record<string, string>>
  /** The columns that make it the same, where they are not those of the key. */
  readonly target?: readonly string[]
  /** A row becomes as many as there are of these. */
  readonly across?: string
  /** What goes where a packed value is not taken as it is. */
  readonly computed?: Readonly<Record<string, (value: string) => string>>
}

function insert(kind: RowKind, table: string, merge: Insert | null = null): RowStatement {
  const { key = [], change = {}, more = {}, computed = {} } = merge ?? {}
  const nameOf = (column: string) => storedNames[column] ?? columnOf(column)
  const columns = packedColumns(kind)
  const targets = [...columns.map(({ name }) => nameOf(name)), ...Object.keys(more)]
  const taken = columns.map(({ name, value }) => computed[name]?.(value) ?? value)
  const values = [...taken, ...Object.values(more)]
  const changes = Object.entries(change).map(([column, value]) => `${column} = ${value}`)
  const then = changes.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${changes.join(', ')}`
  const target = merge?.target ?? key.map(nameOf)
  const onConflict = merge === null ? '' : `ON CONFLICT (${target.join(', ')}) ${then}`
  const from = ['unnest(rows_at) AS a', ...(merge?.across === undefined ? [] : [merge.across])]
  const text = `INSERT INTO ${table} AS old (${targets.join(', ')})
    SELECT ${values.join(', ')} FROM ${from.join(', ')} ${onConflict}`
  return { text, key, mustChange: false }
}

/** Which types the rows of a chunk have is noted with them. */
function withChunks(statement: RowStatement): RowStatement {
  const [operator, firstSequence, types] = ['operatorNumber', 'firstSequence', 'types'].map(
    (column) => packedColumns('eventRecord').find(({ name }) => name === column)!.value,
  )
  const text = `${statement.text};
    INSERT INTO telling_chunks AS old (operator, chunk, types)
    SELECT ${operator}, ${firstSequence} / ${sequencesPerChunk}, bit_or(${types})
    FROM unnest(rows_at) AS a GROUP BY 1, 2
    ON CONFLICT (operator, chunk) DO UPDATE SET types = old.types | excluded.types`
  return { ...statement, text }
}

function update(kind: RowKind, table: string): RowStatement {
  const columns = packedColumns(kind)
  const changes = columns
    .filter(({ name }) => name !== 'serial')
    .map(({ name, value }) => `${columnOf(name)} = ${value}`)
  const serial = columns.find(({ name }) => name === 'serial')!.value
  const text = `UPDATE ${table} SET ${changes.join(', ')}
    FROM unnest(rows_at) AS a WHERE ${table}.serial = ${serial}`
  return { text, key: ['serial'], mustChange: true }
}

function packedColumns(kind: RowKind): { name: string; value: string }[] {
  const columns = Object.entries<ColumnType>(rowKinds[kind])
  return columns.map(([name, type], place) => {
    const number = `n[a + ${place + 2}]`
    const text = `t[${number} + 1]`
    return { name, value: { number, text, exact: `${text}::numeric` }[type] }
  })
}

function replaced(...columns: string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column, `excluded.${column}`]))
}

function added(...columns: string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column, `old.${column} + excluded.${column}`]))
}
