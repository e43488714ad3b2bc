// Limits of players, and orders that just meet them or just exceed one.

import { anyParty, type GeneratorContext, type Party } from './generator-context.ts'
import { limitsOf, usedCost, usedShares } from './model-player-limits.ts'
import type { Holder, Limits, StepOf } from './model-state.ts'

/** Limits of that player or, by default, of all players of that operator; mostly a few. */
export function anyLimits({ random }: GeneratorContext, { kind }: Holder): Limits | null {
  if (kind === 'EXCHANGE' || kind === 'ADMINISTRATOR' || random.chance(10)) return null
  const limit = (name: keyof Limits, limits: readonly number[]): Limits => {
    const isOfOperator = kind === 'OPERATOR'
    if (random.chance(isOfOperator ? 60 : 40)) return {}
    return { [name]: random.chance(isOfOperator ? 10 : 20) ? null : random.pick(limits) }
  }
  const limits = {
    ...limit('maxOrderCost', [0, 4_900_000, 5_000_000, 12_500_001, 40_000_000, 300_000_000]),
    ...limit('maxOutcomeShares', [1_000, 2_500, 7_500, 20_000, 60_000]),
    ...limit('maxMarketCost', [5_000_000, 20_000_000, 50_000_000, 99_999_999, 400_000_000]),
  }
  return Object.keys(limits).length === 0 ? null : limits
}

/** A limit without a brake. */
export function makeLimits(context: GeneratorContext): StepOf<'brake'> {
  const { random, state } = context
  const { operator, player } = anyParty(context)
  const fresh: Holder = random.chance(75)
    ? { kind: 'PLAYER', operator, player }
    : { kind: 'OPERATOR', operator }
  const limited = state.brakes.filter(({ limits }) => limits !== null)
  const isKnown = limited.length > 0 && random.chance(50)
  const holder = isKnown ? random.pick(limited).holder : fresh
  const limits = limited.length > 3 && random.chance(70) ? null : anyLimits(context, holder)
  return {
    do: 'brake',
    holder,
    mode: 'OPEN',
    reason: null,
    until: null,
    limits,
    cancelsOrders: true,
  }
}

type Wanted = Party & { readonly outcome: number; readonly price: number }

/** As many shares as a limit of the player still allows, or a hundredth more; null without one. */
export function sharesAtLimit(
  { random, state }: GeneratorContext,
  { outcome, price, ...party }: Wanted,
): number | null {
  const limits = limitsOf(state, party)
  const market = state.markets[party.market]
  const book = market?.books[outcome]
  if (market === undefined || book === undefined || price <= 0) return null
  const { maxMarketCost, maxOrderCost, maxOutcomeShares } = limits
  const left = [
    maxOrderCost == null ? null : maxOrderCost / price,
    maxOutcomeShares == null ? null : maxOutcomeShares - usedShares(party, market, book),
    maxMarketCost == null ? null : (maxMarketCost - Number(usedCost(party, market))) / price,
  ].filter((shares) => shares !== null)
  if (left.length === 0) return null
  return Math.max(0, Math.floor(random.pick(left)) + random.pick([0, 0, 1]))
}
