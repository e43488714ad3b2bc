// Repeated commands, whose answers are read from the store. An answer may have a thousand trades,
// so those of one operator are read a few at a time: others are served in between.

import { Unavailable } from '../commands.ts'
import { Fifo } from '../fifo.ts'

/** Of one operator: enough to keep the readers of the service busy. */
export const replaysRunningMax = 4
/** Of one operator. */
export const replaysWaitingMax = 10_000

type ReplayQueue = { running: number; readonly waiting: Fifo<() => void> }

export class ReplayQueues {
  readonly #queues = new Map<string, ReplayQueue>()

  /** Throws Unavailable if too many commands of the operator wait. */
  async run(operatorId: string, replay: () => Promise<void>): Promise<void> {
    const queue = this.#queueOf(operatorId)
    if (queue.running >= replaysRunningMax) {
      if (queue.waiting.length >= replaysWaitingMax) {
        throw new Unavailable('Too many repeated commands of this operator are waiting.')
      }
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    } else queue.running += 1
    try {
      await replay()
    } finally {
      this.#continue(operatorId, queue)
    }
  }

  // The next one takes the place of the one that has ended, after other work of the event loop.
  #continue(operatorId: string, queue: ReplayQueue): void {
    const next = queue.waiting.shift()
    if (next !== undefined) {
      setImmediate(next)
      return
    }
    queue.running -= 1
    if (queue.running === 0) this.#queues.delete(operatorId)
  }

  #queueOf(operatorId: string): ReplayQueue {
    let queue = this.#queues.get(operatorId)
    if (queue === undefined) {
      queue = { running: 0, waiting: new Fifo() }
      this.#queues.set(operatorId, queue)
    }
    return queue
  }
}
