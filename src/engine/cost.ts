// What commands and queries cost. The unit is an order that matches nothing; everything costs at
// least 1. The rate limits of operators, their credit in the queue and the size of a turn all count
// in this unit, so that an operator with few expensive commands gets no more than its share.

import type { OrderRow } from '../core/memory/memory.ts'
import type { Preview } from '../core/orders/preview.ts'
import type { Exchange } from '../core/state/exchange.ts'
import type { Fact, FactOf } from '../core/state/facts.ts'
import type { BookAnswer, CommandKind, Commands, PricesAnswer, Result } from './commands.ts'

/**
 * What the commands of a turn may cost before it accepts no further one. The next command waits for
 * the turns that are on their way to the store.
 */
export const turnCostMax = 256

/** Levels of a book, orders of a plan or prices of outcomes that are read for the cost of 1. */
const readsPerUnit = 32

/** What a command costs, as far as that is known before it is executed. */
export function expectedCost<Kind extends CommandKind>(
  exchange: Exchange,
  kind: Kind,
  command: Commands[Kind]['command'],
): number {
  if (kind !== 'changeSets' || !('marketSerial' in command)) return 1
  return exchange.market(command.marketSerial)?.books.length ?? 1
}

/** Trades that are read from the store and encoded again for the cost of 1. */
const replayedTradesPerUnit = 8

/** What the answer to a repeated order has cost, from its trades. */
export function costOfReplay(trades: number): number {
  return 1 + Math.floor(trades / replayedTradesPerUnit)
}

/** What a submitted command has cost. One that was rejected may have planned a whole book. */
export function costOfResult({ cost }: Result<unknown>): number {
  return cost ?? 1
}

/** What commands have cost, from the facts that they have added. */
export function costOfFacts(facts: readonly Fact[]): number {
  let cost = 0
  let incoming: OrderRow | null = null
  for (const fact of facts) {
    if (fact.kind === 'ORDER_ACCEPTED') incoming = fact.order
    // Cancelling the rest of an order that does not stay in the book costs nothing extra.
    const isRest = fact.kind === 'ORDER_CLOSED' && fact.order === incoming
    if (!isRest) cost += costOfFact(fact)
  }
  return Math.max(1, cost)
}

function costOfFact(fact: Fact): number {
  switch (fact.kind) {
    case 'ORDER_ACCEPTED':
    case 'ORDER_CLOSED':
    case 'TRADE':
    case 'LEG':
    case 'SETTLEMENT':
      return 1
    case 'SETS':
      return fact.market.books.length
    case 'MARKET':
      return costOfMarket(fact)
    default:
      return 0
  }
}

function costOfMarket(fact: FactOf<'MARKET'>): number {
  if (fact.change === 'CREATED') return fact.market.books.length
  return 'audience' in fact ? fact.audience.length : 0
}

/** What the plans of a command or query have cost, from the levels and orders that they visited. */
export function costOfPlans(visits: number): number {
  return Math.floor(visits / readsPerUnit)
}

/** What a query has cost, from its answer. */
export function costOfAnswer(kind: CommandKind, result: Result<unknown>): number {
  if (!result.isAccepted) return 1
  if (kind === 'preview') return costOfPreview(result.answer as Preview)
  if (kind === 'book') return costOfReads(levelsIn(result.answer as BookAnswer))
  if (kind === 'prices') return costOfReads((result.answer as PricesAnswer).length)
  return 1
}

/** The price levels that the order would match. */
function costOfPreview({ fills }: Preview): number {
  return Math.max(1, fills.length)
}

function levelsIn({ bids, asks, withImplied }: BookAnswer): number {
  const implied = withImplied === undefined ? 0 : withImplied.bids.length + withImplied.asks.length
  return bids.length + asks.length + implied
}

function costOfReads(count: number): number {
  return Math.max(1, Math.ceil(count / readsPerUnit))
}
