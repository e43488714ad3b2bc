// Which brakes hold for a player in the model, and what they forbid.

import type { Holder, State } from './model-state.ts'

const strictness = { OPEN: 0, REDUCE_ONLY: 1, HALTED: 2 }

/** Whether a brake forbids what a player wants to do. */
export function isRestricted(
  state: State,
  { operator, player }: { readonly operator: number; readonly player: string },
  isReducing: boolean,
): boolean {
  const own = state.brakes.filter(({ holder }) => covers(holder, operator, player))
  const strictest = Math.max(0, ...own.map(({ mode }) => strictness[mode]))
  return strictest > (isReducing ? 1 : 0)
}

export function covers(holder: Holder, operator: number, player: string): boolean {
  if (holder.kind === 'EXCHANGE') return true
  return holder.operator === operator && (holder.kind !== 'PLAYER' || holder.player === player)
}
