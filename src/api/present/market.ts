// Markets as they are on the wire.

import type { Ids, Serial } from '../../core/ids.ts'
import { decimals, textOf } from '../../core/money.ts'
import type { PriceBand } from '../../core/state/market.ts'
import type { MarketStatus } from '../../core/words.ts'
import type { MarketRow } from '../../store/store.ts'
import type * as wire from '../schemas/market.ts'
import type { Statistics } from '../schemas/market-data.ts'
import { presentFeeSchedule } from './fees.ts'
import { presentImageUrl } from './image-url.ts'
import { timeText, timeTextOrNull } from './time.ts'

export function presentMarket(ids: Ids, market: MarketRow): wire.Market {
  const createdAt = timeText(market.createdAt)
  const idOf = (serial: Serial) => ids.textOf(serial, market.createdAt)
  const winner = market.resolution?.winner ?? null
  return {
    id: idOf(market.serial),
    operatorId: market.ownerId,
    categoryId: market.categoryId,
    title: market.title,
    description: market.description,
    imageUrl: presentImageUrl(market.imageUrl),
    status: market.status,
    currency: market.currency,
    tradingStartsAt: timeTextOrNull(market.tradingStartsAt),
    tradingEndsAt: timeTextOrNull(market.tradingEndsAt),
    resolvedAt: timeTextOrNull(market.resolution?.resolvedAt ?? null),
    winningOutcomeId: winner === null ? null : idOf(market.outcomes[winner]!.serial),
    resolutionSource: market.resolution?.source ?? null,
    resolutionNotes: market.resolution?.notes ?? null,
    payouts: presentPayouts(market, idOf),
    totalVolume: textOf(market.volume, decimals.shares),
    totalTrades: market.tradeCount,
    metadata: market.metadata === null ? null : JSON.parse(market.metadata),
    shared: market.isShared,
    completeSetMatching: market.hasCompleteSetMatching,
    publicPage: market.hasPublicPage,
    feeSchedule: presentFeeSchedule(market.feeSchedule),
    priceBand: presentPriceBand(market.priceBand),
    createdAt,
    updatedAt: timeText(market.updatedAt),
    outcomes: market.outcomes.map(({ serial, name, description }, index) => {
      // Outcomes are made with their market and never changed.
      return { id: idOf(serial), name, description, index, createdAt, updatedAt: createdAt }
    }),
    ...(market.category === null ? {} : { category: market.category }),
  }
}

function presentPriceBand(band: PriceBand | null): wire.Market['priceBand'] {
  if (band === null) return null
  return { maxMove: textOf(band.maxMove, decimals.price), suspendOnBand: band.suspendOnBand }
}

// Not shown for a market with one winner.
function presentPayouts(
  { outcomes, resolution }: MarketRow,
  idOf: (serial: Serial) => string,
): wire.Market['payouts'] {
  if (resolution === null || resolution.winner !== null) return null
  return outcomes.map(({ serial }, index) => ({
    outcomeId: idOf(serial),
    payoutPerShare: textOf(resolution.payouts[index]!, decimals.price),
  }))
}

export function presentStatistics(counts: Readonly<Record<MarketStatus, number>>): Statistics {
  return {
    openMarkets: counts.OPEN,
    pendingResolution: counts.CLOSED,
    resolved: counts.RESOLVED + counts.SETTLED,
  }
}
