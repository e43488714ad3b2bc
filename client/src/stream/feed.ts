// A feed to read with `for await`. Leaving the loop ends it.

import type { ItemQueue } from './item-queue.ts'

export class Feed<Item> implements AsyncIterable<Item, undefined> {
  readonly #queue: ItemQueue<Item>
  readonly #onClose: () => void

  constructor(queue: ItemQueue<Item>, onClose: () => void) {
    this.#queue = queue
    this.#onClose = onClose
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
