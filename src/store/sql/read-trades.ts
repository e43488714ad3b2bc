// Reads trades: those in which an operator's order stands, whichever side it is on.

import { tradeKinds } from '../../core/words.ts'
import type { Page, TradeQuery, TradeRow } from '../record-store.ts'
import { issuer } from '../rows.ts'
import { type Cell, type Cells, numberOf, textOf, wordOf } from './cells.ts'
import { all, first, type Reading } from './reading.ts'
import { tallyOf } from './tallies.ts'
import { pageOf, Where } from './where.ts'

const tradeColumns = `
  t.*, m.created_at AS market_created_at, buyers.id AS buyer_id, sellers.id AS seller_id`
const shown = (side: string) => `CASE t.${side} WHEN ${issuer} THEN m.owner ELSE t.${side} END`
const tradeTables = `
  LEFT JOIN markets AS m ON m.serial = t.market
  LEFT JOIN operators AS buyers ON buyers.number = ${shown('buyer')}
  LEFT JOIN operators AS sellers ON sellers.number = ${shown('seller')}`

/** Most orders meet few. */
const tradesAtOnce = 16

export function* readTrades(query: TradeQuery): Reading<Page<TradeRow>> {
  const { operatorNumber, marketSerial, outcomeSerial, after, limit } = query
  const where = filterOf(query).andIfGiven('at < ?', after)
  const page = `SELECT * FROM ${listFor(query)} WHERE ${where.text} ORDER BY at DESC LIMIT ?`
  const cells = yield* all(
    `SELECT ${tradeColumns} FROM (${page}) AS t ${tradeTables} ORDER BY t.at DESC`,
    ...where.values,
    limit + 1,
  )
  const total =
    outcomeSerial === null
      ? (yield* tallyOf(operatorNumber, marketSerial)).trades
      : yield* countTrades(query)
  return pageOf(cells.map(tradeOf), { limit, total })
}

function* countTrades(query: TradeQuery): Reading<number> {
  const where = filterOf(query)
  const text = `SELECT count(*) AS total FROM ${listFor(query)} WHERE ${where.text}`
  return numberOf((yield* first(text, ...where.values))?.total)
}

function listFor({ marketSerial, outcomeSerial }: TradeQuery): string {
  if (outcomeSerial !== null) return 'trades_of_outcome'
  return marketSerial === null ? 'trades_of_operator' : 'trades_of_market'
}

function filterOf({ operatorNumber, marketSerial, outcomeSerial }: TradeQuery): Where {
  if (marketSerial === null && outcomeSerial === null)
    return new Where().and('of_operator = ?', operatorNumber)
  const where = new Where().and('(buyer = ? OR seller = ?)', operatorNumber, operatorNumber)
  if (outcomeSerial === null) return where.andIfGiven('of_market = ?', marketSerial)
  return where.and('of_outcome = ?', outcomeSerial).andIfGiven('market = ?', marketSerial)
}

// Serials grow: an order's placement made the next trades, up to the first of another order's or of
// a later time, when the order was amended. Of a match by complete sets the order's own leg comes
// first, then those of the others in it, whose operators may be others too.
export function* readPlacementTrades(order: number): Reading<TradeRow[]> {
  const trades: TradeRow[] = []
  let operator = 0
  let match = 0
  for (let after = order; ; ) {
    const rows = yield* all(
      `SELECT ${tradeColumns},
         CASE is_sell_incoming WHEN 1 THEN sell_order ELSE buy_order END AS incoming
       FROM trades AS t ${tradeTables} WHERE t.serial > ? ORDER BY t.serial LIMIT ?`,
      after,
      tradesAtOnce,
    )
    for (const cells of rows) {
      if (numberOf(cells.incoming) === order) {
        if (cells.created_at !== placedAtOf(cells)) return trades
        operator = numberOf(cells.is_sell_incoming === 1 ? cells.seller : cells.buyer)
        match = matchOf(cells)
        trades.push(tradeOf(cells))
      } else if (match === 0 || matchOf(cells) !== match) return trades
      else if (cells.buyer === operator || cells.seller === operator) trades.push(tradeOf(cells))
      after = numberOf(cells.serial)
    }
    if (rows.length < tradesAtOnce) return trades
  }
}

function placedAtOf(cells: Cells): Cell {
  return cells.is_sell_incoming === 1 ? cells.sell_order_created_at : cells.buy_order_created_at
}

// The serial that the legs of one match share; 0 of a trade that is no leg.
function matchOf(cells: Cells): number {
  if (cells.buyer === issuer) return numberOf(cells.buy_order)
  return cells.seller === issuer ? numberOf(cells.sell_order) : 0
}

function tradeOf(cells: Cells): TradeRow {
  return {
    serial: numberOf(cells.serial),
    createdAt: numberOf(cells.created_at),
    marketSerial: numberOf(cells.market),
    marketCreatedAt: numberOf(cells.market_created_at),
    outcomeSerial: numberOf(cells.outcome),
    buyOrderSerial: numberOf(cells.buy_order),
    buyOrderCreatedAt: numberOf(cells.buy_order_created_at),
    sellOrderSerial: numberOf(cells.sell_order),
    sellOrderCreatedAt: numberOf(cells.sell_order_created_at),
    buyerOperatorId: textOf(cells.buyer_id),
    sellerOperatorId: textOf(cells.seller_id),
    price: numberOf(cells.price),
    shares: numberOf(cells.shares),
    buyerFee: numberOf(cells.buyer_fee),
    sellerFee: numberOf(cells.seller_fee),
    kind: wordOf(tradeKinds, cells.kind),
  }
}
