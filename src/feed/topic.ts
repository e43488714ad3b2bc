// A topic with its listeners, and the messages of the current turn.

/** A message, ready to be sent. */
export type Piece = {
  /**
   * The version of the book or the sequence of the event; 0 for a trade, which has neither, and for
   * a price that did not change together with its book.
   */
  readonly number: number
  readonly frame: Buffer
}

/** The messages of one turn on one topic, in order. */
export type Batch = {
  readonly pieces: readonly Piece[]
  /** The frames of all of them, concatenated. */
  readonly whole: Buffer
}

export type TopicListener = {
  receive(batch: Batch): void
  /** Messages may have been missed: the state must be queried or the store be read again. */
  resync?(): void
}

export class Topic {
  readonly listeners = new Set<TopicListener>()
  #pieces: Piece[] = []

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  add(piece: Piece): void {
    this.#pieces.push(piece)
  }

  resync(onFailure: (error: unknown) => void): void {
    for (const listener of [...this.listeners]) {
      try {
        listener.resync?.()
      } catch (error) {
        onFailure(error)
      }
    }
  }

  /** A listener that fails must not keep the others from receiving the messages. */
  flush(onFailure: (error: unknown) => void): void {
    const pieces = this.#pieces
    this.#pieces = []
    const batch = { pieces, whole: joined(pieces) }
    for (const listener of this.listeners) {
      try {
        listener.receive(batch)
      } catch (error) {
        onFailure(error)
      }
    }
  }
}

export function joined(pieces: readonly Piece[]): Buffer {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return first.frame
  return Buffer.concat(pieces.map(({ frame }) => frame))
}
