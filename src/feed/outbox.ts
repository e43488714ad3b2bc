// Publishes committed turns of all shards to subscribers as messages by topic. An event record is
// expanded only if a topic of it has listeners, and each message is encoded once for all of them. A
// failure affects one record, topic or listener only. Listeners notice missing messages, or hear
// of them; they query the state or read the store again.

import { assert } from '../core/assert.ts'
import {
  type CommittedTurn,
  type PublicTrade,
  type PublishedRecord,
  type PublishedTurn,
  publicTypes,
  publishedRecordOf,
} from '../core/events/committed-turn.ts'
import type { OrderBookUpdate, PriceUpdated } from '../core/events/event-payload.ts'
import { type Event, expand } from '../core/events/events.ts'
import { type Ids, shardOfId } from '../core/ids.ts'
import type { ReportFailure } from '../ops/edge-failures.ts'
import { type TapeOutcome, type TapeSource, TapeTopic } from './tape-topic.ts'
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

/** A market or an operator that has listeners here. */
export type Interest = {
  readonly shard: number
  readonly kind: 'market' | 'operator'
  readonly id: string
}

/** Where turns come from that other nodes have committed. */
export type RemoteTurns = {
  /** The first listener has come. */
  begin(interest: Interest): void
  /** The last listener has left. */
  end(interest: Interest): void
  /** Whether the turns that an interest matches arrive here now. */
  isInForce(interest: Interest): boolean
  readonly tape: TapeSource
}

/** An outcome to listen to. */
export type ListenedOutcome = TapeOutcome & {
  /** On a node, for trades: a serial of the shard from before. See `tapeStarts`. */
  readonly after?: number | undefined
}

