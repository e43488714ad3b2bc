// The whole visible state of the exchange, as the simulator compares it.

import { depthOf } from '../../src/core/book/depth.ts'
import { positionsOf } from '../../src/core/book/holdings.ts'
import { priceOrNull } from '../../src/core/book/prices.ts'
import { openOrders } from '../../src/core/book/queue.ts'
import type { Serial } from '../../src/core/ids.ts'
import type { ControlsRecord } from '../../src/core/snapshot/records.ts'
import { save } from '../../src/core/snapshot/save.ts'
import type { Exchange } from '../../src/core/state/exchange.ts'
import type { Book, Market } from '../../src/core/state/market.ts'
import { type CreatedRecords, numberOf } from './created-records.ts'
import type { LevelView, View } from './step.ts'

const everyLevel = 10_000

export function viewOf(exchange: Exchange, made: CreatedRecords, now: number): View {
  const markets = made.markets.map((serial) => exchange.market(serial)!)
  return {
    markets: markets.map((market) => viewOfMarket(exchange, market, Math.max(now, exchange.now))),
    positions: markets
      .flatMap((market, number) => positionsIn(exchange, market, number))
      .sort(comparePositions),
    orders: viewOfOrders(exchange, made),
    deadMen: [...save(exchange).deadMen]
      .filter(({ state }) => state !== 'CLEARED')
      .map(({ operatorId, playerId, state, deadline, timeoutMs }) => {
        return { operator: numberOf(operatorId), player: playerId, state, deadline, timeoutMs }
      }),
    groups: made.groups
      .map((serial) => exchange.orderGroups.get(serial))
      .map((group, number) => ({ group, number }))
      .flatMap(({ group, number }) => {
        if (group === undefined || group.status === 'DELETED') return []
        const { status, limitShares, fills } = group
        const matchedShares = fills.sharesAt(Math.max(now, exchange.now))
        return [{ group: number, status, limitShares, matchedShares }]
      }),
    brakes: Array.from(save(exchange).controls, viewOfBrake).sort((a, b) =>
      a.holder < b.holder ? -1 : 1,
    ),
  }
}

function viewOfBrake({ holder, terms, sweptOrders }: ControlsRecord): View['brakes'][number] {
  const { kind } = holder
  const operator = kind === 'EXCHANGE' ? [] : [numberOf(holder.operatorId)]
  const player = kind === 'PLAYER' ? [holder.playerId] : []
  const { mode, reason, until, limits } = terms
  return {
    holder: [kind, ...operator, ...player].join(' '),
    mode,
    reason,
    until,
    limits,
    cancelled: sweptOrders,
  }
}

function viewOfMarket(exchange: Exchange, market: Market, now: number): View['markets'][number] {
  return {
    status: market.status,
    totalVolume: String(market.volume.exact),
    totalTrades: market.tradeCount,
    setsOutstanding: market.setsOutstanding,
    winner: market.resolution?.winner ?? null,
    payouts: market.resolution?.payouts ?? null,
    books: market.books.map((book) => viewOfBook(exchange, book, now)),
  }
}

function viewOfBook(
  exchange: Exchange,
  book: Book,
  now: number,
): View['markets'][number]['books'][number] {
  const { bids, asks } = depthOf(exchange, book, everyLevel)
  return {
    version: book.version,
    lastPrice: priceOrNull(book.lastPrice),
    volume24h: book.volume.total(now),
    bids: bids.map(viewOfLevel),
    asks: asks.map(viewOfLevel),
  }
}

function viewOfLevel(level: { price: number; shares: number; orderCount: number }): LevelView {
  return { price: level.price, shares: level.shares, orders: level.orderCount }
}

type PositionView = View['positions'][number]

// A market that is over shows no positions, whether they are forgotten yet or not.
function positionsIn(exchange: Exchange, market: Market, number: number): PositionView[] {
  if (market.status === 'SETTLED') return []
  if (market.status === 'CANCELLED' && !market.hasOpenOrders) return []
  const { positions } = exchange
  return Array.from(positionsOf(exchange, market), (position) => {
    const player = exchange.players.at(positions.player(position))
    return {
      market: number,
      outcome: exchange.books.at(positions.book(position)).index,
      operator: numberOf(player.operator.id),
      player: player.id,
      shares: positions.shares(position),
      reserved: positions.reserved(position),
      cost: String(positions.cost(position)),
      profit: String(positions.profit(position)),
    }
  })
}

function comparePositions(a: PositionView, b: PositionView): number {
  if (a.market !== b.market) return a.market - b.market
  if (a.outcome !== b.outcome) return a.outcome - b.outcome
  if (a.operator !== b.operator) return a.operator - b.operator
  return a.player < b.player ? -1 : 1
}

function viewOfOrders(exchange: Exchange, made: CreatedRecords): View['orders'] {
  const { orders } = exchange
  const numbers = new Map(made.orders.map(({ serial }, number) => [serial, number]))
  return [...exchange.books]
    .flatMap((book) => [...openOrders(exchange, book)])
    .map((order) => ({
      order: numbers.get(orders.serial(order))!,
      shares: orders.shares(order),
      filled: orders.filled(order),
      cost: orders.cost(order),
      price: orders.price(order),
      group: groupNumberOf(made, orders.groupSerial(order)),
    }))
    .sort((a, b) => a.order - b.order)
}

function groupNumberOf({ groups }: CreatedRecords, serial: Serial | null): number | null {
  return serial === null ? null : groups.indexOf(serial)
}
