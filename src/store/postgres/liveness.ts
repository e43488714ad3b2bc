// Whether the server answers now. It is asked every second over a connection of its own, so that
// neither long reads nor commits, which may wait much longer for their outcome, hide its silence.

import { type Client, openClient } from './connection.ts'

const askEveryMs = 1_000
const answerMsMax = 1_500

export class Liveness {
  readonly #url: string
  #client: Client | null = null
  #timer: NodeJS.Timeout | null = null
  #isAnswering = true
  #isClosed = false

  constructor(url: string) {
    this.#url = url
    this.#askLater()
  }

  /** False within three seconds after the server has stopped answering. */
  get isAnswering(): boolean {
    return this.#isAnswering
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#drop()
  }

  #askLater(): void {
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#ask(), askEveryMs).unref()
  }

  async #ask(): Promise<void> {
    try {
      const client = this.#client ?? (await openClient(this.#url, answerMsMax))
      this.#client = client
      await this.#askOver(client)
      this.#isAnswering = true
    } catch {
      this.#isAnswering = false
      this.#drop()
    }
    if (this.#isClosed) this.#drop()
    this.#askLater()
  }

  async #askOver(client: Client): Promise<void> {
    let hasAnswered = false
    const dropUnlessAnswered = () => {
      if (!hasAnswered) this.#drop()
    }
    // If this process was busy or frozen, the answer may have arrived and wait to be read.
    const timer = setTimeout(() => setImmediate(dropUnlessAnswered), answerMsMax)
    try {
      await client.query('SELECT 1')
      hasAnswered = true
    } finally {
      clearTimeout(timer)
    }
  }

  /** A query in progress fails. */
  #drop(): void {
    const client = this.#client
    this.#client = null
    if (client !== null) void client.end().catch(() => undefined)
  }
}
