// One connection that is opened when it is needed and again after it broke. What is asked of it is
// done one after the other, in the order of the calls.

import { StoreUnavailable } from '../store.ts'
import { type Client, openWriter } from './connection.ts'
import { isLost, reasonOf } from './failures.ts'

export class Line {
  readonly #url: string
  readonly #onNotice: (code: string | undefined) => void
  #client: Client | null = null
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(url: string, onNotice: (code: string | undefined) => void = () => undefined) {
    this.#url = url
    this.#onNotice = onNotice
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Throws StoreUnavailable where it is closed or no connection can be had: nothing was done. */
  call<Answer>(work: (client: Client) => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The store is closed.'))
    const answer = this.#last.then(async () => this.#with(await this.#ready(), work))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  /** What comes next gets a new connection; whatever runs on this one fails. */
  drop(): void {
    const client = this.#client
    this.#client = null
    if (client !== null) void client.end().catch(() => undefined)
  }

  /** Waits for the calls before it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
    this.drop()
  }

  async #with<Answer>(client: Client, work: (client: Client) => Promise<Answer>): Promise<Answer> {
    try {
      return await work(client)
    } catch (error) {
      if (isLost(error)) this.drop()
      throw error
    }
  }

  async #ready(): Promise<Client> {
    if (this.#client !== null) return this.#client
    try {
      const client = await openWriter(this.#url)
      client.on('notice', ({ code }) => this.#onNotice(code))
      client.on('end', () => {
        if (this.#client === client) this.#client = null
      })
      this.#client = client
      return client
    } catch (cause) {
      throw new StoreUnavailable(`PostgreSQL cannot be reached: ${reasonOf(cause)}.`, { cause })
    }
  }
}
