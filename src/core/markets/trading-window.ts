// Changing the end of trading of a market that has opened, with a reason.

import type { Serial } from '../ids.ts'
import { invalid, marketNotFound, type Reject } from '../reject.ts'
import { checkManages } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import { writeUpdated } from '../state/market-status.ts'
import type { Operator } from '../state/operator.ts'

export type ChangeTradingWindow = {
  readonly operator: Operator
  readonly marketSerial: Serial
  readonly tradingEndsAt: number
  readonly reason: string
}

/** Also the present end again: the reason may be another. */
export function changeTradingWindow(
  exchange: Exchange,
  { operator, marketSerial, tradingEndsAt, reason }: ChangeTradingWindow,
): Reject | null {
  const market = exchange.market(marketSerial)
  if (market === undefined) return marketNotFound
  const rejection = checkManages(market, operator)
  if (rejection !== null) return rejection
  const { status } = market
  if (status !== 'OPEN' && status !== 'SUSPENDED') {
    return { code: 'MARKET_NOT_EDITABLE', status, field: 'tradingWindow' }
  }
  const outOfBounds = checkEnd(market, tradingEndsAt, exchange.now)
  if (outOfBounds !== null) return outOfBounds

  exchange.begin()
  market.tradingEndsAt = tradingEndsAt
  market.updatedAt = exchange.now
  writeUpdated(exchange, market, reason)
  return null
}

function checkEnd({ tradingStartsAt }: Market, endsAt: number, now: number): Reject | null {
  if (endsAt <= now) return invalid('tradingEndsAt', 'must be in the future')
  if (tradingStartsAt === null || tradingStartsAt < endsAt) return null
  return invalid('tradingEndsAt', 'must be after tradingStartsAt')
}
