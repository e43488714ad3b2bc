// The modes of trading in words, and which of several brakes is in force.

import type { Brake, TradingMode } from '../wire.ts'

export const modeNames: Readonly<Record<TradingMode, string>> = {
  OPEN: 'Open',
  REDUCE_ONLY: 'Reduce only',
  HALTED: 'Halted',
}

const ranks: Readonly<Record<TradingMode, number>> = { OPEN: 0, REDUCE_ONLY: 1, HALTED: 2 }

export type BrakeInForce = Omit<Brake, 'updatedAt'> & {
  readonly scope: 'EXCHANGE' | 'OPERATOR'
  readonly mode: Exclude<TradingMode, 'OPEN'>
  readonly since: string | null
}

type Given = { readonly scope: BrakeInForce['scope']; readonly brake: Brake | null }

/** The strictest; of two that are equally strict, the first. null if trading is open. */
export function strictestOf(given: readonly Given[]): BrakeInForce | null {
  let found: BrakeInForce | null = null
  for (const { scope, brake } of given) {
    if (brake === null || brake.mode === 'OPEN') continue
    if (found !== null && ranks[brake.mode] <= ranks[found.mode]) continue
    const { mode, reason, until, updatedAt: since } = brake
    found = { scope, mode, reason, until, since }
  }
  return found
}
