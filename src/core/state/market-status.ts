// Changing the status of a market.

import type { MarketStatus } from '../words.ts'
import type { Exchange } from './exchange.ts'
import type { Market, ResolutionText } from './market.ts'
import type { Operator } from './operator.ts'

/** The owner and all participants get an event about it. */
export function changeStatus(
  exchange: Exchange,
  market: Market,
  to: MarketStatus,
  { reason = null, resolution = null, isLast = false }: Partial<Stated> = {},
): void {
  const from = market.status
  market.status = to
  market.updatedAt = exchange.now
  const audience = audienceOf(market)
  const change = { change: 'STATUS', from, to, reason, resolution, isLast, audience } as const
  exchange.journal.add({ kind: 'MARKET', market, ...change })
}

/** The owner and all participants get an event about what was changed while it may be open. */
export function writeUpdated(exchange: Exchange, market: Market, reason: string | null): void {
  const { priceBand, tradingEndsAt } = market
  const audience = audienceOf(market)
  const updated = { change: 'UPDATED', tradingEndsAt, reason, priceBand, audience } as const
  exchange.journal.add({ kind: 'MARKET', market, ...updated })
}

/** The operators that get the events about the market itself. */
export function audienceOf({ owner, participants }: Market): readonly Operator[] {
  return [owner, ...participants]
}

/** What is stated with a change. */
type Stated = {
  readonly reason: string | null
  readonly resolution: ResolutionText | null
  /** Whether its event is the last of the command. */
  readonly isLast: boolean
}
