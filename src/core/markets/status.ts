// Changing the status of a market.

import type { Exchange } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import type { MarketStatus } from '../words.ts'

/** The owner and all participants get an event about it. */
export function changeStatus(
  exchange: Exchange,
  market: Market,
  to: MarketStatus,
  reason: string | null = null,
): void {
  const from = market.status
  market.status = to
  market.updatedAt = exchange.now
  const audience = [market.owner, ...market.participants]
  exchange.journal.add({ kind: 'MARKET', market, change: 'STATUS', from, to, reason, audience })
}
