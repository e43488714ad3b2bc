// Publishes committed turns of all shards to subscribers as messages by topic. An event record is
// expanded only if a topic of it has listeners, and each message is encoded once for all of them. A
// failure affects one record, topic or listener only: listeners notice a missing version or
// sequence, and query the state or read the store again.

import type { CommittedTurn, PublicTrade } from '../core/events/committed-turn.ts'
import type { OrderBookUpdate, PriceUpdated } from '../core/events/event-payload.ts'
import { type Event, type EventRecord, expand, storedRecordOf } from '../core/events/events.ts'
import type { Ids } from '../core/ids.ts'
import { type EventType, eventTypes } from '../core/words.ts'
import type { ReportFailure } from '../ops/edge-failures.ts'
import { type Piece, Topic, type TopicListener } from './topic.ts'

export type { Batch, Piece, TopicListener } from './topic.ts'

/** `events` has a topic per operator, the others have one per outcome. */
export type Channel = 'orderbook' | 'prices' | 'trades' | 'events'

/** How the API encodes each kind of message. */
export type Encoders = {
  readonly book: (update: OrderBookUpdate) => Buffer
  readonly price: (prices: PriceUpdated) => Buffer
  readonly trade: (trade: PublicTrade) => Buffer
  readonly event: (event: Event) => Buffer
}

const publicTypes = bitOf('ORDER_BOOK_UPDATE') | bitOf('PRICE_UPDATED')

export class Outbox {
  readonly #encoders: Encoders
  /** By the public id of the outcome or of the operator. */
  readonly #topics: Readonly<Record<Channel, Map<string, Topic>>> = {
    orderbook: new Map(),
    prices: new Map(),
    trades: new Map(),
    events: new Map(),
  }
  /** The number of listeners to books and prices by market: records of others are not expanded. */
  readonly #listenersByMarket = new Map<string, number>()
  /** Topics with messages to send in this turn. */
  #pending: Topic[] = []
  readonly #onFailure: (error: unknown) => void

  constructor(encoders: Encoders, reportFailure: ReportFailure) {
    this.#encoders = encoders
    this.#onFailure = (error) => reportFailure('listener', 'publishing failed', { error })
  }

  /** Subscribes to a channel of an outcome; returns the function that unsubscribes. */
  listen(
    channel: Exclude<Channel, 'events'>,
    { marketId, outcomeId }: { readonly marketId: string; readonly outcomeId: string },
    listener: TopicListener,
  ): () => void {
    const unsubscribe = this.#subscribe(channel, outcomeId, listener)
    if (channel === 'trades') return unsubscribe
    this.#count(marketId, 1)
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      unsubscribe()
      this.#count(marketId, -1)
    }
  }

  listenToOperator(operatorId: string, listener: TopicListener): () => void {
    return this.#subscribe('events', operatorId, listener)
  }

  #subscribe(channel: Channel, name: string, listener: TopicListener): () => void {
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
    const count = (this.#listenersByMarket.get(marketId) ?? 0) + change
    if (count === 0) this.#listenersByMarket.delete(marketId)
    else this.#listenersByMarket.set(marketId, count)
  }

  /** Called with each turn of a shard once it is committed, in order, and with the shard's ids. */
  deliver({ eventRecords, trades }: CommittedTurn, ids: Ids): void {
    const { events, trades: tradeTopics } = this.#topics
    if (this.#listenersByMarket.size > 0 || events.size > 0) {
      for (const eventRecord of eventRecords) this.#try(() => this.#publishRecord(eventRecord, ids))
    }
    if (tradeTopics.size > 0) {
      for (const trade of trades) this.#try(() => this.#publishTrade(trade))
    }
    const pending = this.#pending
    if (pending.length === 0) return
    this.#pending = []
    for (const topic of pending) this.#try(() => topic.flush(this.#onFailure))
  }

  #try(publish: () => void): void {
    try {
      publish()
    } catch (error) {
      this.#onFailure(error)
    }
  }

  #publishRecord(eventRecord: EventRecord, ids: Ids): void {
    const { market, operator, types } = eventRecord
    const hasMarketListeners = (types & publicTypes) !== 0 && this.#listenersByMarket.has(market.id)
    const topic = this.#topics.events.get(operator.id)
    if (!hasMarketListeners && topic === undefined) return
    // Expanded from the stored form, so that the stream and a replay from the store cannot differ.
    const events = expand(ids, storedRecordOf(eventRecord))
    if (hasMarketListeners) this.#publishMarketData(events)
    if (topic === undefined) return
    for (const event of events) {
      this.#add(topic, { number: event.sequence, frame: this.#encoders.event(event) })
    }
  }

  // The price events of a command come after all of its book events. Each belongs to the latest
  // version of its own book.
  #publishMarketData(events: readonly Event[]): void {
    const versions = new Map<string, number>()
    for (const { payload } of events) {
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

  #publishTrade(trade: PublicTrade): void {
    this.#addTo('trades', trade.outcomeId, 0, () => this.#encoders.trade(trade))
  }

  #addTo(channel: Channel, name: string, number: number, encode: () => Buffer): void {
    const topic = this.#topics[channel].get(name)
    if (topic !== undefined) this.#add(topic, { number, frame: encode() })
  }

  #add(topic: Topic, piece: Piece): void {
    if (topic.isEmpty) this.#pending.push(topic)
    topic.add(piece)
  }
}

function bitOf(type: EventType): number {
  return 1 << eventTypes.indexOf(type)
}
