// The usual design of such a service: Fastify, a connection pool to PostgreSQL, and one transaction
// per order, matched in TypeScript under a lock on the book's row. Commits wait for the disk, as
// Outcry's do.

// It uses prepared statements, pipelining, an index for each query, API keys in memory, and a
// single statement for everything that an order writes. A PL/pgSQL function would save one more
// round trip, but move rules into the database. It leaves out levels in book events, gapless event
// numbers per operator, replays of a transactionId, and shared markets.

import Fastify from 'fastify'
import pg from 'pg'
import { averageOf, decimals, type FeeRate, stepsOf, textOf } from '../../src/core/money.ts'
import { placeOrder, Refusal } from './order-per-transaction/place.ts'
import {
  type NewOrder,
  newId,
  type Operator,
  type Placement,
} from './order-per-transaction/placement.ts'
import { mint, schema } from './order-per-transaction/schema.ts'

type OrderBody = {
  readonly marketId: string
  readonly outcomeId: string
  readonly playerId: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'LIMIT' | 'MARKET'
  readonly shares: number
  readonly price?: number
  readonly transactionId?: string
  readonly expiresAt?: string
}

const id = { type: 'string', format: 'uuid' }
const orderBody = {
  type: 'object',
  required: ['marketId', 'outcomeId', 'playerId', 'side', 'type', 'shares'],
  additionalProperties: false,
  properties: {
    marketId: id,
    outcomeId: id,
    playerId: { type: 'string', minLength: 1 },
    side: { enum: ['BUY', 'SELL'] },
    type: { enum: ['LIMIT', 'MARKET'] },
    shares: { type: 'number', minimum: 1, maximum: 100_000 },
    price: { type: 'number', minimum: 0.01, maximum: 0.99 },
    transactionId: { type: 'string' },
    expiresAt: { type: 'string', format: 'date-time' },
  },
}

/** More connections would only wait for the same rows: the load has two books. */
const poolSize = 16
const feeRate = 200 as FeeRate

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: poolSize,
  min: poolSize,
  pipeline: true,
})
await pool.query(schema)

const operators = new Map<string, Operator>()
const feeRates = new Map<string, FeeRate>()
const app = Fastify()

app.setErrorHandler((fault, _request, reply) => {
  const isRefusal = fault instanceof Refusal
  const message = fault instanceof Error ? fault.message : String(fault)
  const error = { code: isRefusal ? fault.code : 'INTERNAL_ERROR', message }
  return reply.code(isRefusal ? fault.status : 500).send({ success: false, error })
})

app.post<{ Body: { name: string } }>('/api/v1/admin/operators', async (request, reply) => {
  const operator = { id: newId(), feeRate }
  const apiKey = `ok_${newId()}`
  const row = [operator.id, request.body.name, apiKey, feeRate]
  await pool.query('INSERT INTO operators VALUES ($1, $2, $3, $4)', row)
  operators.set(apiKey, operator)
  feeRates.set(operator.id, feeRate)
  return reply.code(201).send({ success: true, data: { operator, apiKey } })
})

app.post<{ Body: { title: string } }>('/api/v1/markets', async (request, reply) => {
  const market = { id: newId(), title: request.body.title }
  const values = [market.id, operatorOf(request.headers).id, market.title]
  const outcomes = ['Yes', 'No'].map((name, index) => ({ id: newId(), name, index }))
  const columns = 'INSERT INTO markets (id, operator_id, title, status, created_at)'
  await pool.query(`${columns} VALUES ($1, $2, $3, 'DRAFT', now())`, values)
  for (const outcome of outcomes) {
    const row = [outcome.id, market.id, outcome.index, outcome.name]
    await pool.query(
      'INSERT INTO outcomes (id, market_id, index, name) VALUES ($1, $2, $3, $4)',
      row,
    )
  }
  return reply.code(201).send({ success: true, data: { ...market, outcomes } })
})

app.post<{ Params: { id: string } }>('/api/v1/markets/:id/open', async (request) => {
  await pool.query("UPDATE markets SET status = 'OPEN' WHERE id = $1", [request.params.id])
  return { success: true, data: { id: request.params.id } }
})

