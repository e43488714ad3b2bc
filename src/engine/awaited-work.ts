// Which commands are answered only when work in slices is done, and what that is.

import type { Exchange } from '../core/state/exchange.ts'
import type { Working } from './jobs.ts'
import type { QueuedCommand } from './queue.ts'

/** What the command waits for; null if it is answered at once. */
export function workOf(
  { kind, command, marketSerial }: QueuedCommand,
  exchange: Exchange,
): Working | null {
  if ('holder' in command) {
    const controls = exchange.knownControlsOf(command.holder)
    return controls?.sweep == null ? null : controls
  }
  const startsJob =
    kind === 'settle' || (kind === 'manage' && 'action' in command && command.action === 'cancel')
  return startsJob ? exchange.market(marketSerial!)! : null
}
