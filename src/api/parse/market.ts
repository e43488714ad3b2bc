// Parses the body of a new market, or of changes to a market, into a command for the engine.

import type { MarketText } from '../../core/state/market.ts'
import type { CreateMarket } from '../../engine/commands.ts'
import { Refusal } from '../errors.ts'
import type { CreateMarketBody, EditMarketBody } from '../schemas/market.ts'
import { feeScheduleOf } from './fees.ts'
import { metadataOf } from './metadata.ts'
import { priceBandOf } from './price-band.ts'
import { timeOf } from './time.ts'

const currencyDefault = 'USD'

export function createMarketOf(operatorId: string, body: CreateMarketBody): CreateMarket | Refusal {
  const metadata = metadataOf(body.metadata)
  if (metadata instanceof Refusal) return metadata
  const feeSchedule = feeScheduleOf(body.feeSchedule)
  if (feeSchedule instanceof Refusal) return feeSchedule
  const priceBand = priceBandOf(body.priceBand)
  if (priceBand instanceof Refusal) return priceBand
  return {
    operatorId,
    title: body.title,
    description: body.description ?? null,
    imageUrl: body.imageUrl ?? null,
    categoryId: body.categoryId?.toLowerCase() ?? null,
    metadata,
    tradingStartsAt: timeOf(body.tradingStartsAt),
    tradingEndsAt: timeOf(body.tradingEndsAt),
    currency: body.currency ?? currencyDefault,
    outcomes: body.outcomes?.map(({ name, description = null }) => ({ name, description })) ?? null,
    isShared: body.shared ?? false,
    hasCompleteSetMatching: body.completeSetMatching ?? false,
    hasPublicPage: body.publicPage ?? false,
    feeSchedule,
    priceBand,
  }
}

/** An omitted field stays unchanged; null clears it. */
export function marketChangesOf(body: EditMarketBody): Partial<MarketText> | Refusal {
  const { title, description, imageUrl, categoryId, tradingStartsAt, tradingEndsAt } = body
  const metadata = metadataOf(body.metadata)
  if (metadata instanceof Refusal) return metadata
  const feeSchedule = feeScheduleOf(body.feeSchedule)
  if (feeSchedule instanceof Refusal) return feeSchedule
  const priceBand = priceBandOf(body.priceBand)
  if (priceBand instanceof Refusal) return priceBand
  return {
    ...(body.priceBand === undefined ? {} : { priceBand }),
    ...(body.feeSchedule === undefined ? {} : { feeSchedule }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    ...(categoryId === undefined ? {} : { categoryId: categoryId?.toLowerCase() ?? null }),
    ...(body.metadata === undefined ? {} : { metadata }),
    ...(body.publicPage === undefined ? {} : { hasPublicPage: body.publicPage }),
    ...(tradingStartsAt === undefined ? {} : { tradingStartsAt: timeOf(tradingStartsAt) }),
    ...(tradingEndsAt === undefined ? {} : { tradingEndsAt: timeOf(tradingEndsAt) }),
  }
}
