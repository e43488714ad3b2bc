// What goes out after a commit to those who listen: a stored turn becomes messages by topic. A
// telling is expanded once, and only if somebody listens; each message is encoded once for all.

import type { OrderBookUpdate, PriceUpdated } from '../core/events/event-payload.ts'
import { type Event, type EventRecord, expand, storedRecordOf } from '../core/events/events.ts'
import type { Ids } from '../core/ids.ts'
import { ORDER_BOOK_UPDATE, PRICE_UPDATED } from '../core/words.ts'
import { type Piece, Topic, type TopicListener } from './topic.ts'

export type { Batch, Piece, TopicListener } from './topic.ts'

/** Of an outcome; `events` are those of an operator. */
export type Channel = 'orderbook' | 'prices' | 'trades' | 'events'

export type ToldTrade = {
  readonly marketId: string
  readonly outcomeId: string
  /** In steps. */
  readonly price: number
  readonly shares: number
  readonly isSellIncoming: boolean
  readonly createdAt: number
}

export type CommittedTurn = {
  readonly eventRecords: readonly EventRecord[]
  readonly trades: readonly ToldTrade[]
}

/** How each message is written; the interface's affair. */
export type Encoders = {
  readonly book: (update: OrderBookUpdate) => Buffer
  readonly price: (prices: PriceUpdated) => Buffer
  readonly trade: (trade: ToldTrade) => Buffer
  readonly event: (event: Event) => Buffer
}

const publicTypes = (1 << ORDER_BOOK_UPDATE) | (1 << PRICE_UPDATED)

export class Outbox {
  readonly #ids: Ids
  readonly #encoders: Encoders
  /** By the public id of the outcome or of the operator. */
  readonly #topics: Readonly<Record<Channel, Map<string, Topic>>> = {
    orderbook: new Map(),
    prices: new Map(),
    trades: new Map(),
    events: new Map(),
  }
  /** How many listen to the book or the prices of a market, so that others need not be expanded. */
  readonly #markets = new Map<string, number>()
  /** Topics with something to send, in the turn at hand. */
  #touched: Topic[] = []

  constructor(ids: Ids, encoders: Encoders) {
    this.#ids = ids
    this.#encoders = encoders
  }

  /** Of a channel of an outcome; answers with the way to end it. */
  listen(
    channel: Exclude<Channel, 'events'>,
    { marketId, outcomeId }: { readonly marketId: string; readonly outcomeId: string },
    listener: TopicListener,
  ): () => void {
    const stop = this.#join(channel, outcomeId, listener)
    if (channel === 'trades') return stop
    this.#count(marketId, 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      stop()
      this.#count(marketId, -1)
    }
  }

  listenToOperator(operatorId: string, listener: TopicListener): () => void {
    return this.#join('events', operatorId, listener)
  }

  #join(channel: Channel, name: string, listener: TopicListener): () => void {
    const topics = this.#topics[channel]
    const topic = topics.get(name) ?? new Topic()
    topics.set(name, topic)
    topic.listeners.add(listener)
    return () => {
      topic.listeners.delete(listener)
      if (topic.listeners.size === 0 && topics.get(name) === topic) topics.delete(name)
    }
  }

  #count(marketId: string, change: number): void {
    const count = (this.#markets.get(marketId) ?? 0) + change
    if (count === 0) this.#markets.delete(marketId)
    else this.#markets.set(marketId, count)
  }

  /** To be called with each turn once it is stored, in order. */
  deliver({ eventRecords, trades }: CommittedTurn): void {
    const { events, trades: tapes } = this.#topics
    if (this.#markets.size > 0 || events.size > 0) {
      for (const eventRecord of eventRecords) this.#tell(eventRecord)
    }
    if (tapes.size > 0) for (const trade of trades) this.#recordTrade(trade)
    const touched = this.#touched
    if (touched.length === 0) return
    this.#touched = []
    for (const topic of touched) topic.flush()
  }

  #tell(eventRecord: EventRecord): void {
    const isSeen =
      (eventRecord.types & publicTypes) !== 0 && this.#markets.has(eventRecord.market.id)
    const topic = this.#topics.events.get(eventRecord.operator.id)
    if (!isSeen && topic === undefined) return
    // Expanded from what is stored, so that replay and stream cannot differ.
    const told = expand(this.#ids, storedRecordOf(eventRecord))
    if (isSeen) this.#recordMarket(told)
    if (topic === undefined) return
    for (const event of told) {
      this.#add(topic, { number: event.sequence, frame: this.#encoders.event(event) })
    }
  }

  // A change of prices is told behind the changes of all books of its command, and belongs to the
  // version that its own book has come to by then.
  #recordMarket(told: readonly Event[]): void {
    const versions = new Map<string, number>()
    for (const { payload } of told) {
      if ('version' in payload) {
        const { outcomeId, version } = payload
        versions.set(outcomeId, version)
        this.#addTo('orderbook', outcomeId, version, () => this.#encoders.book(payload))
      } else if ('midPrice' in payload) {
        const version = versions.get(payload.outcomeId) ?? 0
        this.#addTo('prices', payload.outcomeId, version, () => this.#encoders.price(payload))
      }
    }
  }

  #recordTrade(trade: ToldTrade): void {
    this.#addTo('trades', trade.outcomeId, 0, () => this.#encoders.trade(trade))
  }

  #addTo(channel: Channel, name: string, number: number, encode: () => Buffer): void {
    const topic = this.#topics[channel].get(name)
    if (topic !== undefined) this.#add(topic, { number, frame: encode() })
  }

  #add(topic: Topic, piece: Piece): void {
    if (topic.isEmpty) this.#touched.push(topic)
    topic.add(piece)
  }
}
