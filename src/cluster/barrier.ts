// The barrier: a write of the registry is answered once every live node has applied it. All writes
// that wait share one loop of questions to the store.

import { CommitFailure, type NodeStore, nodeAliveMs } from '../store/store.ts'

/** A dead node is waited for until its last beat has run out. */
const waitMsMax = nodeAliveMs + 2_000
const firstDelayMs = 2
const delayMsMax = 50

type Waiting = {
  readonly version: number
  readonly deadline: number
  readonly resolve: () => void
  readonly reject: (cause: Error) => void
}

export class Barrier {
  readonly #store: Pick<NodeStore, 'registrySeenByOthers'>
  /** The write queue of the registry bounds it. */
  #waiting: Waiting[] = []
  #isAsking = false

  constructor(store: Pick<NodeStore, 'registrySeenByOthers'>) {
    this.#store = store
  }

  /** Throws CommitFailure if it is not known whether every node has applied the version. */
  wait(version: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + waitMsMax
      this.#waiting.push({ version, deadline, resolve, reject })
      if (!this.#isAsking) void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    let delayMs = firstDelayMs
    while (this.#waiting.length > 0) {
      // A write that arrives during the question is newer than what it finds.
      const asked = this.#waiting
      this.#waiting = []
      const left = await this.#passed(asked)
      delayMs = left.length < asked.length ? firstDelayMs : Math.min(2 * delayMs, delayMsMax)
      this.#waiting = [...left, ...this.#waiting]
      if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
    this.#isAsking = false
  }

  /** Answers those that need not wait any more, and returns the others. */
  async #passed(asked: readonly Waiting[]): Promise<Waiting[]> {
    let cause: unknown = null
    try {
      const seen = await this.#store.registrySeenByOthers()
      const isSeen = ({ version }: Waiting) => seen === null || version <= seen
      for (const one of asked) if (isSeen(one)) one.resolve()
      asked = asked.filter((one) => !isSeen(one))
    } catch (error) {
      cause = error
    }
    const now = performance.now()
    for (const { deadline, reject } of asked) if (deadline <= now) reject(unknown(cause))
    return asked.filter(({ deadline }) => deadline > now)
  }
}

function unknown(cause: unknown): CommitFailure {
  const message = 'The record is stored, but it is not known whether every node has applied it.'
  return new CommitFailure(message, { outcome: 'unknown', cause })
}
