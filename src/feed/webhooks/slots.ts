// How many attempts are under way at once: over all, and for each operator. Whoever waits is served
// in turn, so that one webhook with much to send does not keep the others from theirs.

export const attemptsMax = 256
export const attemptsPerOperatorMax = 32

export type SlotUser = {
  readonly operatorId: string
  /** Starts one attempt; says whether it wants to start another. */
  startOne(): boolean
}

export class Slots {
  readonly #waiting = new Set<SlotUser>()
  readonly #byOperator = new Map<string, number>()
  #taken = 0
  #isServing = false

  get taken(): number {
    return this.#taken
  }

  /** It has something to start: now, or when its turn comes. */
  ask(user: SlotUser): void {
    this.#waiting.add(user)
    this.#serve()
  }

  forget(user: SlotUser): void {
    this.#waiting.delete(user)
  }

  /** To be called by `startOne` for what it starts. */
  take(operatorId: string): void {
    this.#taken += 1
    this.#byOperator.set(operatorId, this.#takenBy(operatorId) + 1)
  }

  give(operatorId: string): void {
    this.#taken -= 1
    const left = this.#takenBy(operatorId) - 1
    if (left === 0) this.#byOperator.delete(operatorId)
    else this.#byOperator.set(operatorId, left)
    this.#serve()
  }

  #takenBy(operatorId: string): number {
    return this.#byOperator.get(operatorId) ?? 0
  }

  #serve(): void {
    if (this.#isServing) return
    this.#isServing = true
    // Those who want another go to the end of the line, which this loop comes to again.
    for (const user of this.#waiting) {
      if (this.#taken >= attemptsMax) break
      if (this.#takenBy(user.operatorId) >= attemptsPerOperatorMax) continue
      this.#waiting.delete(user)
      if (user.startOne()) this.#waiting.add(user)
    }
    this.#isServing = false
  }
}
