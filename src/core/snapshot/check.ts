// Checks the invariants of a whole shard in memory. It is slow: for tests, simulation and after a
// rebuild. Cheap invariants are asserted in the rules themselves.

import { assert } from '../assert.ts'
import { positionsOf } from '../book/holdings.ts'
import { openSerialsOf } from '../book/open-orders.ts'
import { openOrders, ordersOf } from '../book/queue.ts'
import type { BookSide } from '../memory/ladders.ts'
import { none, type OrderRow, type PositionRow } from '../memory/memory.ts'
import { noPrice, ticksPerUnit } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import { areAnyInForce } from '../state/limits.ts'
import type { Book, Market } from '../state/market.ts'
import { textBytesOf } from '../state/market-counts.ts'
import {
  type DeadMan,
  limitSourcesOf,
  type Operator,
  type OrderGroup,
  type Player,
} from '../state/operator.ts'

export function check(exchange: Exchange): void {
  for (const book of exchange.books) {
    checkSide(exchange, book.bids)
    checkSide(exchange, book.asks)
    checkReservations(exchange, book)
    const bestAsk = book.asks.bestPrice
    const isCrossed = bestAsk !== noPrice && book.bids.bestPrice >= bestAsk
    assert(!isCrossed, 'a book is never crossed')
  }
  checkCounts(exchange)
  for (const player of exchange.players) checkOpenBuys(exchange, player)
  checkLive(exchange)
  for (const deadMan of exchange.deadMen) checkDeadMan(exchange, deadMan)
  checkGrouped(exchange)
  checkGroupCounts(exchange)
  for (const group of exchange.orderGroups.values()) checkGroup(exchange, group)
  for (const market of exchange.markets) {
    checkMarket(market)
    checkConservation(exchange, market)
    if (market.hasCompleteSetMatching) checkSynthetic(market)
  }
}

function checkSide(exchange: Exchange, side: BookSide): void {
  const { ladders, levels, orders } = exchange
  const best = side.isEmpty ? noPrice : levels.price(ladders.best(side))
  assert(side.bestPrice === best, 'a side knows its best price')
  let better = Number.POSITIVE_INFINITY
  for (let depth = 0; depth < side.length; depth += 1) {
    const level = ladders.at(side, depth)
    const price = levels.price(level)
    assert(levels.rank(level) < better, 'the levels of a side are in order of price')
    better = levels.rank(level)
    assert(ladders.find(side, price) === level, 'a level is found by its price')
    let shares = 0
    let count = 0
    let before = 0
    for (let order = levels.first(level); order !== none; order = orders.next(order)) {
      checkOrder(exchange, order, side)
      assert(orders.price(order) === price, 'an order rests at its price')
      assert(orders.queueSerial(order) > before, 'a level is first come first')
      before = orders.queueSerial(order)
      shares += orders.remaining(order)
      count += 1
    }
    assert(count > 0 && count === levels.orderCount(level), 'a level counts its orders')
    assert(shares === levels.shares(level), 'a level sums its shares')
  }
}

function checkOrder(exchange: Exchange, order: OrderRow, side: BookSide): void {
  const { orders } = exchange
  assert(orders.find(orders.serial(order)) === order, 'an open order is found by its serial')
  const ownSide = exchange.bookOf(order).sideOf(orders.isSell(order))
  assert(ownSide === side, 'an order rests on its own side of its own book')
  assert(orders.filled(order) >= 0 && orders.remaining(order) > 0, 'an open order is not filled')
  assert(orders.price(order) > 0, 'a MARKET order never rests')
}

// Open SELL orders offer exactly what their players have reserved.
function checkReservations(exchange: Exchange, book: Book): void {
  const { orders, positions } = exchange
  const offered = new Map<PositionRow, number>()
  for (const order of openOrders(exchange, book)) {
    if (!orders.isSell(order)) continue
    const position = orders.position(order)
    offered.set(position, (offered.get(position) ?? 0) + orders.remaining(order))
  }
  for (const position of positionsOf(exchange, book.market)) {
    if (positions.book(position) !== book.handle) continue
    const reserved = positions.reserved(position)
    assert(
      reserved === (offered.get(position) ?? 0),
      'a position has reserved what open SELL orders offer',
    )
    assert(reserved <= positions.shares(position), 'a position has no more reserved than it holds')
  }
}

