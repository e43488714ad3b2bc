// A part of the stream to be taken off it with `for await`. Leaving the loop ends it.

import type { Mailbox } from './mailbox.ts'

export class Feed<Item> implements AsyncIterable<Item, undefined> {
  readonly #mailbox: Mailbox<Item>
  readonly #onClose: () => void

  constructor(mailbox: Mailbox<Item>, onClose: () => void) {
    this.#mailbox = mailbox
    this.#onClose = onClose
  }

  close(): void {
    this.#mailbox.end()
    this.#onClose()
  }

  [Symbol.asyncIterator](): AsyncIterator<Item, undefined> {
    return {
      next: () => this.#mailbox.next(),
      return: async () => {
        this.close()
        return { done: true, value: undefined }
      },
    }
  }
}
