// Changing the status of a market.

import type { Exchange } from '../state/exchange.ts'
import type { Market, ResolutionText } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import type { MarketStatus } from '../words.ts'

/** The owner and all participants get an event about it. */
export function changeStatus(
  exchange: Exchange,
  market: Market,
  to: MarketStatus,
  { reason = null, resolution = null }: Partial<Stated> = {},
): void {
  const from = market.status
  market.status = to
  market.updatedAt = exchange.now
  const audience = audienceOf(market)
  const change = { change: 'STATUS', from, to, reason, resolution, audience } as const
  exchange.journal.add({ kind: 'MARKET', market, ...change })
}

/** The operators that get the events about the market itself. */
export function audienceOf({ owner, participants }: Market): readonly Operator[] {
  return [owner, ...participants]
}

/** What the operator states with a change. */
type Stated = { readonly reason: string | null; readonly resolution: ResolutionText | null }