function checkCounts(exchange: Exchange): void {
  const { operators, players } = exchange
  const counts = new Map<Operator | Player, number>()
  const add = (holder: Operator | Player) => counts.set(holder, (counts.get(holder) ?? 0) + 1)
  for (const book of exchange.books) {
    for (const order of openOrders(exchange, book)) {
      const player = exchange.playerOf(order)
      add(player)
      add(player.operator)
    }
  }
  for (const player of players) {
    const isCounted = player.openOrders === (counts.get(player) ?? 0)
    assert(isCounted, 'the open orders of a player are counted')
  }
  for (const operator of operators) {
    const isCounted = operator.openOrders === (counts.get(operator) ?? 0)
    assert(isCounted, 'the open orders of an operator are counted')
  }
}

// Of players that have a limit, and only of those.
function checkOpenBuys(exchange: Exchange, player: Player): void {
  const { openBuys, operator } = player
  const isLimited = areAnyInForce(limitSourcesOf(operator, player))
  assert(isLimited === (openBuys !== null), 'the open BUY orders of limited players are counted')
  if (openBuys === null) return
  for (const book of exchange.books) {
    let shares = 0
    let cost = 0n
    for (const order of ordersOf(exchange, book.bids)) {
      if (exchange.playerOf(order) !== player) continue
      shares += exchange.orders.remaining(order)
      cost += BigInt(exchange.orders.remaining(order)) * BigInt(exchange.orders.price(order))
    }
    const isCounted = openBuys.shares(book.handle) === shares && openBuys.cost(book.handle) === cost
    assert(isCounted, 'the open BUY orders of a limited player are counted right')
  }
  for (const handle of openBuys.books) {
    assert(openBuys.shares(handle) > 0, 'no outcome without open BUY orders is counted')
  }
}

// What is triggered has no open orders but those that are still to be cancelled.
function checkDeadMan(exchange: Exchange, deadMan: DeadMan): void {
  const { cancelUpTo, state } = deadMan
  const isCancelling = exchange.cancelling.has(deadMan)
  assert(isCancelling === cancelUpTo > 0, 'a dead-man switch that has to cancel orders does so')
  assert(state !== 'CLEARED' || isCancelling, 'a cleared dead-man switch is forgotten')
  const isLate = state === 'ARMED' && deadMan.deadline <= exchange.now
  assert(!isLate, 'a dead-man switch is triggered at its deadline')
  if (state !== 'TRIGGERED') return
  for (const serial of openSerialsOf(exchange, deadMan)) {
    assert(serial <= cancelUpTo, 'a triggered dead-man switch leaves no open order')
  }
}

// Every open order of a group is found through it, and counted on its side.
function checkGrouped(exchange: Exchange): void {
  for (const book of exchange.books) {
    for (const side of [book.bids, book.asks]) {
      let grouped = 0
      for (const order of ordersOf(exchange, side)) {
        const group = exchange.groupOf(order)
        if (group === null) continue
        grouped += 1
        const isListed = group.ordersByMarket.get(book.market.handle)?.has(order) === true
        assert(isListed, 'an order is found through its group')
        const { id, operator } = exchange.playerOf(order)
        const isOwn = operator === group.operator && id === group.playerId
        assert(isOwn, 'an order is in a group of its player')
      }
      assert(grouped === side.groupedOrders, 'the orders of a side in groups are counted')
    }
  }
}

function checkGroupCounts({ operators, orderGroups }: Exchange): void {
  const listed = [...orderGroups.values()].filter(({ status }) => status !== 'DELETED')
  for (const operator of operators) {
    const count = listed.filter((group) => group.operator === operator).length
    assert(operator.orderGroupCount === count, 'the order groups of an operator are counted')
  }
}

