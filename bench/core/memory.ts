// How much memory does the state take? One process with 100,000 outcomes, 1,000,000 resting orders
// and 1,000,000 positions, each step measured by what the process holds after a full collection.
// Run with --expose-gc; `npm run bench` starts it so.

import type { Serial } from '../../src/core/ids.ts'
import { changeSets } from '../../src/core/markets/sets.ts'
import type { Price, Shares } from '../../src/core/money.ts'
import { place } from '../../src/core/orders/place.ts'
import type { Exchange } from '../../src/core/state/exchange.ts'
import { newExchange, openMarket } from './venue.ts'

export type MemoryResult = {
  readonly outcomes: number
  readonly orders: number
  readonly positions: number
  /** Bytes each, everything included that the core keeps for one. */
  readonly perEmptyBook: number
  readonly perPosition: number
  readonly perOrder: number
  readonly residentMiB: number
}

const markets = 50_000
const players = 10
const ordersEach = 10

function measure(): MemoryResult {
  const exchange = newExchange()
  const operator = exchange.putOperator({ id: 'one', supportedCurrencies: ['USD'], feeRate: null })
  const names = Array.from({ length: players }, (_, number) => `player-${number}`)

  const atStart = bytesHeld()
  const serials = Array.from({ length: markets }, () => openMarket(exchange, operator, []).serial)
  const withMarkets = bytesHeld()
  for (const marketSerial of serials) {
    for (const playerId of names) {
      const shares = 100_000 as Shares
      changeSets(exchange, {
        kind: 'MINT',
        operator,
        marketSerial,
        playerId,
        shares,
        transactionId: null,
      })
    }
    exchange.endTurn()
  }
  const withPositions = bytesHeld()
  for (const marketSerial of serials) rest(exchange, marketSerial, names)
  const withOrders = bytesHeld()

  const orders = exchange.orders.openCount
  const positions = exchange.positions.size
  return {
    outcomes: markets * 2,
    orders,
    positions,
    perEmptyBook: (withMarkets - atStart) / (markets * 2),
    perPosition: (withPositions - withMarkets) / positions,
    perOrder: (withOrders - withPositions) / orders,
    residentMiB: process.memoryUsage().rss / 2 ** 20,
  }
}

// Ten orders an outcome, five a side, each at a price of its own: the dearest case.
function rest(exchange: Exchange, marketSerial: Serial, names: readonly string[]): void {
  const market = exchange.market(marketSerial)!
  const operator = market.owner
  for (const book of market.books) {
    for (let number = 0; number < ordersEach; number += 1) {
      const isSell = number % 2 === 1
      place(exchange, {
        operator,
        marketSerial,
        outcomeSerial: book.serial,
        playerId: names[number]!,
        side: isSell ? 'SELL' : 'BUY',
        type: 'LIMIT',
        shares: 1_000 as Shares,
        price: (isSell ? 5_100 + number * 100 : 4_900 - number * 100) as Price,
        expiresAt: null,
        options: 0,
        transactionId: null,
      })
    }
  }
  exchange.endTurn()
}

function bytesHeld(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

console.log(JSON.stringify(measure()))
