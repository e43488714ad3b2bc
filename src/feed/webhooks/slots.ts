// Limits the concurrent attempts, in total and per operator. Slots are granted round robin, so that
// a webhook with a long backlog does not starve the others.

export const attemptsMax = 256
export const attemptsPerOperatorMax = 32

export type SlotUser = {
  readonly operatorId: string
  /** Starts one attempt; returns whether it wants to start another. */
  startOne(): boolean
}

export class Slots {
  readonly #waiting = new Set<SlotUser>()
  readonly #byOperator = new Map<string, number>()
  #inUse = 0
  #isGranting = false

  get inUse(): number {
    return this.#inUse
  }

  /** Calls startOne() of the user, now or as soon as a slot is free. */
  request(user: SlotUser): void {
    this.#waiting.add(user)
    this.#grant()
  }

  withdraw(user: SlotUser): void {
    this.#waiting.delete(user)
  }

  /** Called by `startOne` for the attempt that it starts. */
  acquire(operatorId: string): void {
    this.#inUse += 1
    this.#byOperator.set(operatorId, this.#inUseBy(operatorId) + 1)
  }

  release(operatorId: string): void {
    this.#inUse -= 1
    const left = this.#inUseBy(operatorId) - 1
    if (left === 0) this.#byOperator.delete(operatorId)
    else this.#byOperator.set(operatorId, left)
    this.#grant()
  }

  #inUseBy(operatorId: string): number {
    return this.#byOperator.get(operatorId) ?? 0
  }

  #grant(): void {
    if (this.#isGranting) return
    this.#isGranting = true
    try {
      // A user that wants another slot is added at the end, and this loop reaches it again.
      for (const user of this.#waiting) {
        if (this.#inUse >= attemptsMax) break
        if (this.#inUseBy(user.operatorId) >= attemptsPerOperatorMax) continue
        this.#waiting.delete(user)
        if (user.startOne()) this.#waiting.add(user)
      }
    } finally {
      this.#isGranting = false
    }
  }
}
