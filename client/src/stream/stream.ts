// The stream: one connection and all listeners on it. It reconnects after every interruption, and
// then renews every subscription from where it stopped.

import { onAbort } from '../abort.ts'
import { OutcryError } from '../errors.ts'
import type { EventStart } from '../event-position.ts'
import type { ErrorMessage, PriceMessage, ServerMessage, TradeMessage } from '../generated/wire.ts'
import { backoff } from '../retry.ts'
import { type FeedOptions, type MarketFilter, pricesOf, tradesOf } from './channel-feed.ts'
import { Connection, type WebSocketClass } from './connection.ts'
import { type EventFeed, eventsOf } from './event-feed.ts'
import type { Feed } from './feed.ts'
import type { Listener, StreamControl, SubscriptionFilter } from './listener.ts'
import { LiveBook } from './live-book.ts'

export type StreamOptions = {
  /** A connection that receives nothing for this long is replaced. Default: 25,000. */
  readonly silenceMaxMs?: number
  /** Default: the global class, which Node has from version 22 on. */
  readonly WebSocket?: WebSocketClass
  /** Closes the stream; loops over its feeds then throw the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

type Target = StreamOptions & { readonly url: string; readonly apiKey?: string | undefined }

export type StreamState = 'IDLE' | 'CONNECTING' | 'OPEN' | 'WAITING' | 'CLOSED'

// The service sends a heartbeat every 10 seconds.
const defaultSilenceMaxMs = 25_000
/** The wait before a subscription is repeated that the service could not accept. */
const refusedWaitMs = 1_000
const authId = 'auth'
const temporaryCodes = new Set(['RATE_LIMITED', 'UNAVAILABLE'])

export class Stream {
  readonly #target: Target
  readonly #WebSocket: WebSocketClass
  readonly #listeners = new Set<Listener>()
  /** Those that have subscribed on the present connection. */
  readonly #subscribed = new Set<Listener>()
  /** Subscriptions without an answer yet, by the id of their message. */
  readonly #pending = new Map<string, Listener>()
  readonly #watchers = new Set<(state: StreamState) => void>()
  readonly #control: StreamControl
  #state: StreamState = 'IDLE'
  #connection: Connection | null = null
  #failures = 0
  #lastId = 0
  #timers = new Set<ReturnType<typeof setTimeout>>()
  readonly #forgetSignal: () => void

  constructor(target: Target) {
    target.signal?.throwIfAborted()
    this.#target = target
    this.#WebSocket = target.WebSocket ?? globalThis.WebSocket
    if (this.#WebSocket === undefined) {
      throw new Error('There is no global WebSocket; pass a class: client.stream({ WebSocket })')
    }
    this.#forgetSignal = onAbort(target.signal, (reason) => {
      this.#close((listener) => listener.abort(reason))
    })
    this.#control = {
      subscribe: (listener) => this.#add(listener),
      pause: ({ filter }) => this.#unsubscribe(filter),
      remove: (listener) => this.#remove(listener),
    }
  }

  get state(): StreamState {
    return this.#state
  }

  onState(watcher: (state: StreamState) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Ends the wait before the next attempt to connect, for example when the network is back. */
  retry(): void {
    if (this.#state !== 'WAITING') return
    this.#failures = 0
    this.#connect()
  }

  /** Every trade from now on, except those during an interruption. */
  trades(filter: MarketFilter, options: FeedOptions = {}): Feed<TradeMessage> {
    return tradesOf(this.#control, filter, options)
  }

  /** The current prices, then every change; of prices not yet read, only the latest per outcome. */
  prices(filter: MarketFilter, options: FeedOptions = {}): Feed<PriceMessage> {
    return pricesOf(this.#control, filter, options)
  }

  /**
   * Every event after `since`, once, in order, with no gap. Default: from now on. If the events are
   * of another history than `historyId`, the feed throws EVENTS_REWOUND.
   */
  events({ signal, ...start }: EventStart & FeedOptions = {}): EventFeed {
    signal?.throwIfAborted()
    if ([...this.#listeners].some(isPrivate)) {
      throw new Error('This stream already has a feed of events; open another stream.')
    }
    return eventsOf(this.#control, start, signal)
  }

  /** Keeps a copy of the order book of an outcome up to date. */
  liveBook(marketId: string, outcomeId: string, options: FeedOptions = {}): LiveBook {
    return new LiveBook(this.#control, { marketId, outcomeId, ...options })
  }

  /** Closes the stream for good. Feeds end; books keep their last state. */
  close(): void {
    this.#close((listener) => listener.end())
  }

  #close(end: (listener: Listener) => void): void {
    this.#forgetSignal()
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    this.#stop('CLOSED')
    for (const listener of listeners) end(listener)
  }

  #add(listener: Listener): void {
    if (this.#state === 'CLOSED') throw new Error('The stream is closed.')
    this.#listeners.add(listener)
    if (this.#state === 'OPEN') this.#subscribe(listener)
    else if (this.#state === 'IDLE') this.#connect()
  }

  #remove(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return
    this.#subscribed.delete(listener)
    // Another listener may still need a part of the subscription.
    const { filter } = listener
    if (this.#listeners.size === 0) this.#stop('IDLE')
    else if (![...this.#listeners].some((other) => overlaps(filter, other.filter))) {
      this.#unsubscribe(filter)
    }
  }

  #connect(): void {
    const { url, silenceMaxMs = defaultSilenceMaxMs } = this.#target
    this.#enter('CONNECTING')
    const connection: Connection = new Connection({
      url,
      silenceMaxMs,
      WebSocket: this.#WebSocket,
      onOpen: () => this.#opened(),
      onMessage: (message) => this.#receive(message),
      onEnd: () => this.#ended(connection),
    })
    this.#connection = connection
  }

  #opened(): void {
    this.#enter('OPEN')
    const { apiKey } = this.#target
    // The service answers in order, so there is no need to wait for this answer.
    if (apiKey !== undefined) this.#connection?.send({ op: 'auth', id: authId, apiKey })
    for (const listener of this.#listeners) this.#subscribe(listener)
  }

  #ended(connection: Connection): void {
    if (this.#connection !== connection) return
    this.#connection = null
    this.#pending.clear()
    this.#subscribed.clear()
    this.#failures += 1
    this.#enter('WAITING')
    this.#later(backoff(this.#failures), () => {
      if (this.#state === 'WAITING') this.#connect()
    })
    for (const listener of this.#listeners) listener.disconnected()
  }

  #stop(state: 'IDLE' | 'CLOSED'): void {
    const connection = this.#connection
    this.#connection = null
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#pending.clear()
    this.#subscribed.clear()
    this.#failures = 0
    this.#enter(state)
    connection?.end()
  }

  #subscribe(listener: Listener): void {
    this.#lastId += 1
    const id = String(this.#lastId)
    this.#pending.set(id, listener)
    const start = listener.subscribing()
    this.#endState(listener)
    this.#subscribed.add(listener)
    this.#connection?.send({ op: 'subscribe', id, ...listener.filter, ...start })
  }

  // The service sends the state of a book or of prices with a new subscription only. Trades have no
  // state, and some would be missed.
  #endState({ filter }: Listener): void {
    const channels = filter.channels.filter((channel) => stateful.has(channel))
    const ending = { ...filter, channels }
    if ([...this.#subscribed].some((other) => overlaps(ending, other.filter))) {
      this.#unsubscribe(ending)
    }
  }

  #unsubscribe(filter: SubscriptionFilter): void {
    if (this.#state === 'OPEN') this.#connection?.send({ op: 'unsubscribe', ...filter })
  }

  #receive(message: ServerMessage): void {
    this.#failures = 0
    if (message.type === 'error') {
      this.#refused(message)
      return
    }
    if (message.type === 'subscribed') {
      const listener = this.#answered(message.id)
      if (listener !== undefined) this.#guarded(listener, () => listener.subscribed(message))
    }
    for (const listener of this.#listeners) listener.receive(message)
  }

  #refused({ id, error }: ErrorMessage): void {
    const isTemporary = temporaryCodes.has(error.code)
    if (id === authId) {
      if (isTemporary) this.#connection?.end()
      else this.#failPrivate(new OutcryError(error))
      return
    }
    const listener = this.#answered(id)
    if (listener === undefined) return
    if (!isTemporary) {
      this.#fail(listener, new OutcryError(error))
      return
    }
    this.#later(refusedWaitMs, () => {
      if (this.#listeners.has(listener) && this.#state === 'OPEN') this.#subscribe(listener)
    })
  }

  #answered(id: string | null): Listener | undefined {
    const listener = this.#pending.get(id ?? '')
    this.#pending.delete(id ?? '')
    return listener !== undefined && this.#listeners.has(listener) ? listener : undefined
  }

  #failPrivate(error: OutcryError): void {
    for (const listener of this.#listeners) {
      if (isPrivate(listener)) this.#fail(listener, error)
    }
  }

  #fail(listener: Listener, error: OutcryError): void {
    this.#listeners.delete(listener)
    this.#subscribed.delete(listener)
    if (this.#listeners.size === 0) this.#stop('IDLE')
    listener.fail(error)
  }

  /** An OutcryError ends this listener only. */
  #guarded(listener: Listener, act: () => void): void {
    try {
      act()
    } catch (error) {
      if (!(error instanceof OutcryError)) throw error
      this.#fail(listener, error)
    }
  }

  #later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, ms)
    this.#timers.add(timer)
  }

  #enter(state: StreamState): void {
    if (state === this.#state) return
    this.#state = state
    for (const watcher of this.#watchers) watcher(state)
  }
}

const stateful: ReadonlySet<string> = new Set(['orderbook', 'prices'])

function isPrivate({ filter }: Listener): boolean {
  return filter.channels.includes('events')
}

function overlaps(filter: SubscriptionFilter, other: SubscriptionFilter): boolean {
  if (!filter.channels.some((channel) => other.channels.includes(channel))) return false
  const { marketIds } = other
  if (filter.marketIds === undefined || marketIds === undefined) return true
  return filter.marketIds.some((id) => marketIds.includes(id))
}
