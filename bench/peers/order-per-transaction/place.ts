// Places an order in one transaction of two round trips. The first one sends BEGIN, the lock of the
// book and the queries for the position and the resting orders; the second one sends the changes
// and the COMMIT. The book stays locked until the commit is on disk.

import type pg from 'pg'
import type { FeeRate } from '../../../src/core/money.ts'
import { type NewOrder, newId, Placement } from './placement.ts'
import {
  type BookRow,
  lockBook,
  type PositionRow,
  type RestingRow,
  readPosition,
  readResting,
  writePlacement,
} from './schema.ts'

export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Most orders match one or two; the rare order that needs more reads the next page. */
const pageSize = 10
const readRestingTexts = { BUY: readResting('BUY'), SELL: readResting('SELL') }
const uniqueViolation = '23505'

export async function placeOrder(
  pool: pg.Pool,
  feeRates: ReadonlyMap<string, FeeRate>,
  order: NewOrder,
): Promise<Placement> {
  const client = await pool.connect()
  try {
    const placement = await decide(client, feeRates, order)
    const written = client.query({
      name: 'write',
      text: writePlacement,
      values: placement.values(),
    })
    await Promise.all([written, client.query('COMMIT')])
    return placement
  } catch (fault) {
    await client.query('ROLLBACK')
    if (fault instanceof Error && 'code' in fault && fault.code === uniqueViolation) {
      throw new Refusal(409, 'ORDER_DUPLICATE_TRANSACTION', 'transactionId was used before.')
    }
    throw fault
  } finally {
    client.release()
  }
}

async function decide(
  client: pg.PoolClient,
  feeRates: ReadonlyMap<string, FeeRate>,
  order: NewOrder,
): Promise<Placement> {
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
  const version = check(order, books.rows[0], own.rows[0])
  const placement = new Placement({ order, id: newId(), version, own: own.rows[0], feeRates })
  let rows = page
  for (let offset = pageSize; ; offset += pageSize) {
    for (const row of rows) placement.match(row)
    if (placement.remaining === 0 || rows.length < pageSize) break
    rows = await resting(client, order, offset)
  }
  if (order.type === 'MARKET' && placement.trades.length === 0) {
    throw new Refusal(409, 'ORDER_NO_LIQUIDITY', 'No resting order matches.')
  }
  placement.rest()
  return placement
}

async function resting(
  client: pg.PoolClient,
  { side, outcomeId, price }: NewOrder,
  offset: number,
): Promise<RestingRow[]> {
  const worst = price ?? (side === 'BUY' ? 10_000 : 0)
  const values = [outcomeId, worst, pageSize, offset]
  const query = { name: `resting-${side}`, text: readRestingTexts[side], values }
  return (await client.query<RestingRow>(query)).rows
}

/** Refuses an invalid order; returns the version of the book otherwise. */
function check(
  order: NewOrder,
  book: BookRow | undefined,
  position: PositionRow | undefined,
): number {
  if (book === undefined) throw new Refusal(404, 'MARKET_NOT_FOUND', 'The market does not exist.')
  const now = Date.now()
  const isInWindow =
    (book.starts_at?.getTime() ?? now) <= now && now < (book.ends_at?.getTime() ?? Infinity)
  if (book.status !== 'OPEN' || !isInWindow) {
    throw new Refusal(409, 'MARKET_NOT_OPEN', `The market is ${book.status}.`)
  }
  const free = position === undefined ? 0 : position.shares - position.reserved
  if (order.side === 'SELL' && free < order.shares) {
    throw new Refusal(
      409,
      'POSITION_INSUFFICIENT_SHARES',
      `Needs ${order.shares} steps of shares, ${free} available.`,
    )
  }
  return book.version
}
