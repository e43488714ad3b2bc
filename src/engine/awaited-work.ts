// Which commands are answered only when work in slices is done, and what that is.

import type { Exchange } from '../core/state/exchange.ts'
import type { OrderGroup } from '../core/state/operator.ts'
import { accepted } from './execute.ts'
import type { JobWaiters } from './job-waiters.ts'
import type { Working } from './jobs.ts'
import { orderGroupAnswer } from './order-groups.ts'
import type { QueuedCommand } from './queue.ts'

/** What the command waits for; null if it is answered at once. */
export function workOf(
  { kind, command, marketSerial }: QueuedCommand,
  exchange: Exchange,
): Working | OrderGroup | null {
  if ('holder' in command) {
    const controls = exchange.knownControlsOf(command.holder)
    return controls?.sweep == null ? null : controls
  }
  if (kind === 'triggerOrderGroup' || kind === 'deleteOrderGroup') {
    const group = 'groupSerial' in command ? exchange.orderGroups.get(command.groupSerial) : null
    return group != null && group.cancelUpTo > 0 ? group : null
  }
  const startsJob =
    kind === 'settle' || (kind === 'manage' && 'action' in command && command.action === 'cancel')
  return startsJob ? exchange.market(marketSerial!)! : null
}

/** The commands that wait for order groups whose orders are all cancelled, with their answers. */
export function answersOfGroups(jobWaiters: JobWaiters, now: number) {
  return jobWaiters.endedGroups().flatMap((group) => {
    const answer = orderGroupAnswer(group, now)
    return jobWaiters.remove(group).map((queued) => {
      const isDeleted = queued.kind === 'deleteOrderGroup'
      return { queued, result: accepted(isDeleted ? null : answer) }
    })
  })
}
