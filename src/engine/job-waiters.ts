// Commands that are answered when a job is done: to settle or to cancel a market, or to cancel the
// orders that a brake does not leave open.

import { Controls } from '../core/state/controls.ts'
import { CommitUnknown, NotOwner } from './commands.ts'
import { accepted, marketAnswer } from './execute.ts'
import type { Working } from './jobs.ts'
import type { QueuedCommand } from './queue.ts'

export class JobWaiters {
  readonly #byWorking = new Map<Working, QueuedCommand[]>()

  add(working: Working, queued: QueuedCommand): void {
    const waiters = this.#byWorking.get(working) ?? []
    waiters.push(queued)
    this.#byWorking.set(working, waiters)
  }

  /** The command that has started the job, if its caller waits here. */
  first(working: Working): QueuedCommand | undefined {
    return this.#byWorking.get(working)?.[0]
  }

  /** The brakes whose orders are all cancelled, or need not be any more. */
  endedSweeps(): readonly Controls[] {
    const waited = [...this.#byWorking.keys()]
    return waited.filter((each) => each instanceof Controls && each.sweep === null) as Controls[]
  }

  /** Removes and returns the commands that wait for it, in their order. */
  remove(working: Working): readonly QueuedCommand[] {
    const waiters = this.#byWorking.get(working) ?? []
    this.#byWorking.delete(working)
    return waiters
  }

  rejectAll(error: Error): void {
    this.#removeAll((queued) => queued.reject(error))
  }

  /**
   * Another process continues the jobs. A market that is being cancelled is so already, if the
   * command is committed; to settle a market, and to cancel the orders of a brake, can be asked
   * again of the next owner.
   */
  release({ isCommitted }: { readonly isCommitted: boolean }): void {
    this.#removeAll((queued, working) => {
      const isAskedAgain = queued.kind === 'settle' || working instanceof Controls
      if (isAskedAgain) queued.reject(new NotOwner())
      else if (isCommitted) queued.resolve(accepted(marketAnswer(working)))
      else queued.reject(new CommitUnknown('It is not known whether the command was executed.'))
    })
  }

  #removeAll(end: (queued: QueuedCommand, working: Working) => void): void {
    const all = [...this.#byWorking]
    this.#byWorking.clear()
    for (const [working, waiters] of all) for (const queued of waiters) end(queued, working)
  }
}
