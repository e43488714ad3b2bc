// Runs the writes of the registry one after the other, so that each checks the state that the one
// before has left: of two conflicting writes only one succeeds. A write that another node's change
// has overtaken is decided again.

import { RegistryBehind, StoreUnavailable } from '../store/store.ts'

export const writesWaitingMax = 1_000
/** How often a write is decided, if other nodes change the registry meanwhile. */
export const decisionsMax = 20

export type WriteQueueOptions = {
  /** Replaces the memory by what is stored. */
  readonly reload: () => Promise<void>
  /** Applies the changes of other nodes to the memory. */
  readonly catchUp: () => Promise<void>
  /** The version of the last change that was read or written. */
  readonly version: () => number
  /** Awaited before a write is answered; the next write does not wait for it. */
  readonly onWritten: (version: number) => Promise<void>
}

export class WriteQueue {
  readonly #options: WriteQueueOptions
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** A write failed, but may be stored: the memory may differ from the store. */
  #isMemoryStale = false
  #seen = 0

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  /** The version that the memory certainly has. */
  get seen(): number {
    return this.#seen
  }

  /** Reads the store for the first time. */
  async start(read: () => Promise<void>): Promise<void> {
    await read()
    this.#upToDate()
  }

  /** Throws what the store throws; the next write then starts by reading the store again. */
  async run<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    if (this.#waiting >= writesWaitingMax) {
      throw new StoreUnavailable(`The write queue is full: ${this.#waiting} writes are waiting.`)
    }
    this.#waiting += 1
    try {
      const { answer, written } = await this.#inOrder(() => this.#decide(write))
      if (written !== null) await this.#options.onWritten(written)
      return answer
    } finally {
      this.#waiting -= 1
    }
  }

  /** Brings the memory up to date with the store. */
  refresh(): Promise<void> {
    return this.#inOrder(() => this.#change(this.#isMemoryStale ? 'reload' : 'catchUp'))
  }

  #inOrder<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#last.then(work)
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async #decide<Answer>(write: () => Promise<Answer>) {
    if (this.#isMemoryStale) await this.#change('reload')
    for (let count = 1; ; count += 1) {
      try {
        return await this.#runNow(write)
      } catch (error) {
        if (!(error instanceof RegistryBehind)) throw error
        await this.#change('catchUp')
        if (count < decisionsMax) continue
        const message = `Other nodes have changed the registry ${count} times during the write.`
        throw new StoreUnavailable(message, { cause: error })
      }
    }
  }

  async #runNow<Answer>(write: () => Promise<Answer>) {
    const before = this.#options.version()
    this.#isMemoryStale = true
    const answer = await write()
    const version = this.#upToDate()
    return { answer, written: version === before ? null : version }
  }

  async #change(how: 'reload' | 'catchUp'): Promise<void> {
    this.#isMemoryStale = true
    await this.#options[how]()
    this.#upToDate()
  }

  #upToDate(): number {
    this.#isMemoryStale = false
    this.#seen = this.#options.version()
    return this.#seen
  }
}
