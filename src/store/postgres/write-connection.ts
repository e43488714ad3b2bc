// A connection to the tables of a shard, or to the home schema alone. It is opened on demand, and
// again after it was lost. It runs its calls one after the other, in order.

import { StoreUnavailable } from '../store.ts'
import { type Client, findPrimary, openWriter } from './connection.ts'
import { reasonOf } from './failure-text.ts'
import { isLost } from './failures.ts'
import type { ShardSchema } from './shard-schema.ts'

export class WriteConnection {
  readonly #url: string
  readonly #shard: ShardSchema | null
  readonly #onNotice: (code: string | undefined) => void
  #client: Client | null = null
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(
    url: string,
    shard: ShardSchema | null,
    onNotice: (code: string | undefined) => void = () => undefined,
  ) {
    this.#url = url
    this.#shard = shard
    this.#onNotice = onNotice
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Throws StoreUnavailable, without any effect, if it is closed or cannot connect. */
  call<Answer>(work: (client: Client) => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The store is closed.'))
    const answer = this.#last.then(async () => this.#with(await this.#ready(), work))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  /** The next call opens a new connection; a running call fails. */
  drop(): void {
    const client = this.#client
    this.#client = null
    if (client === null) return
    void client.end().catch(() => undefined)
    // Another server may have become the primary, while this one still accepts connections.
    if (!this.#isClosed) void findPrimary(this.#url).catch(() => undefined)
  }

  /** Waits for the pending calls. */
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
      const client = await openWriter(this.#url, this.#shard)
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
