// Gathers what arrives between two frames, so that one render shows all of it.

/** Asks for the next frame; the answer takes that back. */
export type RequestFrame = (onFrame: () => void) => () => void

const gatheredMax = 1_000

export type Gathering<Item> = {
  readonly add: (item: Item) => void
  /** Forgets what waits. */
  readonly end: () => void
}

export class Frames {
  readonly #request: RequestFrame
  readonly #waiting = new Set<() => void>()
  #cancel: () => void = () => undefined

  constructor(request: RequestFrame) {
    this.#request = request
  }

  /** Calls in the next frame, together with all others, and once however often it was asked for. */
  next(flush: () => void): void {
    if (this.#waiting.size === 0) this.#cancel = this.#request(() => this.#flushAll())
    this.#waiting.add(flush)
  }

  /** Passes on the items of a frame in their order; earlier if there are very many. */
  gather<Item>(onItems: (items: readonly Item[]) => void): Gathering<Item> {
    let items: Item[] = []
    const flush = () => {
      const ready = items
      items = []
      if (ready.length > 0) onItems(ready)
    }
    return {
      add: (item) => {
        items.push(item)
        if (items.length >= gatheredMax) flush()
        else this.next(flush)
      },
      end: () => {
        items = []
      },
    }
  }

  #flushAll(): void {
    this.#cancel()
    const flushes = [...this.#waiting]
    this.#waiting.clear()
    for (const flush of flushes) flush()
  }
}
