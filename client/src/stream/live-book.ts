// A live copy of an outcome's order book: a snapshot and every update since, checked by version. If
// it misses an update, it requests a new snapshot.

import { onAbort } from '../abort.ts'
import { OutcryError } from '../errors.ts'
import type { BookSnapshot, BookUpdate, Level, ServerMessage } from '../generated/wire.ts'
import { BookSide } from './book-side.ts'
import type { FeedOptions } from './channel-feed.ts'
import { Feed } from './feed.ts'
import { ItemQueue } from './item-queue.ts'
import type { Listener, StreamControl } from './listener.ts'

export type BookKey = { readonly marketId: string; readonly outcomeId: string }

export class LiveBook implements AsyncIterable<LiveBook> {
  readonly marketId: string
  readonly outcomeId: string
  readonly #stream: StreamControl
  readonly #listener: Listener
  readonly #bids = new BookSide('bids')
  readonly #asks = new BookSide('asks')
  readonly #watchers = new Set<(book: LiveBook) => void>()
  readonly #queues = new Set<ItemQueue<LiveBook>>()
  #latest: BookSnapshot | BookUpdate | null = null
  #isLive = false
  #failure: { readonly error: unknown } | null = null
  /** A newer version named by a heartbeat, which has not arrived yet. */
  #awaited: number | null = null
  readonly #forgetSignal: () => void

  constructor(stream: StreamControl, { marketId, outcomeId, signal }: BookKey & FeedOptions) {
    signal?.throwIfAborted()
    this.#stream = stream
    this.marketId = marketId
    this.outcomeId = outcomeId
    this.#listener = {
      filter: { channels: ['orderbook'], marketIds: [marketId], outcomeIds: [outcomeId] },
      subscribing: () => this.#subscribing(),
      subscribed: () => undefined,
      receive: (message) => this.#receive(message),
      disconnected: () => this.#disconnected(),
      fail: (error) => this.#fail(error),
      end: () => this.#end(),
      abort: (reason) => this.#fail(reason),
    }
    stream.subscribe(this.#listener)
    this.#forgetSignal = onAbort(signal, (reason) => {
      this.#fail(reason)
      stream.remove(this.#listener)
    })
  }

  /** Whether the copy is up to date; false before the first snapshot and during interruptions. */
  get isLive(): boolean {
    return this.#isLive
  }

  /** Rises by one with each change, as in REST; 0 before the first snapshot. */
  get version(): number {
    return this.#latest?.version ?? 0
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
    return this.#latest?.bestBid ?? null
  }

  get bestAsk(): number | null {
    return this.#latest?.bestAsk ?? null
  }

  get spread(): number | null {
    return this.#latest?.spread ?? null
  }

  /** Time of the last change, in Unix milliseconds. */
  get timestamp(): number {
    return this.#latest?.timestamp ?? 0
  }

  /** Resolves when the book is live. An abort ends the wait, and not the book. */
  async ready({ signal }: FeedOptions = {}): Promise<this> {
    signal?.throwIfAborted()
    if (this.#isLive) return this
    for await (const book of this.#changes(signal)) if (book.isLive) return this
    throw new OutcryError({ code: 'NETWORK_ERROR', message: 'The live book is closed.' })
  }

  /** Calls back after each change of the book or of `isLive`; returns a function that stops it. */
  onChange(watcher: (book: LiveBook) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Yields once now if live, then after changes; one step may cover several changes. */
  [Symbol.asyncIterator](): AsyncIterator<LiveBook, undefined> {
    return this.#changes()[Symbol.asyncIterator]()
  }

  close(): void {
    this.#end()
    this.#stream.remove(this.#listener)
  }

  #changes(signal?: AbortSignal): Feed<LiveBook> {
    const queue = new ItemQueue<LiveBook>()
    this.#queues.add(queue)
    if (this.#isLive) queue.put(this, this)
    if (this.#failure !== null) queue.fail(this.#failure.error)
    return new Feed(queue, () => this.#queues.delete(queue), signal)
  }

  #subscribing(): undefined {
    this.#awaited = null
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'heartbeat') {
      const book = message.books.find(({ outcomeId }) => outcomeId === this.outcomeId)
      if (book !== undefined) this.#compare(book.version)
    } else if (message.type === 'orderbook.snapshot') {
      if (message.outcomeId === this.outcomeId) this.#replace(message)
    } else if (message.type === 'orderbook.update') {
      if (message.outcomeId === this.outcomeId) this.#update(message)
    }
  }

  #replace(snapshot: BookSnapshot): void {
    this.#latest = snapshot
    this.#bids.replace(snapshot.bids)
    this.#asks.replace(snapshot.asks)
    this.#isLive = true
    this.#notify()
  }

  #update(update: BookUpdate): void {
    if (!this.#isLive || update.version <= this.version) return
    if (update.version !== this.version + 1) {
      this.#resubscribe()
      return
    }
    this.#latest = update
    this.#bids.update(update.bids)
    this.#asks.update(update.asks)
    this.#notify()
    if (this.#bids.isThin || this.#asks.isThin) this.#stream.subscribe(this.#listener)
  }

  /** A heartbeat may overtake an update; an update still missing at the next heartbeat is lost. */
  #compare(version: number): void {
    if (!this.#isLive) return
    if (this.#awaited !== null && this.version < this.#awaited) {
      this.#resubscribe()
      return
    }
    this.#awaited = version > this.version ? version : null
  }

  #resubscribe(): void {
    this.#disconnected()
    this.#stream.subscribe(this.#listener)
  }

  #disconnected(): void {
    if (!this.#isLive) return
    this.#isLive = false
    this.#notify()
  }

  #fail(error: unknown): void {
    this.#forgetSignal()
    this.#failure = { error }
    this.#isLive = false
    for (const queue of this.#queues) queue.fail(error)
    for (const watcher of this.#watchers) watcher(this)
  }

  #end(): void {
    this.#forgetSignal()
    this.#isLive = false
    for (const queue of this.#queues) queue.end()
    this.#queues.clear()
    this.#watchers.clear()
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher(this)
    for (const queue of this.#queues) queue.put(this, this)
  }
}
