// Keeps items in order until they are read. An item replaces an unread one with the same key.

import { onAbort } from '../abort.ts'

type Result<Item> = IteratorResult<Item, undefined>

type Reader<Item> = {
  readonly resolve: (result: Result<Item>) => void
  readonly reject: (error: unknown) => void
}

export class ItemQueue<Item> implements AsyncIterator<Item, undefined> {
  readonly #items = new Map<unknown, Item>()
  readonly #onRead: () => void
  #readers: Reader<Item>[] = []
  #failure: { readonly error: unknown } | null = null
  #hasEnded = false
  #count = 0
  #forgetSignal: () => void = () => undefined

  constructor(onRead: () => void = () => undefined) {
    this.#onRead = onRead
  }

  /** An abort drops unread items; readers then get the reason of the signal. */
  abortWith(signal: AbortSignal | undefined, act: () => void): void {
    this.#forgetSignal()
    this.#forgetSignal = onAbort(signal, (reason) => {
      this.abort(reason)
      act()
    })
  }

  get size(): number {
    return this.#items.size
  }

  put(item: Item, key: unknown = this.#count): void {
    if (this.#hasEnded) return
    this.#count += 1
    const reader = this.#readers.shift()
    if (reader === undefined) this.#items.set(key, item)
    else reader.resolve({ done: false, value: item })
  }

  /** Unread items can still be read; then the error is thrown, once. */
  fail(error: unknown): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const reader = this.#readers.shift()
    if (reader === undefined) this.#failure = { error }
    else reader.reject(error)
    this.#release()
  }

  /** Drops unread items; then the error is thrown, once. */
  abort(error: unknown): void {
    this.#items.clear()
    this.fail(error)
  }

  /** Ends the queue and drops unread items. */
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
      this.#onRead()
      return { done: false, value }
    }
    if (this.#failure !== null) {
      const { error } = this.#failure
      this.#failure = null
      throw error
    }
    if (this.#hasEnded) return { done: true, value: undefined }
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }))
  }

  #release(): void {
    this.#forgetSignal()
    for (const reader of this.#readers) reader.resolve({ done: true, value: undefined })
    this.#readers = []
  }
}
