// Sends turns to the thread that commits them. The engine sends the next turn before it knows of
// the last one, so a turn says how many failures its sender knew of: the thread refuses the turns
// that were sent before a failure was known here.

import { CommitFailure, type Turn } from './store.ts'

export type SentTurn = Turn & {
  /** How many failures the sender of the turn knew of. */
  readonly generation: number
}

export class TurnSender {
  readonly #send: (turn: SentTurn) => Promise<void>
  #generation = 0
  /** Resolves when the last turn is committed or has failed. */
  #last: Promise<void> = Promise.resolve()

  constructor(send: (turn: SentTurn) => Promise<void>) {
    this.#send = send
  }

  /**
   * Throws a CommitFailure. A turn that fails before it is sent waits for those before it: the
   * engine discards its memory when the last turn in flight has failed.
   */
  async commit(turn: Turn): Promise<void> {
    const before = this.#last
    const done = Promise.withResolvers<void>()
    this.#last = done.promise
    try {
      await this.#commit(turn)
    } catch (error) {
      await before
      throw error
    } finally {
      done.resolve()
    }
  }

  async #commit(turn: Turn): Promise<void> {
    const generation = this.#generation
    try {
      await this.#send({ ...turn, generation })
    } catch (error) {
      this.#generation = Math.max(this.#generation, generation + 1)
      if (error instanceof CommitFailure) throw error
      const reason = error instanceof Error ? error.message : String(error)
      const message = `It is unknown whether the turn was stored: ${reason}`
      throw new CommitFailure(message, { outcome: 'unknown', cause: error })
    }
  }
}
