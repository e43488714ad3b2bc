// Reads trades: those with an order of the operator on one side or on both.

import { tradeKinds } from '../../core/words.ts'
import type {
  Page,
  PlacementTradesQuery,
  RecordQuery,
  TradeQuery,
  TradeRow,
} from '../record-store.ts'
import { issuer } from '../rows.ts'
import { type Cell, type Cells, numberOf, serialOf, textOf, wordOf } from './cells.ts'
import { all, first, type Reading, type Statement } from './reading.ts'
import { tallyOf } from './tallies.ts'
import { exactly, totalOf } from './total.ts'
import { pageOf, Where } from './where.ts'

const tradeColumns = `
  t.*, m.created_at AS market_created_at, buyers.id AS buyer_id, sellers.id AS seller_id`
// A side without an order is shown as the market's owner.
const shown = (column: string) =>
  `CASE t.${column} WHEN ${issuer} THEN m.owner_number ELSE t.${column} END`
const tradeTables = `
  LEFT JOIN markets AS m ON m.serial = t.market_serial
  LEFT JOIN operators AS buyers ON buyers.number = ${shown('buyer_number')}
  LEFT JOIN operators AS sellers ON sellers.number = ${shown('seller_number')}`

/** Most orders trade with few others, so the first read is small. */
const tradesAtOnce = { first: 16, more: 500 } as const

export function* readTrade({ operatorNumber, serial }: RecordQuery): Reading<TradeRow | null> {
  const text = `SELECT ${tradeColumns} FROM trades AS t ${tradeTables}
    WHERE t.serial = ? AND (t.buyer_number = ? OR t.seller_number = ?)`
  const cells = yield* first(text, serial, operatorNumber, operatorNumber)
  return cells === undefined ? null : tradeOf(cells)
}

export function* readTrades(query: TradeQuery): Reading<Page<TradeRow>> {
  const { operatorNumber, marketSerial, outcomeSerial, orderSerial, playerId } = query
  const { after, limit } = query
  const where = filterOf(query).andIfGiven('key_serial < ?', after)
  const page = `
    SELECT * FROM ${viewFor(query)} WHERE ${where.text} ORDER BY key_serial DESC LIMIT ?`
  const cells = yield* all(
    `SELECT ${tradeColumns} FROM (${page}) AS t ${tradeTables} ORDER BY t.key_serial DESC`,
    ...where.values,
    limit + 1,
  )
  const total =
    outcomeSerial === null && orderSerial === null && playerId === null
      ? exactly((yield* tallyOf(operatorNumber, marketSerial)).trades)
      : yield* totalOf({ query, rows: cells }, () => tradesOf(query))
  return pageOf(cells.map(tradeOf), { limit, ...total })
}

function tradesOf(query: TradeQuery): Statement {
  const { text, values } = filterOf(query)
  return { text: `SELECT 1 FROM ${viewFor(query)} WHERE ${text}`, values }
}

// The order has to be the operator's own; to be on the other side of its trade is not enough.
const isOfOwnOrder = `(buy_order_serial = ? AND buyer_number = ?
  OR sell_order_serial = ? AND seller_number = ?)`

// The same for a player. An index by player and order is not needed: one order has few trades.
const isOfOwnPlayer = `EXISTS (SELECT 1 FROM orders AS own
  WHERE own.serial IN (buy_order_serial, sell_order_serial)
    AND own.operator_number = ? AND own.player_id = ?)`

function viewFor({ marketSerial, outcomeSerial, orderSerial, playerId }: TradeQuery): string {
  if (orderSerial !== null) return 'trades_of_order'
  if (playerId !== null) return 'trades_of_player'
  if (outcomeSerial !== null) return 'trades_of_outcome'
  return marketSerial === null ? 'trades_of_operator' : 'trades_of_market'
}

