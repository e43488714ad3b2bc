// Limits of players, and how much of them is used, as they are on the wire.

import type { Ids } from '../../core/ids.ts'
import { decimals, textOf } from '../../core/money.ts'
import {
  type LimitSources,
  type Limits,
  limitDecimals,
  limitInForce,
} from '../../core/state/limits.ts'
import { type LimitName, limitNames } from '../../core/words.ts'
import type { PlayerUsage } from '../../store/store.ts'
import type * as wire from '../schemas/player-limits.ts'

type Limited = LimitSources & { readonly used: PlayerUsage }

/** What the controls of a player show beside the brake. */
export function presentLimited(ids: Ids, { used, ...limits }: Limited) {
  return {
    limits: presentLimits(limits.own),
    limitsInForce: presentLimitsInForce(limits),
    usage: presentUsage(ids, used),
  }
}

/** Only those that were sent. */
export function presentLimits(limits: Limits | null): wire.Limits {
  if (limits === null) return null
  const given = limitNames.filter((name) => limits[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, limitText(name, limits[name] ?? null)]))
}

function presentLimitsInForce(sources: LimitSources): wire.LimitsInForce {
  const textIn = (name: LimitName) => limitText(name, limitInForce(sources, name))
  return {
    maxOrderCost: textIn('maxOrderCost'),
    maxOutcomeShares: textIn('maxOutcomeShares'),
    maxMarketCost: textIn('maxMarketCost'),
  }
}

function limitText(name: LimitName, limit: number | null): string | null {
  return limit === null ? null : textOf(limit, limitDecimals[name])
}

function presentUsage(ids: Ids, markets: PlayerUsage): wire.Usage {
  return {
    markets: markets.map(({ marketSerial, marketCreatedAt, cost, outcomes }) => ({
      marketId: ids.textOf(marketSerial, marketCreatedAt),
      cost: textOf(cost, decimals.money),
      outcomes: outcomes.map(({ outcomeSerial, shares }) => ({
        outcomeId: ids.textOf(outcomeSerial, marketCreatedAt),
        shares: textOf(shares, decimals.shares),
      })),
    })),
  }
}