// Once it is triggered or deleted, it has no open orders but those that are still to be cancelled.
function checkGroup(exchange: Exchange, group: OrderGroup): void {
  const { cancelUpTo, status } = group
  const isCancelling = exchange.cancellingGroups.has(group)
  assert(isCancelling === cancelUpTo > 0, 'an order group that has to cancel orders does so')
  assert(status !== 'DELETED' || isCancelling, 'a deleted order group is forgotten')
  for (const orders of group.ordersByMarket.values()) {
    for (const order of orders) {
      const isOpen = exchange.orders.find(exchange.orders.serial(order)) === order
      assert(isOpen, 'an order group has only open orders')
      const mayRest = status === 'ACTIVE' || exchange.orders.serial(order) <= cancelUpTo
      assert(mayRest, 'a triggered order group leaves no open order')
    }
  }
}

function checkLive({ markets, operators }: Exchange): void {
  const counts = new Map([...operators].map((operator) => [operator, { ...nothing }]))
  for (const market of markets) {
    if (market.hasEnded) continue
    const live = counts.get(market.owner)!
    const { title, books, storedBytes } = market
    live.markets += 1
    live.outcomes += books.length
    live.textBytes += textBytesOf({ title, outcomes: books, storedBytes })
  }
  for (const [{ live }, { markets, outcomes, textBytes }] of counts) {
    const isCounted = live.markets === markets && live.outcomes === outcomes
    assert(isCounted, 'the markets and outcomes of an operator that have not ended are counted')
    assert(live.textBytes === textBytes, 'the text of an operator that has not ended is counted')
  }
}

const nothing = { markets: 0, outcomes: 0, textBytes: 0 }

function checkMarket(market: Market): void {
  const isResolved = market.status === 'RESOLVED' || market.status === 'SETTLED'
  assert(
    isResolved === (market.resolution !== null),
    'a market has a resolution once it is resolved',
  )
  if (market.resolution !== null) {
    const paid = market.resolution.payouts.reduce((sum, payout) => sum + payout, 0)
    assert(paid === ticksPerUnit, 'payouts sum to one unit')
  }
  const outstanding = market.setsMinted.exact - market.setsRedeemed.exact
  assert(
    BigInt(market.setsOutstanding) === outstanding,
    'outstanding sets are those minted and not redeemed',
  )
  if (market.status !== 'SETTLED') return
  assert(!market.hasOpenOrders, 'a settled market has no open orders')
}

// Bids that together pay for a complete set, and asks that one unit buys, have matched already.
function checkSynthetic({ books }: Market): void {
  const bids = books.map((book) => book.bids.bestPrice)
  const asks = books.map((book) => book.asks.bestPrice)
  const sumOf = (prices: readonly number[]) => prices.reduce((sum, price) => sum + price, 0)
  const hasBids = bids.every((price) => price > 0)
  assert(!hasBids || sumOf(bids) < ticksPerUnit, 'bids that pay for a complete set have matched')
  const hasAsks = asks.every((price) => price > 0)
  assert(!hasAsks || sumOf(asks) > ticksPerUnit, 'asks that a complete set pays for have matched')
}

// Each outcome has as many shares as there are complete sets.
function checkConservation(exchange: Exchange, market: Market): void {
  const { positions } = exchange
  if (market.job?.phase === 'DONE') return
  const held = market.books.map(() => 0)
  for (const position of positionsOf(exchange, market)) {
    const shares = positions.shares(position)
    const { index } = exchange.books.at(positions.book(position))
    held[index]! += shares
    assert(
      shares >= 0 && positions.cost(position) >= 0n,
      'a position has neither negative shares nor a negative cost',
    )
    assert(shares > 0 || positions.cost(position) === 0n, 'a position without shares has no cost')
  }
  for (const shares of held) {
    assert(
      shares === market.setsOutstanding,
      'each outcome has as many shares as there are complete sets',
    )
  }
}
