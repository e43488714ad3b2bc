// One thing that can be listened to, and what a turn has to say about it.

/** A message, ready to be sent. */
export type Piece = {
  /** The version of the book or the sequence of the event; 0 for a trade, which has neither. */
  readonly number: number
  readonly frame: Buffer
}

/** What one turn says about one topic, in order. */
export type Batch = {
  readonly pieces: readonly Piece[]
  /** All of them, one behind the other. */
  readonly whole: Buffer
}

export type TopicListener = { take(batch: Batch): void }

export class Topic {
  readonly listeners = new Set<TopicListener>()
  #pieces: Piece[] = []

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  add(piece: Piece): void {
    this.#pieces.push(piece)
  }

  flush(): void {
    const pieces = this.#pieces
    this.#pieces = []
    const batch = { pieces, whole: joined(pieces) }
    for (const listener of this.listeners) listener.take(batch)
  }
}

export function joined(pieces: readonly Piece[]): Buffer {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return first.frame
  return Buffer.concat(pieces.map(({ frame }) => frame))
}
