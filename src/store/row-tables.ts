// The table of each kind of row, and how a row changes a stored one that has the same key. Both
// stores generate their statements from this.

import { settlementStatuses } from '../core/words.ts'
import { columnOf } from './columns.ts'
import { type RowKind, rowKinds } from './rows.ts'

/**
 * What a field does to the stored value: nothing, it replaces it (if it is not null), is added to
 * it, or the greater or lesser of the two is stored.
 */
export type Change = 'fixed' | 'replace' | 'replaceIfGiven' | 'add' | 'greatest' | 'least'

export type RowTable = {
  readonly table: string
  readonly write:
    | { readonly kind: 'insert' }
    /** Changes an existing row, which is found by its serial. */
    | { readonly kind: 'update' }
    | Upsert
}

export type Upsert = {
  readonly kind: 'upsert'
  /** The fields that identify a stored row. */
  readonly key: readonly string[]
  readonly changes: Readonly<Record<string, Change>>
  /** Changes of columns that are not fields of the row, as SQL over `stored` and `excluded`. */
  readonly moreChanges: Readonly<Record<string, string>>
}

type Field<Kind extends RowKind> = keyof (typeof rowKinds)[Kind] & string
/** Of every field that is not part of the key, so that none is forgotten. */
type Changes<Kind extends RowKind, Key extends string> = Readonly<
  Record<Exclude<Field<Kind>, Key>, Change>
>

/** A candle is stored once for each width, in minutes. The column is not a field of the row. */
export const candleWidth = 'width'
/** The column that is searched, computed from the title. */
export const foldedTitle = 'folded_title'

const completed = settlementStatuses.indexOf('COMPLETED')

export const rowTables: Readonly<Record<RowKind, RowTable>> = {
  newOrder: insertInto('orders'),
  order: update('orders'),
  amendedOrder: update('orders'),
  trade: insertInto('trades'),
  position: upsert('position', 'positions', ['serial'], {
    createdAt: 'fixed',
    updatedAt: 'greatest',
    marketSerial: 'fixed',
    outcomeSerial: 'fixed',
    operatorNumber: 'fixed',
    playerId: 'fixed',
    shares: 'replace',
    reserved: 'replace',
    cost: 'replace',
    profit: 'replace',
  }),
  market: upsert(
    'market',
    'markets',
    ['serial'],
    {
      createdAt: 'fixed',
      updatedAt: 'replace',
      ownerNumber: 'fixed',
      currency: 'fixed',
      isShared: 'fixed',
      hasCompleteSetMatching: 'fixed',
      status: 'replace',
      title: 'replace',
      description: 'fixed',
      imageUrl: 'fixed',
      categoryId: 'replace',
      metadata: 'fixed',
      tradingStartsAt: 'replace',
      tradingEndsAt: 'replace',
      resolution: 'replaceIfGiven',
    },
    { [foldedTitle]: `excluded.${foldedTitle}` },
  ),
  marketDescription: update('markets'),
  marketImageUrl: update('markets'),
  marketMetadata: update('markets'),
  marketCounters: upsert('marketCounters', 'market_counters', ['marketSerial'], {
    volume: 'replace',
    tradeCount: 'replace',
    setsMinted: 'replace',
    setsRedeemed: 'replace',
  }),
  newOutcome: insertInto('outcomes'),
  outcome: upsert('outcome', 'books', ['outcomeSerial'], {
    version: 'replace',
    lastPrice: 'replace',
  }),
  candle: upsert('candle', 'candles', ['outcomeSerial', candleWidth, 'minute'], {
    open: 'fixed',
    high: 'greatest',
    low: 'least',
    close: 'replace',
    shares: 'add',
    trades: 'add',
  }),
  participant: upsert('participant', 'participants', ['marketSerial', 'operatorNumber'], {}),
  job: upsert('job', 'jobs', ['marketSerial'], { isDone: 'replace', job: 'replace' }),
  sets: insertInto('sets'),
  settlement: upsert(
    'settlement',
    'settlements',
    ['serial'],
    {
      createdAt: 'fixed',
      updatedAt: 'replace',
      positionSerial: 'fixed',
      positionCreatedAt: 'fixed',
      marketSerial: 'fixed',
      outcomeSerial: 'fixed',
      operatorNumber: 'fixed',
      playerId: 'fixed',
      shares: 'fixed',
      payoutPerShare: 'fixed',
      status: 'replace',
    },
    {
      error_message: `CASE excluded.status
        WHEN ${completed} THEN NULL ELSE stored.error_message END`,
    },
  ),
  settlementNote: update('settlements'),
  eventRecord: insertInto('event_records'),
  eventSequence: upsert('eventSequence', 'event_sequences', ['operatorNumber'], {
    eventSequence: 'replace',
  }),
  tally: upsert('tally', 'tallies', ['operatorNumber', 'marketSerial'], {
    orders: 'add',
    trades: 'add',
  }),
  marketPublicPage: update('markets'),
  deadMan: upsert('deadMan', 'dead_men', ['operatorNumber', 'playerId'], {
    timeoutMs: 'replace',
    deadline: 'replace',
    state: 'replace',
    cancelUpTo: 'replace',
  }),
  marketFees: update('markets'),
  marketBand: update('markets'),
  controls: upsert('controls', 'controls', ['holderKind', 'operatorNumber', 'playerId'], {
    record: 'replace',
  }),
  orderGroup: upsert('orderGroup', 'order_groups', ['serial'], {
    createdAt: 'fixed',
    operatorNumber: 'fixed',
    playerId: 'fixed',
    limitShares: 'replace',
    windowMs: 'fixed',
    status: 'replace',
    generation: 'replace',
    cancelUpTo: 'replace',
  }),
  orderGroupFill: upsert('orderGroupFill', 'order_group_fills', ['groupSerial', 'slot'], {
    generation: 'replace',
    filledAt: 'replace',
    shares: 'replace',
  }),
  orderGroupOrder: insertInto('order_group_orders'),
  orderAmount: insertInto('order_amounts'),
}

