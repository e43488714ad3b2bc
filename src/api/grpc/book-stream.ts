// One stream of a book: as it stands, and again whenever it has changed. A client that reads slowly
// gets the latest one when it is ready: nothing is kept for it.

import type { ServerWritableStream } from '@grpc/grpc-js'
import type { Batch, Outbox, TopicListener } from '../../feed/outbox.ts'
import { Refusal } from '../errors.ts'
import type { Book, BookQuery, Books } from './books.ts'
import { endWith, type Stream } from './calls.ts'

export type BookStreamOptions = {
  readonly query: BookQuery
  readonly books: Pick<Books, 'query'>
  readonly outbox: Pick<Outbox, 'listen'>
  readonly call: ServerWritableStream<unknown, Buffer>
  /** What to say of an error. */
  readonly refusalOf: (error: unknown) => Refusal
}

const retryMs = 500

export class BookStream implements Stream, TopicListener {
  end: Refusal | null = null
  readonly #options: BookStreamOptions
  readonly #stopListening: () => void
  #isReading = false
  /** Versions; the first book is sent whatever its version is. */
  #told = 0
  #sent = -1

  constructor(options: BookStreamOptions) {
    this.#options = options
    const { query, call, outbox } = options
    // Before the first question, so that no change falls between.
    const outcome = {
      marketId: query.marketId.toLowerCase(),
      outcomeId: query.outcomeId.toLowerCase(),
    }
    this.#stopListening = outbox.listen('orderbook', outcome, this)
    call.on('drain', () => this.#goOn())
    call.once('close', () => this.#stopListening())
    this.#goOn()
  }

  receive({ pieces }: Batch): void {
    this.#told = pieces.at(-1)!.number
    this.#goOn()
  }

  close(refusal: Refusal): void {
    if (this.end !== null) return
    this.end = refusal
    this.#stopListening()
    endWith(this.#options.call, refusal)
  }

  get #isWanted(): boolean {
    return this.end === null && !this.#options.call.destroyed
  }

  #goOn(): void {
    const isBehind = this.#sent < this.#told
    if (!isBehind || this.#isReading || !this.#isWanted) return
    if (!this.#options.call.writableNeedDrain) void this.#query()
  }

  async #query(): Promise<void> {
    this.#isReading = true
    const { query, books, refusalOf } = this.#options
    const book = await books.query(query).catch(refusalOf)
    if (book instanceof Refusal) await this.#despair(book)
    else this.#send(book)
    this.#isReading = false
    this.#goOn()
  }

  #send({ version, bytes }: Book): void {
    if (version <= this.#sent || !this.#isWanted) return
    this.#sent = version
    this.#options.call.write(bytes)
  }

  // What could be seen before can be seen again; the exchange may be busy for a moment.
  async #despair(refusal: Refusal): Promise<void> {
    if (this.#sent < 0 || refusal.code !== 'UNAVAILABLE') this.close(refusal)
    else await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}
