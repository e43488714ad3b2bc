// Sends turns to the thread that commits them. The engine sends the next turn before it knows of
// the last one, so a turn says how many failures its sender knew of: the thread refuses the turns
// that were sent before a failure was known here.

import { CommitFailure, type Turn } from './store.ts'

/** `generation`: how many failures the sender of the turn knew of. */
export type SentTurn = Turn & { readonly generation: number }

export class TurnSender {
  readonly #send: (turn: SentTurn) => Promise<void>
  #generation = 0

  constructor(send: (turn: SentTurn) => Promise<void>) {
    this.#send = send
  }

  /** Throws a CommitFailure. */
  async commit({ rows, ...turn }: Turn): Promise<void> {
    // A copy in shared memory. Transferring the array instead would detach it here, and after that
    // V8 checks every array before every use.
    const numbers = new Float64Array(
      new SharedArrayBuffer(rows.length * Float64Array.BYTES_PER_ELEMENT),
    )
    numbers.set(rows.numbers.subarray(0, rows.length))
    const { length, texts } = rows
    const generation = this.#generation
    try {
      await this.#send({ ...turn, rows: { numbers, length, texts }, generation })
    } catch (error) {
      this.#generation = Math.max(this.#generation, generation + 1)
      if (error instanceof CommitFailure) throw error
      const reason = error instanceof Error ? error.message : String(error)
      const message = `It is unknown whether the turn was stored: ${reason}`
      throw new CommitFailure(message, { outcome: 'unknown', cause: error })
    }
  }
}