app.get<{ Params: { id: string } }>('/api/v1/markets/:id', async (request) => {
  const sums = 'coalesce(sum(trades), 0)::bigint AS "totalTrades"'
  const text = `SELECT ${sums} FROM outcomes WHERE market_id = $1`
  const found = await pool.query<{ totalTrades: number }>(text, [request.params.id])
  return { success: true, data: { id: request.params.id, ...found.rows[0] } }
})

type MintBody = { readonly playerId: string; readonly shares: number }
app.post<{ Params: { id: string }; Body: MintBody }>(
  '/api/v1/markets/:id/mint',
  async (request, reply) => {
    const { playerId, shares } = request.body
    const steps = stepsOf(shares, decimals.shares)
    const values = [request.params.id, operatorOf(request.headers).id, playerId, steps]
    const minted = await pool.query({ name: 'mint', text: mint, values })
    return reply.code(201).send({ success: true, data: { positions: minted.rows } })
  },
)

app.post<{ Body: OrderBody }>(
  '/api/v1/orders',
  { schema: { body: orderBody } },
  async (request, reply) => {
    const order = orderOf(request.body, operatorOf(request.headers))
    const placed = await placeOrder(pool, feeRates, order)
    return reply.code(201).send({ success: true, data: presented(placed) })
  },
)

const address = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(`One transaction per order: ${address}`)
process.once('SIGTERM', async () => {
  await app.close()
  await pool.end()
})

function operatorOf(headers: Readonly<Record<string, string | string[] | undefined>>): Operator {
  const operator = operators.get(String(headers['x-api-key']))
  if (operator === undefined) throw new Refusal(401, 'UNAUTHORIZED', 'The API key is unknown.')
  return operator
}

function orderOf(body: OrderBody, operator: Operator): NewOrder {
  const isLimit = body.type === 'LIMIT'
  const shares = stepsOf(body.shares, decimals.shares)
  const price = isLimit ? stepsOf(body.price ?? Number.NaN, decimals.price) : null
  if (shares === null)
    throw new Refusal(400, 'ORDER_INVALID_SHARES', 'shares must be a multiple of 0.01.')
  if (isLimit && price === null)
    throw new Refusal(400, 'ORDER_INVALID_PRICE', 'price must be a multiple of 0.0001.')
  const { transactionId = null, expiresAt = null } = body
  return { ...body, operator, shares, price, transactionId, expiresAt }
}

function presented(placed: Placement): object {
  const { order, trades, status } = placed
  const filledShares = textOf(placed.filled, decimals.shares)
  const remainingShares = textOf(placed.remaining, decimals.shares)
  const avgFillPrice = textOf(averageOf(placed.cost, placed.filled), decimals.average)
  const createdAt = placed.at.toISOString()
  const { marketId, outcomeId } = order
  const amounts = { filledShares, avgFillPrice, remainingShares }
  return {
    order: {
      id: placed.id,
      marketId,
      outcomeId,
      operatorId: order.operator.id,
      playerId: order.playerId,
      side: order.side,
      type: order.type,
      shares: textOf(order.shares, decimals.shares),
      price: order.price === null ? null : textOf(order.price, decimals.price),
      ...amounts,
      status,
      transactionId: order.transactionId,
      expiresAt: order.expiresAt,
      createdAt,
      updatedAt: createdAt,
    },
    trades: trades.map((trade) => ({
      id: trade.id,
      marketId,
      outcomeId,
      buyOrderId: trade.buyOrderId,
      sellOrderId: trade.sellOrderId,
      buyerOperatorId: trade.buyer,
      sellerOperatorId: trade.seller,
      price: textOf(trade.price, decimals.price),
      shares: textOf(trade.shares, decimals.shares),
      buyerFee: textOf(trade.buyerFee, decimals.fee),
      sellerFee: textOf(trade.sellerFee, decimals.fee),
      createdAt,
    })),
    status,
    ...amounts,
  }
}
