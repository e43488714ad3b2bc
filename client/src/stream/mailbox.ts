// Keeps what has come until it is taken, in order. What comes under a key that still waits takes
// its place.

type Result<Item> = IteratorResult<Item, undefined>

type Taker<Item> = {
  readonly give: (result: Result<Item>) => void
  readonly fail: (error: unknown) => void
}

export class Mailbox<Item> implements AsyncIterator<Item, undefined> {
  readonly #items = new Map<unknown, Item>()
  readonly #onTaken: () => void
  #takers: Taker<Item>[] = []
  #failure: { readonly error: unknown } | null = null
  #hasEnded = false
  #count = 0

  constructor(onTaken: () => void = () => undefined) {
    this.#onTaken = onTaken
  }

  get size(): number {
    return this.#items.size
  }

  put(item: Item, key: unknown = this.#count): void {
    if (this.#hasEnded) return
    this.#count += 1
    const taker = this.#takers.shift()
    if (taker === undefined) this.#items.set(key, item)
    else taker.give({ done: false, value: item })
  }

  /** What waits can still be taken; then comes the error, once. */
  fail(error: unknown): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const taker = this.#takers.shift()
    if (taker === undefined) this.#failure = { error }
    else taker.fail(error)
    this.#release()
  }

  /** Nothing more comes, and what waits is dropped. */
  end(): void {
    this.#hasEnded = true
    this.#items.clear()
    this.#release()
  }

  async next(): Promise<Result<Item>> {
    const first = this.#items.entries().next()
    if (!first.done) {
      const [key, value] = first.value
      this.#items.delete(key)
      this.#onTaken()
      return { done: false, value }
    }
    if (this.#failure !== null) {
      const { error } = this.#failure
      this.#failure = null
      throw error
    }
    if (this.#hasEnded) return { done: true, value: undefined }
    return new Promise((give, fail) => this.#takers.push({ give, fail }))
  }

  #release(): void {
    for (const taker of this.#takers) taker.give({ done: true, value: undefined })
    this.#takers = []
  }
}
