// Checks a whole shard in memory against what must always hold. Slow: for tests, simulation and
// a look after a rebuild. What is cheap enough is asserted in the rules themselves.

import { assert } from '../assert.ts'
import { type Book, openOrders } from '../book/book.ts'
import { type BookSide, bestPrice, findLevel, levelAt, priceOf } from '../memory/ladders.ts'
import { firstOrder, orderCountOf, rankOf, sharesOf } from '../memory/levels.ts'
import { none } from '../memory/memory.ts'
import { ticksPerUnit } from '../money.ts'
import { type Exchange, positionsOf } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import type { Operator, Player } from '../state/operator.ts'

export function check(exchange: Exchange): void {
  for (const book of exchange.books) {
    checkSide(exchange, book.bids)
    checkSide(exchange, book.asks)
    checkReservations(exchange, book)
    const bestAsk = book.asks.bestPrice
    const isCrossed = bestAsk > 0 && book.bids.bestPrice >= bestAsk
    assert(!isCrossed, 'a book is never crossed')
  }
  checkCounts(exchange)
  for (const market of exchange.markets) {
    checkMarket(market)
    checkConservation(exchange, market)
    if (market.hasCompleteSetMatching) checkSynthetic(market)
  }
}

function checkSide(exchange: Exchange, side: BookSide): void {
  const { memory, orders } = exchange
  assert(side.bestPrice === bestPrice(memory, side), 'a side knows its best price')
  let better = Number.POSITIVE_INFINITY
  for (let depth = 0; depth < side.length; depth += 1) {
    const level = levelAt(memory, side, depth)
    assert(rankOf(memory, level) < better, 'levels stand in order of price')
    better = rankOf(memory, level)
    assert(findLevel(exchange, side, better) === level, 'a level is found by its price')
    let shares = 0
    let count = 0
    let before = 0
    for (let order = firstOrder(memory, level); order !== none; order = orders.next(order)) {
      checkOrder(exchange, order, side)
      assert(orders.price(order) === priceOf(better), 'an order rests at its price')
      assert(orders.queueSerial(order) > before, 'a level is first come first')
      before = orders.queueSerial(order)
      shares += orders.remaining(order)
      count += 1
    }
    assert(count > 0 && count === orderCountOf(memory, level), 'a level counts its orders')
    assert(shares === sharesOf(memory, level), 'a level sums its shares')
  }
}

function checkOrder(exchange: Exchange, order: number, side: BookSide): void {
  const { orders } = exchange
  assert(orders.find(orders.serial(order)) === order, 'an open order is found by its serial')
  assert(orders.book(order) === side.book, 'an order rests in its own book')
  assert(orders.isSell(order) !== side.isBids, 'an order rests on its own side')
  assert(orders.filled(order) >= 0 && orders.remaining(order) > 0, 'an open order is not filled')
  assert(orders.price(order) > 0, 'a MARKET order never rests')
}

// Open SELL orders offer exactly what their players have reserved.
function checkReservations(exchange: Exchange, book: Book): void {
  const { orders, positions } = exchange
  const offered = new Map<number, number>()
  for (const order of openOrders(exchange, book)) {
    if (!orders.isSell(order)) continue
    const position = orders.position(order)
    offered.set(position, (offered.get(position) ?? 0) + orders.remaining(order))
  }
  for (const position of positionsOf(exchange, book.market)) {
    if (positions.book(position) !== book.handle) continue
    const reserved = positions.reserved(position)
    assert(reserved === (offered.get(position) ?? 0), 'reserved is what open SELL orders offer')
    assert(reserved <= positions.shares(position), 'no more is reserved than held')
  }
}

// However they are counted, it is the orders that are open.
function checkCounts(exchange: Exchange): void {
  const { operators, orderCounts, orders, players } = exchange
  const counts = new Map<Operator | Player, number>()
  const add = (holder: Operator | Player) => counts.set(holder, (counts.get(holder) ?? 0) + 1)
  for (const book of exchange.books) {
    for (const order of openOrders(exchange, book)) {
      const player = players.at(orders.player(order))
      add(player)
      add(player.operator)
    }
  }
  for (const player of players) {
    const count = orderCounts.byPlayer[player.handle]
    assert(count === (counts.get(player) ?? 0), 'the open orders of a player are counted')
  }
  for (const operator of operators) {
    const count = operator.openOrders ?? counts.get(operator) ?? 0
    assert(count === (counts.get(operator) ?? 0), 'the open orders of an operator are counted')
  }
}

function checkMarket(market: Market): void {
  const isResolved = market.status === 'RESOLVED' || market.status === 'SETTLED'
  assert(isResolved === (market.resolution !== null), 'a resolution comes with its status')
  if (market.resolution !== null) {
    const paid = market.resolution.payouts.reduce((sum, payout) => sum + payout, 0)
    assert(paid === ticksPerUnit, 'payouts sum to one unit')
  }
  const outstanding = market.setsMinted.exact - market.setsRedeemed.exact
  assert(BigInt(market.setsOutstanding) === outstanding, 'sets are minted or redeemed')
  if (market.status !== 'SETTLED') return
  const rests = market.books.some((book) => book.bids.length + book.asks.length > 0)
  assert(!rests, 'nothing rests in a settled market')
}

// Bids that pay for a whole set, or asks that one redeems, have met already.
function checkSynthetic({ books }: Market): void {
  const bids = books.map((book) => book.bids.bestPrice)
  const asks = books.map((book) => book.asks.bestPrice)
  const sumOf = (prices: readonly number[]) => prices.reduce((sum, price) => sum + price, 0)
  const hasBids = bids.every((price) => price > 0)
  assert(!hasBids || sumOf(bids) < ticksPerUnit, 'bids for a whole set have been matched')
  const hasAsks = asks.every((price) => price > 0)
  assert(!hasAsks || sumOf(asks) > ticksPerUnit, 'asks for a whole set have been matched')
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
    assert(shares >= 0 && positions.cost(position) >= 0n, 'nobody holds less than nothing')
    assert(shares > 0 || positions.cost(position) === 0n, 'no shares, no cost')
  }
  for (const shares of held) {
    assert(shares === market.setsOutstanding, 'shares outstanding equal the sets')
  }
}