export class Outbox {
  readonly #encoders: Encoders
  /** By the public id of the outcome or of the operator. */
  readonly #topics = {
    orderbook: new Map<string, Topic>(),
    prices: new Map<string, Topic>(),
    trades: new Map<string, TapeTopic>(),
    events: new Map<string, Topic>(),
  }
  /** The number of listeners to books and prices by market: records of others are not expanded. */
  readonly #listenersByMarket = new Map<string, number>()
  /** The shard of each operator with listeners. */
  readonly #shardOfOperator = new Map<string, number>()
  /** Topics with messages to send in this turn. */
  #pending: Topic[] = []
  readonly #onFailure: (error: unknown) => void
  #remote: RemoteTurns | null = null
  /** The number of topics by the id of the market or operator, for a node of a cluster. */
  readonly #interests = new Map<string, number>()
  /** Last serials that are being read, by shard. */
  readonly #lastSerials = new Map<number, Promise<number>>()
  #resyncs = 0

  constructor(encoders: Encoders, reportFailure: ReportFailure) {
    this.#encoders = encoders
    this.#onFailure = (error) => reportFailure('listener', 'publishing failed', { error })
  }

  /** Makes this the outbox of a node; to be called before there are listeners. */
  setRemote(remote: RemoteTurns): void {
    this.#remote = remote
  }

  /** How often turns may have been missed: the answer to an earlier query may be out of date. */
  get resyncs(): number {
    return this.#resyncs
  }

  /**
   * The last serial of each shard of the outcomes: a listener to their trades that subscribes after
   * this misses none that is newer. Empty where trades cannot be missed.
   */
  async tapeStarts(outcomes: readonly TapeOutcome[]): Promise<ReadonlyMap<number, number>> {
    const remote = this.#remote
    if (remote === null) return new Map()
    const shards = [...new Set(outcomes.map(({ marketId }) => interestIn(marketId).shard))]
    return new Map(
      await Promise.all(
        shards.map(async (shard) => [shard, await this.#lastSerial(remote.tape, shard)] as const),
      ),
    )
  }

  // An earlier answer is right, too: many clients may connect again at once.
  #lastSerial(tape: TapeSource, shard: number): Promise<number> {
    const pending = this.#lastSerials.get(shard)
    if (pending !== undefined) return pending
    const started = tape.lastSerial(shard).finally(() => this.#lastSerials.delete(shard))
    this.#lastSerials.set(shard, started)
    return started
  }

  /** Subscribes to a channel of an outcome; returns the function that unsubscribes. */
  listen(
    channel: Exclude<Channel, 'events'>,
    outcome: ListenedOutcome,
    listener: TopicListener,
  ): () => void {
    const { marketId, outcomeId } = outcome
    const interest = interestIn(marketId)
    const topics: Map<string, Topic> = this.#topics[channel]
    const topic = topics.get(outcomeId) ?? this.#newTopic(channel, outcome)
    const unsubscribe = this.#subscribe({ topics, name: outcomeId, topic, listener })
    this.#begin(interest)
    if (channel !== 'trades') this.#count(marketId, 1)
    return once(() => {
      unsubscribe()
      this.#end(interest)
      if (channel !== 'trades') this.#count(marketId, -1)
    })
  }

  listenToOperator(
    { id, shard }: { readonly id: string; readonly shard: number },
    listener: TopicListener,
  ): () => void {
    const interest = { shard, kind: 'operator', id } as const
    const topics = this.#topics.events
    const topic = topics.get(id) ?? new Topic()
    const unsubscribe = this.#subscribe({ topics, name: id, topic, listener })
    this.#shardOfOperator.set(id, shard)
    this.#begin(interest)
    return once(() => {
      unsubscribe()
      if (!topics.has(id)) this.#shardOfOperator.delete(id)
      this.#end(interest)
    })
  }

  #newTopic(channel: Channel, { after, ...outcome }: ListenedOutcome): Topic {
    if (channel !== 'trades') return new Topic()
    const remote = this.#remote
    assert(remote === null || after !== undefined, 'trades on a node begin after a serial')
    const topic: TapeTopic = new TapeTopic({
      outcome,
      source: remote?.tape ?? null,
      after: after ?? 0,
      publish: (trade) => this.#add(topic, { number: 0, frame: this.#encoders.trade(trade) }),
      flush: () => this.#flush(),
      onFailure: this.#onFailure,
    })
    if (remote?.isInForce(interestIn(outcome.marketId)) === false) topic.hold()
    return topic
  }

  #subscribe({ topics, name, topic, listener }: Subscription): () => void {
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

  #begin(interest: Interest): void {
    if (this.#remote === null) return
    const count = this.#interests.get(interest.id) ?? 0
    this.#interests.set(interest.id, count + 1)
    if (count === 0) this.#remote.begin(interest)
  }

  #end(interest: Interest): void {
    if (this.#remote === null) return
    const count = (this.#interests.get(interest.id) ?? 0) - 1
    if (count > 0) this.#interests.set(interest.id, count)
    else {
      this.#interests.delete(interest.id)
      this.#remote.end(interest)
    }
  }

  /** Turns of the shard may be missing before those that arrive, until `resync`. */
  onMissing(shard: number): void {
    for (const topic of this.#topics.trades.values()) {
      if (interestIn(topic.marketId).shard === shard) topic.hold()
    }
  }

  /** Turns of the shard may have been missed. */
  resync(shard: number): void {
    this.#resyncs += 1
    const { events, orderbook, prices, trades } = this.#topics
    const ofShard = (id: string) => (shardOfId(id) ?? 0) === shard
    for (const [id, topic] of trades) if (ofShard(id)) this.#try(() => topic.readMissed())
    for (const topics of [orderbook, prices]) {
      for (const [id, topic] of topics) if (ofShard(id)) topic.resync(this.#onFailure)
    }
    for (const [id, topic] of events) {
      if (this.#shardOfOperator.get(id) === shard) topic.resync(this.#onFailure)
    }
  }

  /**
   * From now on, the turns that an interest matches arrive. What was read from the store may lack
   * some from before; books and prices do not, because their queries follow the interest.
   */
  onInForce({ kind, id }: Pick<Interest, 'kind' | 'id'>): void {
    if (kind === 'operator') {
      this.#topics.events.get(id)?.resync(this.#onFailure)
      return
    }
    for (const topic of this.#topics.trades.values()) {
      if (topic.marketId === id) this.#try(() => topic.readMissed())
    }
  }

  /** Called with each turn of a shard once it is committed, in order, and with the shard's ids. */
  deliver({ eventRecords, trades }: CommittedTurn, ids: Ids): void {
    if (this.#listenersByMarket.size > 0 || this.#topics.events.size > 0) {
      for (const eventRecord of eventRecords) {
        const { market, operator, types } = eventRecord
        if (!this.#isHeard(market?.id ?? null, operator.id, types)) continue
        this.#try(() => this.#publishRecord(publishedRecordOf(eventRecord), ids))
      }
    }
    this.#publishTrades(trades)
    this.#flush()
  }

  /** The same for a turn that another node has committed. */
  deliverRemote({ records, trades }: PublishedTurn, ids: Ids): void {
    for (const record of records) this.#try(() => this.#publishRecord(record, ids))
    this.#publishTrades(trades)
    this.#flush()
  }

  #flush(): void {
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

  #isHeard(marketId: string | null, operatorId: string, types: number): boolean {
    return this.#hasMarketListeners(marketId, types) || this.#topics.events.has(operatorId)
  }

  #hasMarketListeners(marketId: string | null, types: number): boolean {
    if (marketId === null) return false
    return (types & publicTypes) !== 0 && this.#listenersByMarket.has(marketId)
  }

  #publishRecord({ marketId, types, stored }: PublishedRecord, ids: Ids): void {
    const hasMarketListeners = this.#hasMarketListeners(marketId, types)
    const topic = this.#topics.events.get(stored.operatorId)
    if (!hasMarketListeners && topic === undefined) return
    // Expanded from the stored form, so that the stream and a replay from the store cannot differ.
    const events = expand(ids, stored)
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

  #publishTrades(all: readonly PublicTrade[]): void {
    const { trades } = this.#topics
    if (trades.size === 0) return
    for (const trade of all) this.#try(() => trades.get(trade.outcomeId)?.receive(trade))
  }

  #addTo(
    channel: 'orderbook' | 'prices',
    name: string,
    number: number,
    encode: () => Buffer,
  ): void {
    const topic = this.#topics[channel].get(name)
    if (topic !== undefined) this.#add(topic, { number, frame: encode() })
  }

  #add(topic: Topic, piece: Piece): void {
    if (topic.isEmpty) this.#pending.push(topic)
    topic.add(piece)
  }
}

type Subscription = {
  readonly topics: Map<string, Topic>
  readonly name: string
  readonly topic: Topic
  readonly listener: TopicListener
}

function interestIn(marketId: string) {
  return { shard: shardOfId(marketId) ?? 0, kind: 'market', id: marketId } as const
}

function once(end: () => void): () => void {
  let isEnded = false
  return () => {
    if (isEnded) return
    isEnded = true
    end()
  }
}
