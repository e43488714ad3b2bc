// Runs the writes of the registry one after the other, so that each checks the state that the one
// before has left: of two conflicting writes only one succeeds.

import { StoreUnavailable } from '../store/store.ts'

export const writesWaitingMax = 1_000

export class WriteQueue {
  readonly #reload: () => Promise<void>
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** A write failed, but may be stored: the memory may differ from the store. */
  #isMemoryStale = false

  constructor(reload: () => Promise<void>) {
    this.#reload = reload
  }

  /** Throws what the store throws; the next write then starts by reading the store again. */
  async run<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    if (this.#waiting >= writesWaitingMax) {
      throw new StoreUnavailable(`The write queue is full: ${this.#waiting} writes are waiting.`)
    }
    this.#waiting += 1
    const answer = this.#last.then(() => this.#runNow(write))
    this.#last = answer.catch(() => undefined)
    try {
      return await answer
    } finally {
      this.#waiting -= 1
    }
  }

  async #runNow<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    if (this.#isMemoryStale) await this.#reload()
    this.#isMemoryStale = true
    const answer = await write()
    this.#isMemoryStale = false
    return answer
  }
}
