// The summaries of markets as they are on the wire: plain numbers.

import type { Ids } from '../../core/ids.ts'
import { decimals, numberOf } from '../../core/money.ts'
import type { MarketSummaryRow } from '../../store/store.ts'
import type { MarketSummary } from '../schemas/market-summary.ts'
import { priceNumber } from './market-data.ts'

export function presentSummary(ids: Ids, row: MarketSummaryRow): MarketSummary {
  const { marketSerial, createdAt, volume24h, favourite } = row
  return {
    marketId: ids.textOf(marketSerial, createdAt),
    volume24h: numberOf(volume24h, decimals.shares),
    favourite:
      favourite === null
        ? null
        : {
            outcomeId: ids.textOf(favourite.outcomeSerial, favourite.createdAt),
            outcomeName: favourite.name,
            lastPrice: priceNumber(favourite.lastPrice),
            change24h: priceNumber(favourite.lastPrice - favourite.priceBefore),
            points: favourite.points.map(({ time, price }) => ({
              time,
              price: priceNumber(price),
            })),
          },
  }
}
