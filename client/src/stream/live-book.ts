// The order book of an outcome as it is now: a snapshot and every change since, checked by their
// versions. Whatever is missed, it notices and begins anew.

import { OutcryError } from '../errors.ts'
import type { BookSnapshot, BookUpdate, Level, Said } from '../generated/wire.ts'
import { BookSide } from './book-side.ts'
import { Feed } from './feed.ts'
import type { Listener, Serving } from './listener.ts'
import { Mailbox } from './mailbox.ts'

export type BookOf = { readonly marketId: string; readonly outcomeId: string }

export class LiveBook implements AsyncIterable<LiveBook> {
  readonly marketId: string
  readonly outcomeId: string
  readonly #stream: Serving
  readonly #listener: Listener
  readonly #bids = new BookSide('bids')
  readonly #asks = new BookSide('asks')
  readonly #watchers = new Set<(book: LiveBook) => void>()
  readonly #mailboxes = new Set<Mailbox<LiveBook>>()
  #told: BookSnapshot | BookUpdate | null = null
  #isLive = false
  #failure: OutcryError | null = null
  /** A version that the service has told of and that has not come. */
  #awaited: number | null = null

  constructor(stream: Serving, { marketId, outcomeId }: BookOf) {
    this.#stream = stream
    this.marketId = marketId
    this.outcomeId = outcomeId
    this.#listener = {
      part: { channels: ['orderbook'], marketIds: [marketId], outcomeIds: [outcomeId] },
      asked: () => this.#asked(),
      taken: () => undefined,
      hear: (message) => this.#hear(message),
      interrupted: () => this.#interrupted(),
      fail: (error) => this.#fail(error),
      end: () => this.#end(),
    }
    stream.begin(this.#listener)
  }

  /** Whether it shows the book as it is; false before the first snapshot and during breaks. */
  get isLive(): boolean {
    return this.#isLive
  }

  /** One more with each change of the book; the same as in REST. 0 before the first snapshot. */
  get version(): number {
    return this.#told?.version ?? 0
  }

  /** Highest price first. */
  get bids(): readonly Level[] {
    return this.#bids.levels
  }

  /** Lowest price first. */
  get asks(): readonly Level[] {
    return this.#asks.levels
  }

  get bestBid(): number | null {
    return this.#told?.bestBid ?? null
  }

  get bestAsk(): number | null {
    return this.#told?.bestAsk ?? null
  }

  get spread(): number | null {
    return this.#told?.spread ?? null
  }

  /** Of the last change, in Unix milliseconds. */
  get timestamp(): number {
    return this.#told?.timestamp ?? 0
  }

  /** When it shows the book as it is. */
  async ready(): Promise<this> {
    if (this.#isLive) return this
    for await (const book of this.#changes()) if (book.isLive) return this
    throw new OutcryError({ code: 'NETWORK_ERROR', message: 'The book was closed.' })
  }

  /** Calls back after each change, and when it becomes live or ceases to be. */
  onChange(watcher: (book: LiveBook) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Once for what it shows now, then after changes; several may have come together. */
  [Symbol.asyncIterator](): AsyncIterator<LiveBook, undefined> {
    return this.#changes()[Symbol.asyncIterator]()
  }

  close(): void {
    this.#end()
    this.#stream.leave(this.#listener)
  }

  #changes(): Feed<LiveBook> {
    const mailbox = new Mailbox<LiveBook>()
    this.#mailboxes.add(mailbox)
    if (this.#isLive) mailbox.put(this, this)
    if (this.#failure !== null) mailbox.fail(this.#failure)
    return new Feed(mailbox, () => this.#mailboxes.delete(mailbox))
  }

  #asked(): undefined {
    this.#awaited = null
  }

  #hear(message: Said): void {
    if (message.type === 'heartbeat') {
      const told = message.books.find(({ outcomeId }) => outcomeId === this.outcomeId)
      if (told !== undefined) this.#compare(told.version)
    } else if (message.type === 'orderbook.snapshot') {
      if (message.outcomeId === this.outcomeId) this.#take(message)
    } else if (message.type === 'orderbook.update') {
      if (message.outcomeId === this.outcomeId) this.#change(message)
    }
  }

  #take(snapshot: BookSnapshot): void {
    this.#told = snapshot
    this.#bids.take(snapshot.bids)
    this.#asks.take(snapshot.asks)
    this.#isLive = true
    this.#tell()
  }

  #change(update: BookUpdate): void {
    if (!this.#isLive || update.version <= this.version) return
    if (update.version !== this.version + 1) {
      this.#beginAnew()
      return
    }
    this.#told = update
    this.#bids.change(update.bids)
    this.#asks.change(update.asks)
    this.#tell()
    if (this.#bids.isThin || this.#asks.isThin) this.#stream.begin(this.#listener)
  }

  /** One heartbeat may overtake a change; what is missing by the next is lost. */
  #compare(version: number): void {
    if (!this.#isLive) return
    if (this.#awaited !== null && this.version < this.#awaited) {
      this.#beginAnew()
      return
    }
    this.#awaited = version > this.version ? version : null
  }

  #beginAnew(): void {
    this.#interrupted()
    this.#stream.begin(this.#listener)
  }

  #interrupted(): void {
    if (!this.#isLive) return
    this.#isLive = false
    this.#tell()
  }

  #fail(error: OutcryError): void {
    this.#failure = error
    this.#isLive = false
    for (const mailbox of this.#mailboxes) mailbox.fail(error)
    for (const watcher of this.#watchers) watcher(this)
  }

  #end(): void {
    this.#isLive = false
    for (const mailbox of this.#mailboxes) mailbox.end()
    this.#mailboxes.clear()
    this.#watchers.clear()
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher(this)
    for (const mailbox of this.#mailboxes) mailbox.put(this, this)
  }
}
