// A market as anybody may read it: field by field, so that nothing else of it gets out.

import { wirePricesOf } from '../../core/events/wire-prices.ts'
import type { Ids } from '../../core/ids.ts'
import { decimals, numberOf, textOf } from '../../core/money.ts'
import type { PricesAnswer } from '../../engine/commands.ts'
import type { MarketRow } from '../../store/store.ts'
import type * as wire from '../schemas/public-market.ts'
import { timeText, timeTextOrNull } from './time.ts'

export function presentPublicMarket(
  ids: Ids,
  market: MarketRow,
  prices: PricesAnswer,
): wire.PublicMarket {
  const { createdAt, resolution, serial } = market
  return {
    id: ids.textOf(serial, createdAt),
    title: market.title,
    description: market.description,
    status: market.status,
    tradingStartsAt: timeTextOrNull(market.tradingStartsAt),
    tradingEndsAt: timeTextOrNull(market.tradingEndsAt),
    resolvedAt: resolution === null ? null : timeText(resolution.resolvedAt),
    totalVolume: textOf(market.volume, decimals.shares),
    outcomes: market.outcomes.map((outcome, index) => {
      const { bestBid, bestAsk, lastPrice } = wirePricesOf(prices[index]!)
      const payout = resolution?.payouts[index]
      return {
        id: ids.textOf(outcome.serial, createdAt),
        name: outcome.name,
        description: outcome.description,
        ...{ bestBid, bestAsk, lastPrice },
        payoutPerShare: payout === undefined ? null : numberOf(payout, decimals.price),
      }
    }),
  }
}
