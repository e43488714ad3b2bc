// Writes of the registry, one after the other: each decides on what the one before has left, so
// that two that exclude each other cannot both pass.

import { StoreUnavailable } from '../store/store.ts'

export const writesWaitingMax = 1_000

export class Writes {
  readonly #reload: () => Promise<void>
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** A write failed, and may be stored all the same. */
  #isInDoubt = false

  constructor(reload: () => Promise<void>) {
    this.#reload = reload
  }

  /** Throws what the store throws; the next write then begins by reading what is really there. */
  async run<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    if (this.#waiting >= writesWaitingMax) {
      throw new StoreUnavailable(`${this.#waiting} changes are waiting to be stored already.`)
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
    if (this.#isInDoubt) await this.#reload()
    this.#isInDoubt = true
    const answer = await write()
    this.#isInDoubt = false
    return answer
  }
}
