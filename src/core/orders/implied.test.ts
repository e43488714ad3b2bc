// What complete sets add to the depth of a book.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newExchange, type TestExchange } from '../../../test/support/core/exchange.ts'
import type { DepthLevel } from '../book/depth.ts'
import { depthWithImplied } from './implied.ts'

function shown(levels: readonly DepthLevel[]): readonly string[] {
  return levels.map(({ price, shares, isImplied }) => {
    const level = `${shares / 100}@${price / 10_000}`
    return isImplied === true ? `implied ${level}` : level
  })
}

function depthOf(exchange: TestExchange, outcome: number, depth = 10) {
  const { bids, asks } = depthWithImplied(exchange.core, exchange.market().books[outcome]!, depth)
  return { bids: shown(bids), asks: shown(asks) }
}

/** Bids for the first two of three outcomes, asks of the same two. */
function exchangeWithThree(): TestExchange {
  const exchange = newExchange({ hasCompleteSetMatching: true, outcomes: ['A', 'B', 'C'] })
  exchange.mint('sam', 100)
  exchange.buy('ann', 10, 0.4)
  exchange.buy('ann', 5, 0.3)
  exchange.buy('bob', 12, 0.2, { outcome: 1 })
  exchange.sell('sam', 7, 0.45)
  exchange.sell('sam', 9, 0.5, { outcome: 1 })
  return exchange
}

test('is what a walk through the other books would meet, best first', () => {
  const { bids, asks } = depthOf(exchangeWithThree(), 2)
  assert.deepEqual(asks, ['implied 10@0.4', 'implied 2@0.5'])
  assert.deepEqual(bids, ['implied 7@0.05'])
})

test('is listed among real levels by price, behind a real level at the same price', () => {
  const exchange = exchangeWithThree()
  exchange.sell('sam', 1, 0.4, { outcome: 2 })
  exchange.sell('sam', 1, 0.45, { outcome: 2 })
  const { asks } = depthOf(exchange, 2)
  assert.deepEqual(asks, ['1@0.4', 'implied 10@0.4', '1@0.45', 'implied 2@0.5'])
  assert.deepEqual(depthOf(exchange, 2, 2).asks, ['1@0.4', 'implied 10@0.4'])
})

test('is nothing where an outcome has no orders, or the market does not match by sets', () => {
  assert.deepEqual(depthOf(exchangeWithThree(), 0).asks, ['7@0.45'])
  const plain = newExchange()
  plain.buy('ann', 10, 0.4)
  assert.deepEqual(depthOf(plain, 1), { bids: [], asks: [] })
})

test('is what a MARKET order then gets', () => {
  const exchange = exchangeWithThree()
  const { trades } = exchange.buy('cid', 12, 'market', { outcome: 2 }).placement!
  const own = trades.filter(({ outcomeId }) => outcomeId === exchange.market().books[2]!.id)
  const levels = own.map(({ price, shares }) => `implied ${shares / 100}@${price / 10_000}`)
  assert.deepEqual(levels, depthOf(exchangeWithThree(), 2).asks)
})

test('visits a limited number of levels, which are counted', () => {
  const names = Array.from({ length: 41 }, (_, at) => `${at}`)
  const exchange = newExchange({ hasCompleteSetMatching: true, outcomes: names })
  // Together the bids for the others pay more than one unit, at every depth.
  exchange.together(() => {
    for (let outcome = 1; outcome < names.length; outcome += 1) {
      for (let level = 0; level < 50; level += 1) {
        const shares = 1 + ((outcome * 37 + level * 13) % 97) / 100
        exchange.buy('ann', shares, (300 + level) / 10_000, { outcome })
      }
    }
  })
  const { visits } = exchange.core
  assert.match(String(depthOf(exchange, 0).asks), /^implied \d+(\.\d+)?@0\.0001$/)
  const visited = exchange.core.visits - visits
  assert.ok(visited > 30_000 && visited < 35_000, `${visited} levels visited`)
})
