// One stream of a book: its state, and again after each change. A client that reads slowly receives
// the latest state when it is ready; nothing is buffered for it.

import type { ServerWritableStream } from '@grpc/grpc-js'
import type { Batch, Outbox, TopicListener } from '../../feed/outbox.ts'
import { Refusal } from '../errors.ts'
import type { Book, BookQuery, Books } from './books.ts'
import { endCallWith, type Stream } from './calls.ts'

export type BookStreamOptions = {
  readonly query: BookQuery
  readonly books: Pick<Books, 'query'>
  readonly outbox: Pick<Outbox, 'listen'>
  readonly call: ServerWritableStream<unknown, Buffer>
  /** The refusal for an error that was thrown. */
  readonly refusalOf: (error: unknown) => Refusal
}

const retryMs = 500

export class BookStream implements Stream, TopicListener {
  end: Refusal | null = null
  readonly #options: BookStreamOptions
  readonly #stopListening: () => void
  #isReading = false
  /** Changes may have been missed since the last query was sent. */
  #mayMiss = false
  /** The version of the last change that was published. */
  #published = 0
  /** The version that was sent last; -1 before the first. */
  #sent = -1

  constructor(options: BookStreamOptions) {
    this.#options = options
    const { query, call, outbox } = options
    // Before the first query, so that no change is missed.
    const outcome = {
      marketId: query.marketId.toLowerCase(),
      outcomeId: query.outcomeId.toLowerCase(),
    }
    this.#stopListening = outbox.listen('orderbook', outcome, this)
    call.on('drain', () => this.#continue())
    call.once('close', () => this.#stopListening())
    this.#continue()
  }

  receive({ pieces }: Batch): void {
    this.#published = Math.max(this.#published, pieces.at(-1)!.number)
    this.#continue()
  }

  resync(): void {
    this.#mayMiss = true
    this.#continue()
  }

  close(refusal: Refusal): void {
    if (this.end !== null) return
    this.end = refusal
    this.#stopListening()
    endCallWith(this.#options.call, refusal)
  }

  get #isWanted(): boolean {
    return this.end === null && !this.#options.call.destroyed
  }

  #continue(): void {
    const isBehind = this.#sent < this.#published || this.#mayMiss
    if (!isBehind || this.#isReading || !this.#isWanted) return
    if (this.#options.call.writableNeedDrain) return
    this.#query().catch((error: unknown) => this.close(this.#options.refusalOf(error)))
  }

  async #query(): Promise<void> {
    this.#isReading = true
    this.#mayMiss = false
    const { query, books, refusalOf } = this.#options
    const book = await books.query(query, 'stream').catch(refusalOf)
    if (book instanceof Refusal) await this.#handleRefusal(book)
    else this.#send(book)
    this.#isReading = false
    this.#continue()
  }

  #send({ version, bytes }: Book): void {
    if (version <= this.#sent || !this.#isWanted) return
    this.#sent = version
    this.#options.call.write(bytes)
  }

  // Once a book was sent, UNAVAILABLE is temporary: the query is repeated.
  async #handleRefusal(refusal: Refusal): Promise<void> {
    if (this.#sent < 0 || refusal.code !== 'UNAVAILABLE') this.close(refusal)
    else {
      this.#mayMiss = true
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}
