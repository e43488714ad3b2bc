// What the generator sees when it makes up a step, and the choices that steps of every kind share:
// which operator, which player, which market.

import type { Random } from '../support/process/random.ts'
import { isForgotten, isTrading, isVisible, type Market, type State } from './model-state.ts'

export type Scene = {
  readonly random: Random
  readonly state: State
  /** The names of each operator's players; some operators have players of the same name. */
  readonly players: readonly (readonly string[])[]
  readonly now: number
}

export function anyOperator({ random, state }: Scene): number {
  return random.between(0, state.operators.length - 1)
}

export function anyPlayer({ random, players }: Scene, operator: number): string {
  return random.pick(players[operator]!)
}

/** Any market at all, now and then one that does not exist. */
export function anyMarket({ random, state }: Scene): number {
  const { length } = state.markets
  return random.chance(15) ? random.between(length, length + 1) : random.between(0, length - 1)
}

export function liveMarkets({ state }: Scene): Market[] {
  return state.markets.filter((market) => !isForgotten(market))
}

export function tradingMarkets({ state, now }: Scene): Market[] {
  return state.markets.filter((market) => isTrading(market, now))
}

/** Somebody at the door of a market: mostly one who may trade there, and while it trades. */
export type Visit = { readonly operator: number; readonly player: string; readonly market: number }

export function anyVisit(scene: Scene): Visit {
  const { random, state } = scene
  const trading = tradingMarkets(scene)
  if (trading.length === 0 || random.chance(3)) {
    const operator = anyOperator(scene)
    return { operator, player: anyPlayer(scene, operator), market: anyMarket(scene) }
  }
  const market = random.pick(trading)
  const visitors = state.operators
    .map((_, operator) => operator)
    .filter((operator) => isVisible(state, market, operator))
  const operator = random.chance(97) ? random.pick(visitors) : anyOperator(scene)
  return { operator, player: anyPlayer(scene, operator), market: market.number }
}
