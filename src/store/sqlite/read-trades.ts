// Reads trades: those in which an operator's order stands, whichever side it is on.

import type { SQLInputValue } from 'node:sqlite'
import { tradeKinds } from '../../core/words.ts'
import type { Page, TradeQuery, TradeRow } from '../record-store.ts'
import { issuer } from '../rows.ts'
import { type Cells, numberOf, textOf, wordOf } from './cells.ts'
import type { Statements } from './connection.ts'
import { tallyOf } from './tallies.ts'
import { pageOf, Where } from './where.ts'

const tradeColumns = `
  t.*, m.created_at AS market_created_at, buyers.id AS buyer_id, sellers.id AS seller_id`
const shown = (side: string) => `iif(t.${side} = ${issuer}, m.owner, t.${side})`
const tradeTables = `
  LEFT JOIN markets AS m ON m.serial = t.market
  LEFT JOIN operators AS buyers ON buyers.number = ${shown('buyer')}
  LEFT JOIN operators AS sellers ON sellers.number = ${shown('seller')}`

export function readTrades(statements: Statements, query: TradeQuery): Page<TradeRow> {
  const { operator, market, outcome, limit } = query
  const isWide = market === null && outcome === null
  const { text, values } = isWide ? serialsOfOperator(query) : serialsOfMarket(query)
  const rows = statements
    .get(
      `SELECT ${tradeColumns} FROM (${text} ORDER BY serial DESC LIMIT ?) AS page
       LEFT JOIN trades AS t ON t.serial = page.serial ${tradeTables}
       ORDER BY page.serial DESC`,
    )
    .all(...values, limit + 1)
    .map(tradeOf)
  const total =
    outcome === null ? tallyOf(statements, operator, market).trades : countTrades(statements, query)
  return pageOf(rows, { limit, total })
}

type Serials = { readonly text: string; readonly values: readonly SQLInputValue[] }

// Two indexes, each by serial, are merged as far as the page goes; a trade on both sides is one.
function serialsOfOperator({ operator, after }: TradeQuery): Serials {
  const sides = ['buyer', 'seller'].map((side) => {
    const where = new Where().and(`${side} = ?`, operator).andIfGiven('serial < ?', after)
    return { where, text: `SELECT serial FROM trades INDEXED BY trades_by_${side}` }
  })
  return {
    text: sides.map(({ text, where }) => `${text} WHERE ${where.text}`).join(' UNION '),
    values: sides.flatMap(({ where }) => where.values),
  }
}

function serialsOfMarket(query: TradeQuery): Serials {
  const where = filterOf(query).andIfGiven('serial < ?', query.after)
  return {
    text: `SELECT serial FROM trades ${indexFor(query)} WHERE ${where.text}`,
    values: where.values,
  }
}

function countTrades(statements: Statements, query: TradeQuery): number {
  const where = filterOf(query)
  const text = `SELECT count(*) AS total FROM trades ${indexFor(query)} WHERE ${where.text}`
  return numberOf(statements.get(text).get(...where.values)?.total)
}

function filterOf({ operator, market, outcome }: TradeQuery): Where {
  return new Where()
    .andIfGiven('market = ?', market)
    .andIfGiven('outcome = ?', outcome)
    .and('(buyer = ? OR seller = ?)', operator, operator)
}

function indexFor({ outcome }: TradeQuery): string {
  return `INDEXED BY ${outcome === null ? 'trades_by_market' : 'trades_by_outcome'}`
}

// Serials grow: an order's placement made the next trades, up to the first of another order's. Of a
// match by complete sets the order's own leg comes first, then those of the others in it, whose
// operators may be others too.
export function readPlacementTrades(statements: Statements, order: number): TradeRow[] {
  const trades: TradeRow[] = []
  const rows = statements
    .get(
      `SELECT ${tradeColumns}, iif(is_sell_incoming, sell_order, buy_order) AS incoming
       FROM trades AS t ${tradeTables} WHERE t.serial > ? ORDER BY t.serial`,
    )
    .iterate(order)
  let operator = 0
  let match = 0
  for (const cells of rows) {
    if (numberOf(cells.incoming) === order) {
      operator = numberOf(cells.is_sell_incoming === 1 ? cells.seller : cells.buyer)
      match = matchOf(cells)
      trades.push(tradeOf(cells))
    } else if (match === 0 || matchOf(cells) !== match) break
    else if (cells.buyer === operator || cells.seller === operator) trades.push(tradeOf(cells))
  }
  return trades
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
    market: numberOf(cells.market),
    marketCreatedAt: numberOf(cells.market_created_at),
    outcome: numberOf(cells.outcome),
    buyOrder: numberOf(cells.buy_order),
    buyOrderCreatedAt: numberOf(cells.buy_order_created_at),
    sellOrder: numberOf(cells.sell_order),
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
