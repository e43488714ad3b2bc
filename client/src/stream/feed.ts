// A feed to read with `for await`. Leaving the loop ends it.

import type { ItemQueue } from './item-queue.ts'

type FeedQueue<Item> = Pick<ItemQueue<Item>, 'next' | 'end' | 'abortWith'>

export class Feed<Item> implements AsyncIterable<Item> {
  readonly #queue: FeedQueue<Item>
  readonly #onClose: () => void

  constructor(queue: FeedQueue<Item>, onClose: () => void, signal?: AbortSignal) {
    this.#queue = queue
    this.#onClose = onClose
    queue.abortWith(signal, onClose)
  }

  close(): void {
    this.#queue.end()
    this.#onClose()
  }

  [Symbol.asyncIterator](): AsyncIterator<Item, undefined> {
    return {
      next: () => this.#queue.next(),
      return: async () => {
        this.close()
        return { done: true, value: undefined }
      },
    }
  }
}