function filterOf(query: TradeQuery): Where {
  const { operatorNumber, marketSerial, outcomeSerial, orderSerial, playerId } = query
  if (orderSerial !== null) {
    const where = new Where()
      .and('key_order_serial = ?', orderSerial)
      .and(isOfOwnOrder, orderSerial, operatorNumber, orderSerial, operatorNumber)
      .andIfGiven('market_serial = ?', marketSerial)
      .andIfGiven('outcome_serial = ?', outcomeSerial)
    return playerId === null ? where : where.and(isOfOwnPlayer, operatorNumber, playerId)
  }
  if (playerId !== null) {
    return new Where()
      .and('key_operator_number = ?', operatorNumber)
      .and('key_player_id = ?', playerId)
      .andIfGiven('market_serial = ?', marketSerial)
      .andIfGiven('outcome_serial = ?', outcomeSerial)
  }
  if (marketSerial === null && outcomeSerial === null)
    return new Where().and('key_operator_number = ?', operatorNumber)
  const isParty = '(buyer_number = ? OR seller_number = ?)'
  const where = new Where().and(isParty, operatorNumber, operatorNumber)
  if (outcomeSerial === null) return where.andIfGiven('key_market_serial = ?', marketSerial)
  return where
    .and('key_outcome_serial = ?', outcomeSerial)
    .andIfGiven('market_serial = ?', marketSerial)
}

// The trades of a placement have the serials after that of the order, up to the first trade of
// another incoming order, or of a later time, when the order was amended. In a match by complete
// sets the order's own leg comes first, then the other legs, which may be of other operators.
export function* readPlacementTrades({
  orderSerial,
  limit,
}: PlacementTradesQuery): Reading<TradeRow[]> {
  const trades: TradeRow[] = []
  let atOnce: number = tradesAtOnce.first
  let operatorNumber = 0
  let match = 0
  for (let after = orderSerial; ; ) {
    const rows = yield* all(
      `SELECT ${tradeColumns},
         CASE is_sell_incoming WHEN 1 THEN sell_order_serial ELSE buy_order_serial END
           AS incoming_serial
       FROM trades AS t ${tradeTables} WHERE t.serial > ? ORDER BY t.serial LIMIT ?`,
      after,
      atOnce,
    )
    for (const cells of rows) {
      if (trades.length === limit) return trades
      if (serialOf(cells.incoming_serial) === orderSerial) {
        if (cells.created_at !== placedAtOf(cells)) return trades
        const isSell = cells.is_sell_incoming === 1
        operatorNumber = numberOf(isSell ? cells.seller_number : cells.buyer_number)
        match = matchOf(cells)
        trades.push(tradeOf(cells))
      } else if (match === 0 || matchOf(cells) !== match) return trades
      else if ([cells.buyer_number, cells.seller_number].includes(operatorNumber)) {
        trades.push(tradeOf(cells))
      }
      after = serialOf(cells.serial)
    }
    if (rows.length < atOnce) return trades
    atOnce = tradesAtOnce.more
  }
}

function placedAtOf(cells: Cells): Cell {
  return cells.is_sell_incoming === 1 ? cells.sell_order_created_at : cells.buy_order_created_at
}

// The serial that the legs of a match share; 0 for a trade that is no leg.
function matchOf(cells: Cells): number {
  if (cells.buyer_number === issuer) return serialOf(cells.buy_order_serial)
  return cells.seller_number === issuer ? serialOf(cells.sell_order_serial) : 0
}

function tradeOf(cells: Cells): TradeRow {
  return {
    serial: serialOf(cells.serial),
    createdAt: numberOf(cells.created_at),
    marketSerial: serialOf(cells.market_serial),
    marketCreatedAt: numberOf(cells.market_created_at),
    outcomeSerial: serialOf(cells.outcome_serial),
    buyOrderSerial: serialOf(cells.buy_order_serial),
    buyOrderCreatedAt: numberOf(cells.buy_order_created_at),
    sellOrderSerial: serialOf(cells.sell_order_serial),
    sellOrderCreatedAt: numberOf(cells.sell_order_created_at),
    buyerOperatorId: textOf(cells.buyer_id),
    sellerOperatorId: textOf(cells.seller_id),
    price: numberOf(cells.price),
    shares: numberOf(cells.shares),
    buyerFee: numberOf(cells.buyer_fee),
    sellerFee: numberOf(cells.seller_fee),
    kind: wordOf(tradeKinds, cells.kind),
    isSell: numberOf(cells.is_sell_incoming) === 1,
    isIncoming: isIncoming(cells),
  }
}

// The leg of the incoming order comes first: it has the serial after that of its match.
function isIncoming(cells: Cells): boolean {
  const match = matchOf(cells)
  return match === 0 || serialOf(cells.serial) === match + 1
}
