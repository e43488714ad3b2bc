// How much a player may buy: what its operator allows it, or all of its players by default.

import { decimals } from '../money.ts'
import { type LimitName, limitNames } from '../words.ts'

/** How many decimals each has. */
export const limitDecimals = {
  maxOrderCost: decimals.money,
  maxOutcomeShares: decimals.shares,
  maxMarketCost: decimals.money,
} as const satisfies Readonly<Record<LimitName, number>>

/**
 * Costs in micro-units, shares in hundredths; null for no limit. A player has the operator's
 * default for one that is left out, and an operator that leaves one out has none.
 */
export type Limits = { readonly [Name in LimitName]?: number | null }

/** Those of a player, and the defaults of its operator; null where nothing is said. */
export type LimitSources = { readonly own: Limits | null; readonly defaults: Limits | null }

/** What is in force; null for no limit. */
export function limitInForce({ own, defaults }: LimitSources, name: LimitName): number | null {
  const ownLimit = own?.[name]
  return ownLimit === undefined ? (defaults?.[name] ?? null) : ownLimit
}

export function areAnyInForce(sources: LimitSources): boolean {
  return limitNames.some((name) => limitInForce(sources, name) !== null)
}

export function areSameLimits(one: Limits | null, other: Limits | null): boolean {
  return limitNames.every((name) => one?.[name] === other?.[name])
}
