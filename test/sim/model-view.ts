// The whole state of the model as the simulator compares it.

import { levelsOf } from './model-book.ts'
import { matchedShares } from './model-groups.ts'
import { reservedShares } from './model-positions.ts'
import {
  type Book,
  isEnded,
  type Market,
  type Order,
  openOrdersOf,
  type Position,
  type State,
} from './model-state.ts'
import type { View } from './step.ts'

const minuteMs = 60_000
const minutesInDay = 1_440

export function viewOf(state: State, now: number): View {
  return {
    markets: state.markets.map((market) => viewOfMarket(market, now)),
    positions: state.markets
      .filter((market) => !isEnded(market))
      .flatMap((market) => market.positions)
      .sort(comparePositions)
      .map(viewOfPosition),
    orders: state.markets
      .flatMap(openOrdersOf)
      .sort((a, b) => a.number - b.number)
      .map(viewOfOrder),
    deadMen: state.deadMen
      .filter((deadMan) => deadMan.state !== 'CLEARED')
      .sort((a, b) => a.operator - b.operator || ((a.player ?? '') < (b.player ?? '') ? -1 : 1))
      .map(({ operator, player, state, deadline, timeoutMs }) => {
        return { operator, player, state, deadline, timeoutMs }
      }),
    groups: state.groups
      .filter(({ status }) => status !== 'DELETED')
      .map((group) => {
        const { number, status, limitShares } = group
        const matched = matchedShares({ ...state, now }, group)
        return { group: number, status, limitShares, matchedShares: matched }
      }),
    brakes: state.brakes
      .map(({ holder, mode, reason, until, limits, left, cancelled }) => ({
        holder: Object.values(holder).join(' '),
        mode,
        reason,
        until,
        limits,
        cancelled: left === null ? null : cancelled,
      }))
      .sort((a, b) => (a.holder < b.holder ? -1 : 1)),
  }
}

function viewOfOrder(order: Order): View['orders'][number] {
  const { number, shares, filled, cost, price, group } = order
  return { order: number, shares, filled, cost, price: price!, group: group?.number ?? null }
}

function viewOfMarket(market: Market, now: number): View['markets'][number] {
  const trades = market.books.flatMap((book) => book.trades)
  return {
    status: market.status,
    totalVolume: String(trades.reduce((sum, trade) => sum + trade.shares, 0)),
    totalTrades: trades.length,
    setsOutstanding: market.setsOutstanding,
    winner: market.winner,
    payouts: market.payouts,
    books: market.books.map((book) => viewOfBook(book, now)),
  }
}

function viewOfBook(book: Book, now: number): View['markets'][number]['books'][number] {
  const firstMinute = Math.floor(now / minuteMs) - minutesInDay + 1
  const recent = book.trades.filter((trade) => Math.floor(trade.time / minuteMs) >= firstMinute)
  return {
    version: book.version,
    lastPrice: book.trades.at(-1)?.price ?? null,
    volume24h: recent.reduce((sum, trade) => sum + trade.shares, 0),
    bids: levelsOf(book, 'BUY'),
    asks: levelsOf(book, 'SELL'),
  }
}

function viewOfPosition(position: Position): View['positions'][number] {
  return {
    market: position.market.number,
    outcome: position.book.outcome,
    operator: position.operator,
    player: position.player,
    shares: position.shares,
    reserved: reservedShares(position),
    cost: String(position.cost),
    profit: String(position.profit),
  }
}

function comparePositions(a: Position, b: Position): number {
  if (a.market !== b.market) return a.market.number - b.market.number
  if (a.book !== b.book) return a.book.outcome - b.book.outcome
  if (a.operator !== b.operator) return a.operator - b.operator
  return a.player < b.player ? -1 : 1
}
