// Commands that are answered when the job of their market is done: to settle it, or to cancel it.

import type { Market } from '../core/state/market.ts'
import { CommitUnknown, NotOwner } from './commands.ts'
import { accepted, marketAnswer } from './execute.ts'
import type { QueuedCommand } from './queue.ts'

export class JobWaiters {
  readonly #byMarket = new Map<Market, QueuedCommand[]>()

  add(market: Market, queued: QueuedCommand): void {
    const waiters = this.#byMarket.get(market) ?? []
    waiters.push(queued)
    this.#byMarket.set(market, waiters)
  }

  /** The command that has started the job, if its caller waits here. */
  first(market: Market): QueuedCommand | undefined {
    return this.#byMarket.get(market)?.[0]
  }

  /** Removes and returns the commands of a market, in their order. */
  remove(market: Market): readonly QueuedCommand[] {
    const waiters = this.#byMarket.get(market) ?? []
    this.#byMarket.delete(market)
    return waiters
  }

  rejectAll(error: Error): void {
    this.#removeAll((queued) => queued.reject(error))
  }

  /**
   * Another process continues the jobs. A market that is being cancelled is so already, if the
   * command is committed; to settle a market can be asked again of the next owner.
   */
  release({ isCommitted }: { readonly isCommitted: boolean }): void {
    this.#removeAll((queued, market) => {
      if (queued.kind === 'settle') queued.reject(new NotOwner())
      else if (isCommitted) queued.resolve(accepted(marketAnswer(market)))
      else queued.reject(new CommitUnknown('It is not known whether the command was executed.'))
    })
  }

  #removeAll(end: (queued: QueuedCommand, market: Market) => void): void {
    const all = [...this.#byMarket]
    this.#byMarket.clear()
    for (const [market, waiters] of all) for (const queued of waiters) end(queued, market)
  }
}
