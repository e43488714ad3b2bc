// Commands that are answered when a job is done: to settle or to cancel a market, or to cancel the
// orders that a brake does not leave open, or those of an order group.

import { Controls } from '../core/state/controls.ts'
import { OrderGroup } from '../core/state/operator.ts'
import { CommitUnknown, NotOwner } from './commands.ts'
import { accepted, marketAnswer } from './execute.ts'
import type { Working } from './jobs.ts'
import type { QueuedCommand } from './queue.ts'

type Awaited = Working | OrderGroup

export class JobWaiters {
  readonly #byWorking = new Map<Awaited, QueuedCommand[]>()

  add(working: Awaited, queued: QueuedCommand): void {
    const waiters = this.#byWorking.get(working) ?? []
    waiters.push(queued)
    this.#byWorking.set(working, waiters)
  }

  /** The command that has started the job, if its caller waits here. */
  first(working: Awaited): QueuedCommand | undefined {
    return this.#byWorking.get(working)?.[0]
  }

  /** The brakes whose orders are all cancelled, or need not be any more. */
  endedSweeps(): readonly Controls[] {
    const waited = [...this.#byWorking.keys()]
    return waited.filter((each) => each instanceof Controls && each.sweep === null) as Controls[]
  }

  /** The order groups that have no orders left to cancel. */
  endedGroups(): readonly OrderGroup[] {
    const waited = [...this.#byWorking.keys()]
    const groups = waited.filter((each) => each instanceof OrderGroup)
    return groups.filter(({ cancelUpTo }) => cancelUpTo === 0)
  }

  /** Removes and returns the commands that wait for it, in their order. */
  remove(working: Awaited): readonly QueuedCommand[] {
    const waiters = this.#byWorking.get(working) ?? []
    this.#byWorking.delete(working)
    return waiters
  }

  rejectAll(error: Error): void {
    this.#removeAll((queued) => queued.reject(error))
  }

  /**
   * Another process continues the jobs. A market that is being cancelled is so already, if the
   * command is committed, and a deleted order group is gone; to settle a market, and to cancel the
   * orders of a brake or a triggered group, can be asked again of the next owner.
   */
  release({ isCommitted }: { readonly isCommitted: boolean }): void {
    this.#removeAll((queued, working) => {
      const isAskedAgain = queued.kind === 'settle' || queued.kind === 'triggerOrderGroup'
      if (isAskedAgain || working instanceof Controls) queued.reject(new NotOwner())
      else if (isCommitted) queued.resolve(accepted(answerOf(working)))
      else queued.reject(new CommitUnknown('It is not known whether the command was executed.'))
    })
  }

  #removeAll(end: (queued: QueuedCommand, working: Awaited) => void): void {
    const all = [...this.#byWorking]
    this.#byWorking.clear()
    for (const [working, waiters] of all) for (const queued of waiters) end(queued, working)
  }
}

/** A deleted group has none. */
function answerOf(working: Exclude<Awaited, Controls>) {
  return working instanceof OrderGroup ? null : marketAnswer(working)
}
