// Dead-man switches as they are on the wire.

import type { DeadManAnswer } from '../../engine/commands.ts'
import type { DeadMan } from '../schemas/dead-man.ts'
import { timeText } from './time.ts'

export function presentDeadMan({ deadline, ...deadMan }: DeadManAnswer): DeadMan {
  const { playerId, state, timeoutMs } = deadMan
  return { playerId, state, deadline: timeText(deadline), timeoutMs }
}
