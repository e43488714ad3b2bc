// A command that was sent again may be rejected because its first try was carried out. It then has
// the answer of the first try, which is read from the store.

import type { CancelOrder, CommandKind, Commands, Result } from '../engine/commands.ts'
import type { RouterOptions } from './router-options.ts'

export type SentAgain = {
  readonly shard: number
  readonly kind: CommandKind
  readonly command: Commands[CommandKind]['command']
}

type Stored = Pick<RouterOptions, 'orderOf' | 'settlementOf'>

/** The stored answer; null if the result says nothing of an earlier try, or nothing is stored. */
export function answerOfFirstTry(
  stored: Stored,
  { shard, kind, command }: SentAgain,
  result: Result<unknown>,
): Promise<unknown> | null {
  if (result.isAccepted) return null
  const { reject } = result
  if (kind === 'cancel' && reject.code === 'ORDER_CANNOT_CANCEL' && reject.status === 'CANCELLED') {
    const { operatorId, orderSerial } = command as CancelOrder
    return stored.orderOf(shard, operatorId, orderSerial)
  }
  if (kind === 'settle' && reject.code === 'SETTLEMENT_ALREADY_COMPLETED') {
    const { marketSerial } = command as Commands['settle']['command']
    return stored.settlementOf(shard, marketSerial)
  }
  return null
}
