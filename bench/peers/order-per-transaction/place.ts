// One order, one transaction. What can be asked before anything is known goes out in one go: BEGIN,
// the lock of the book, the position and the resting orders; then everything is decided here and
// goes back with the COMMIT. So an order costs two round trips. Its book stays locked until the
// disk has it.

import type pg from 'pg'
import { lockBook, readPosition, readResting, writePlacement } from './schema.ts'
import { newId, Settling } from './settling.ts'

export type Operator = { readonly id: string; readonly feeRate: number }

/** In steps. */
export type NewOrder = {
  readonly operator: Operator
  readonly marketId: string
  readonly outcomeId: string
  readonly playerId: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'LIMIT' | 'MARKET'
  readonly shares: number
  readonly price: number | null
  readonly transactionId: string | null
  readonly expiresAt: string | null
}

export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type BookRow = {
  readonly version: number
  readonly status: string
  readonly starts_at: Date | null
  readonly ends_at: Date | null
}
export type PositionRow = { shares: number; reserved: number; cost: number; profit: number }
export type RestingRow = {
  readonly id: string
  readonly operator_id: string
  readonly player_id: string
  readonly price: number
  readonly shares: number
  readonly filled: number
  readonly cost: number
  readonly remaining: number
  readonly held: number | null
  readonly reserved: number | null
  readonly held_cost: number | null
  readonly profit: number | null
}

/** Most orders meet one or two; the rare one that needs more asks for the next page. */
const pageSize = 10
const texts = { BUY: readResting('BUY'), SELL: readResting('SELL') }
const uniqueViolation = '23505'

export async function placeOrder(
  pool: pg.Pool,
  feeRates: ReadonlyMap<string, number>,
  order: NewOrder,
): Promise<Settling> {
  const client = await pool.connect()
  try {
    const settling = await decide(client, feeRates, order)
    const written = client.query({ name: 'write', text: writePlacement, values: settling.values() })
    await Promise.all([written, client.query('COMMIT')])
    return settling
  } catch (fault) {
    await client.query('ROLLBACK')
    if (fault instanceof Error && 'code' in fault && fault.code === uniqueViolation) {
      throw new Refusal(409, 'ORDER_DUPLICATE_TRANSACTION', 'This transactionId was used before.')
    }
    throw fault
  } finally {
    client.release()
  }
}

async function decide(
  client: pg.PoolClient,
  feeRates: ReadonlyMap<string, number>,
  order: NewOrder,
): Promise<Settling> {
  const { operator, outcomeId, playerId } = order
  const [, books, own, page] = await Promise.all([
    client.query('BEGIN'),
    client.query<BookRow>({ name: 'lock', text: lockBook, values: [outcomeId, order.marketId] }),
    client.query<PositionRow>({
      name: 'position',
      text: readPosition,
      values: [outcomeId, operator.id, playerId],
    }),
    resting(client, order, 0),
  ])
  const version = refuse(order, books.rows[0], own.rows[0])
  const settling = new Settling({ order, id: newId(), version, own: own.rows[0], feeRates })
  let rows = page
  for (let offset = pageSize; ; offset += pageSize) {
    for (const row of rows) settling.meet(row)
    if (settling.remaining === 0 || rows.length < pageSize) break
    rows = await resting(client, order, offset)
  }
  if (order.type === 'MARKET' && settling.trades.length === 0) {
    throw new Refusal(409, 'ORDER_NO_LIQUIDITY', 'No orders to match.')
  }
  settling.rest()
  return settling
}

async function resting(
  client: pg.PoolClient,
  { side, outcomeId, price }: NewOrder,
  offset: number,
): Promise<RestingRow[]> {
  const worst = price ?? (side === 'BUY' ? 10_000 : 0)
  const values = [outcomeId, worst, pageSize, offset]
  const query = { name: `resting-${side}`, text: texts[side], values }
  return (await client.query<RestingRow>(query)).rows
}

/** The version of the book, if nothing speaks against the order. */
function refuse(
  order: NewOrder,
  book: BookRow | undefined,
  position: PositionRow | undefined,
): number {
  if (book === undefined) throw new Refusal(404, 'MARKET_NOT_FOUND', 'No such market.')
  const now = Date.now()
  const isInWindow =
    (book.starts_at?.getTime() ?? now) <= now && now < (book.ends_at?.getTime() ?? Infinity)
  if (book.status !== 'OPEN' || !isInWindow) {
    throw new Refusal(409, 'MARKET_NOT_OPEN', `The market is ${book.status}.`)
  }
  const free = position === undefined ? 0 : position.shares - position.reserved
  if (order.side === 'SELL' && free < order.shares) {
    throw new Refusal(409, 'POSITION_INSUFFICIENT_SHARES', `Only ${free} are free.`)
  }
  return book.version
}
