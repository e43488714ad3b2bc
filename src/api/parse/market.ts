// Parses the body of a new market, or of changes to a market, into a command for the engine.

import { checkOutcomes, checkWindow } from '../../core/markets/create-market.ts'
import type { MarketText } from '../../core/state/market.ts'
import type { CreateMarket } from '../../engine/commands.ts'
import { Refusal } from '../errors.ts'
import type { CreateMarketBody, EditMarketBody } from '../schemas/market.ts'
import { feeScheduleOf } from './fees.ts'
import { metadataOf } from './metadata.ts'
import { priceBandOf } from './price-band.ts'
import { checkRules, faultOfParsed, faultOfReject, type Rule } from './rule.ts'
import { timeOf } from './time.ts'

const currencyDefault = 'USD'

type TextBody = Pick<EditMarketBody, 'metadata' | 'feeSchedule' | 'priceBand'>

const textRules: readonly Rule<TextBody>[] = [
  { fields: ['metadata'], faultIn: (body) => faultOfParsed(metadataOf(body.metadata)) },
  { fields: ['feeSchedule'], faultIn: (body) => faultOfParsed(feeScheduleOf(body.feeSchedule)) },
  { fields: ['priceBand'], faultIn: (body) => faultOfParsed(priceBandOf(body.priceBand)) },
]

export const editMarketRules: readonly Rule<EditMarketBody>[] = textRules

export const createMarketRules: readonly Rule<CreateMarketBody>[] = [
  ...textRules,
  {
    fields: ['outcomes'],
    faultIn: (body) => {
      const outcomes = outcomesOf(body)
      return outcomes === null ? null : faultOfReject(checkOutcomes(outcomes))
    },
  },
  {
    fields: ['tradingStartsAt', 'tradingEndsAt'],
    faultIn: (body) => faultOfReject(checkWindow(windowOf(body))),
  },
]

export function createMarketOf(operatorId: string, body: CreateMarketBody): CreateMarket | Refusal {
  const refused = checkRules(createMarketRules, body)
  if (refused !== null) return refused
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
    ...windowOf(body),
    currency: body.currency ?? currencyDefault,
    outcomes: outcomesOf(body),
    isShared: body.shared ?? false,
    hasCompleteSetMatching: body.completeSetMatching ?? false,
    hasPublicPage: body.publicPage ?? false,
    feeSchedule,
    priceBand,
  }
}

function windowOf(body: CreateMarketBody) {
  return {
    tradingStartsAt: timeOf(body.tradingStartsAt),
    tradingEndsAt: timeOf(body.tradingEndsAt),
  }
}

/** null for the usual ones. */
function outcomesOf({ outcomes }: CreateMarketBody) {
  return outcomes?.map(({ name, description = null }) => ({ name, description })) ?? null
}

/** An omitted field stays unchanged; null clears it. */
export function marketChangesOf(body: EditMarketBody): Partial<MarketText> | Refusal {
  const { title, description, imageUrl, categoryId, tradingStartsAt, tradingEndsAt } = body
  const refused = checkRules(editMarketRules, body)
  if (refused !== null) return refused
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
