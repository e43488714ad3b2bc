// A market's change, written down with those whom it will be told.

import type { Exchange } from '../state/exchange.ts'
import { factSizes, MARKET, type MarketNote, marketFact } from '../state/journal.ts'
import type { Market } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import type { MarketStatus } from '../words.ts'

/** Moves the market on. */
export function changeStatus(
  exchange: Exchange,
  market: Market,
  to: MarketStatus,
  reason: string | null = null,
): void {
  const from = market.status
  market.status = to
  market.updatedAt = exchange.now
  const audience = audienceOf(market)
  writeMarket(exchange, market, { change: 'STATUS', from, to, reason, audience })
}

export function writeMarket(exchange: Exchange, market: Market, note: MarketNote): void {
  const { journal } = exchange
  const at = journal.add(MARKET, factSizes[MARKET]!)
  journal.facts[at + marketFact.market] = market.handle
  journal.facts[at + marketFact.note] = journal.notes.length
  journal.notes.push(note)
}

// The owner, then every operator that holds or held an order or a position there.
function audienceOf(market: Market): readonly Operator[] {
  return [market.owner, ...market.participants]
}
