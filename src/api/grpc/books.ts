// Books as encoded messages. Equal queries that are pending at the same time share one answer:
// after a change, all streams of a book query it together.

import type { Outbox } from '../../feed/outbox.ts'
import { invalidField, type Refusal, refusalOf } from '../errors.ts'
import { serialOf } from '../parse/serial.ts'
import { depthDefault, depthMax } from '../schemas/market-data.ts'
import type { Shards } from '../shards.ts'
import { bookBytes } from './write-book.ts'

export type BookQuery = {
  readonly marketId: string
  readonly outcomeId: string
  /** Levels on each side; 0 if it was not set. */
  readonly depth: number
  /** Whether levels from matching by complete sets are included. */
  readonly implied?: boolean
}

export type Book = { readonly version: number; readonly bytes: Buffer }

const wrongDepth = invalidField('depth', `must be at most ${depthMax}`)

/** A query of a call may have been sent before the turns of the market arrive here. */
type Purpose = 'call' | 'stream'

export class Books {
  readonly #shards: Shards
  readonly #outbox: Pick<Outbox, 'resyncs'>
  readonly #pending = new Map<string, Promise<Book | Refusal>>()

  constructor(shards: Shards, outbox: Pick<Outbox, 'resyncs'>) {
    this.#shards = shards
    this.#outbox = outbox
  }

  async query(query: BookQuery, purpose: Purpose = 'call'): Promise<Book | Refusal> {
    const { marketId, outcomeId, depth, implied = false } = query
    if (depth > depthMax) return wrongDepth
    const { resyncs } = this.#outbox
    const name = `${purpose} ${resyncs} ${marketId} ${outcomeId} ${depth} ${implied}`
    const pending = this.#pending.get(name)
    if (pending !== undefined) return pending
    const reading = this.#query(query).finally(() => this.#pending.delete(name))
    this.#pending.set(name, reading)
    return reading
  }

  async #query(query: BookQuery): Promise<Book | Refusal> {
    const { submit, ids } = this.#shards.ofId(query.marketId)
    const result = await submit('book', {
      marketSerial: serialOf(ids, query.marketId),
      outcomeSerial: serialOf(ids, query.outcomeId),
      depth: query.depth === 0 ? depthDefault : query.depth,
      withImplied: query.implied ?? false,
    })
    if (!result.isAccepted) return refusalOf(result.reject)
    return { version: result.answer.version, bytes: bookBytes(result.answer) }
  }
}
