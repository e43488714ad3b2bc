// An exchange to measure: default rules, and markets of two outcomes in which every player holds
// plenty of each.

import { Ids, type Serial } from '../../src/core/ids.ts'
import { createMarket } from '../../src/core/markets/create-market.ts'
import { manage } from '../../src/core/markets/lifecycle.ts'
import { advance } from '../../src/core/markets/schedule.ts'
import { changeSets } from '../../src/core/markets/sets.ts'
import type { FeeRate, Price, Shares } from '../../src/core/money.ts'
import { Exchange } from '../../src/core/state/exchange.ts'
import type { Market } from '../../src/core/state/market.ts'
import type { Operator } from '../../src/core/state/operator.ts'

export const dueAtMost = 1000

const rules = {
  sharesMin: 100 as Shares,
  sharesMax: 10_000_000 as Shares,
  priceMin: 100 as Price,
  priceMax: 9_900 as Price,
  feeRate: 200 as FeeRate,
}
const startMs = 1_700_000_000_000
/** Mints of the largest size that each player starts with: more than any workload can sell. */
const mintsEach = 100

export function newExchange(): Exchange {
  const exchange = new Exchange(rules, new Ids({ shard: 0, key: [1, 2] }))
  advance(exchange, startMs, dueAtMost)
  return exchange
}

export type Holder = { readonly operator: Operator; readonly id: string }

export function openMarket(
  exchange: Exchange,
  operator: Operator,
  holders: readonly Holder[],
  { hasCompleteSetMatching = false } = {},
): Market {
  createMarket(exchange, {
    operator,
    title: 'Bench',
    description: null,
    imageUrl: null,
    categoryId: null,
    metadata: null,
    tradingStartsAt: null,
    tradingEndsAt: null,
    currency: 'USD',
    outcomes: null,
    isShared: true,
    hasCompleteSetMatching,
  })
  // The market takes a serial and then each of its two outcomes.
  const marketSerial = (exchange.lastSerial - 2) as Serial
  manage(exchange, { action: 'open', operator, marketSerial })
  for (const holder of holders) {
    const mint = {
      kind: 'MINT' as const,
      operator: holder.operator,
      playerId: holder.id,
      marketSerial,
      shares: rules.sharesMax,
      transactionId: null,
    }
    for (let times = 0; times < mintsEach; times += 1) changeSets(exchange, mint)
    exchange.endTurn()
  }
  exchange.endTurn()
  return exchange.market(marketSerial)!
}
