// Which of several brakes applies to a player, and what it still allows.

import type { Reject } from '../reject.ts'
import { tradingModes } from '../words.ts'
import { type Controls, termsAt } from './controls.ts'
import type { Exchange } from './exchange.ts'
import type { Operator, Player } from './operator.ts'

/** A player that the exchange does not know yet has no brake of its own. */
type Trader = { readonly operator: Operator; readonly player: Player | undefined }

/**
 * Whether the strictest mode in force allows it: REDUCE_ONLY allows what reduces, HALTED nothing.
 * Of two that are equally strict, the wider one is named.
 */
export function checkMode(exchange: Exchange, trader: Trader, isReducing: boolean): Reject | null {
  if (!exchange.hasControls) return null
  let strictest: Controls | null = null
  let strictness = 0
  for (const controls of brakesOf(exchange, trader)) {
    const own = tradingModes.indexOf(termsAt(controls.terms, exchange.now).mode)
    if (own <= strictness) continue
    strictest = controls
    strictness = own
  }
  if (strictest === null) return null
  const { mode, until } = strictest.terms
  if (mode === 'REDUCE_ONLY' && isReducing) return null
  const { scope, shownReason: reason } = strictest
  return { code: 'TRADING_RESTRICTED', scope, mode, reason, until }
}

/** The widest first. */
function brakesOf(exchange: Exchange, { operator, player }: Trader): readonly Controls[] {
  const all = [
    exchange.controls,
    operator.administratorControls,
    operator.controls,
    player?.controls ?? null,
  ]
  return all.filter((controls) => controls !== null)
}
