// What the generator knows when it creates a step, and the choices that all kinds of steps share:
// an operator, a player, a market.

import type { Random } from '../support/process/random.ts'
import { isEnded, isTrading, isVisible, type Market, type State } from './model-state.ts'

export type GeneratorContext = {
  readonly random: Random
  readonly state: State
  /** The names of each operator's players; some operators have players of the same name. */
  readonly players: readonly (readonly string[])[]
  readonly now: number
  /** Every third seed puts brakes on. */
  readonly hasBrakes: boolean
  /** Every third seed, of the others, limits players without a brake. */
  readonly hasLimits: boolean
  /** Three of four seeds have order groups. */
  readonly hasGroups: boolean
}

export function anyOperator({ random, state }: GeneratorContext): number {
  return random.between(0, state.operators.length - 1)
}

function anyPlayer({ random, players }: GeneratorContext, operator: number): string {
  return random.pick(players[operator]!)
}

/** Any market, sometimes one that does not exist. */
export function anyMarket({ random, state }: GeneratorContext): number {
  const { length } = state.markets
  return random.chance(15) ? random.between(length, length + 1) : random.between(0, length - 1)
}

export function liveMarkets({ state }: GeneratorContext): Market[] {
  return state.markets.filter((market) => !isEnded(market))
}

export function tradingMarkets({ state, now }: GeneratorContext): Market[] {
  return state.markets.filter((market) => isTrading(market, now))
}

/** A player and a market: mostly one that is trading, and in which the player may trade. */
export type Party = { readonly operator: number; readonly player: string; readonly market: number }

export function anyParty(context: GeneratorContext): Party {
  const { random, state } = context
  const trading = tradingMarkets(context)
  if (trading.length === 0 || random.chance(3)) {
    const operator = anyOperator(context)
    return { operator, player: anyPlayer(context, operator), market: anyMarket(context) }
  }
  const market = random.pick(trading)
  const eligible = state.operators
    .map((_, operator) => operator)
    .filter((operator) => isVisible(state, market, operator))
  const operator = random.chance(97) ? random.pick(eligible) : anyOperator(context)
  return { operator, player: anyPlayer(context, operator), market: market.number }
}