function insertInto(table: string): RowTable {
  return { table, write: { kind: 'insert' } }
}

function update(table: string): RowTable {
  return { table, write: { kind: 'update' } }
}

function upsert<Kind extends RowKind, const Key extends Field<Kind> | typeof candleWidth>(
  _kind: Kind,
  table: string,
  key: readonly Key[],
  changes: Changes<Kind, Key>,
  moreChanges: Readonly<Record<string, string>> = {},
): RowTable {
  return { table, write: { kind: 'upsert', key, changes, moreChanges } }
}

/** The columns of a row, in the order in which its fields are packed. */
export function columnsOf(kind: RowKind): string[] {
  return Object.keys(rowKinds[kind]).map(columnOf)
}

/** The names of a database's functions for the greater and the lesser of two values. */
export type Dialect = { readonly greatest: string; readonly least: string }

/** The end of an INSERT INTO table AS stored; empty for rows that never change a stored one. */
export function onConflict({ write }: RowTable, { greatest, least }: Dialect): string {
  if (write.kind !== 'upsert') return ''
  const of = {
    fixed: null,
    replace: (column: string) => `excluded.${column}`,
    replaceIfGiven: (column: string) => `coalesce(excluded.${column}, stored.${column})`,
    add: (column: string) => `stored.${column} + excluded.${column}`,
    greatest: (column: string) => `${greatest}(stored.${column}, excluded.${column})`,
    least: (column: string) => `${least}(stored.${column}, excluded.${column})`,
  } as const
  const changes = Object.entries(write.changes).flatMap(([field, change]) => {
    const value = of[change]?.(columnOf(field))
    return value === undefined ? [] : `${columnOf(field)} = ${value}`
  })
  const more = Object.entries(write.moreChanges).map(([column, sql]) => `${column} = ${sql}`)
  const all = [...changes, ...more]
  const action = all.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${all.join(', ')}`
  return `ON CONFLICT (${write.key.map(columnOf).join(', ')}) ${action}`
}
