// The stream: one connection that is kept up, and all who listen to it. After a break everything
// that was asked for is asked for again, from where it stood.

import { OutcryError } from '../errors.ts'
import type { ErrorMessage, Event, PriceMessage, Said, TradeMessage } from '../generated/wire.ts'
import { backoff } from '../retry.ts'
import { type Of, pricesOf, tradesOf } from './channel-feed.ts'
import { Connection } from './connection.ts'
import { eventsOf } from './event-feed.ts'
import type { Feed } from './feed.ts'
import type { Listener, Part, Serving } from './listener.ts'
import { LiveBook } from './live-book.ts'

export type StreamOptions = {
  /** A connection on which nothing was heard for so long is given up; 25,000 if left out. */
  readonly silenceMaxMs?: number
  /** Instead of the global one, which Node has from version 22 on. */
  readonly WebSocket?: typeof WebSocket
}

type Target = StreamOptions & { readonly url: string; readonly apiKey?: string | undefined }

export type StreamState = 'IDLE' | 'CONNECTING' | 'OPEN' | 'WAITING' | 'CLOSED'

// The service sends a heartbeat every 10 seconds.
const usualSilenceMaxMs = 25_000
/** Before what the service could not take is asked again. */
const refusedWaitMs = 1_000
const authId = 'auth'
const passing = new Set(['RATE_LIMITED', 'UNAVAILABLE'])

export class Stream {
  readonly #target: Target
  readonly #WebSocket: typeof WebSocket
  readonly #listeners = new Set<Listener>()
  readonly #asked = new Map<string, Listener>()
  readonly #watchers = new Set<(state: StreamState) => void>()
  readonly #serving: Serving
  #state: StreamState = 'IDLE'
  #connection: Connection | null = null
  #failures = 0
  #lastId = 0
  #timers = new Set<ReturnType<typeof setTimeout>>()

  constructor(target: Target) {
    this.#target = target
    this.#WebSocket = target.WebSocket ?? globalThis.WebSocket
    if (this.#WebSocket === undefined) {
      throw new Error('There is no WebSocket here; pass a class: client.stream({ WebSocket })')
    }
    this.#serving = {
      begin: (listener) => this.#begin(listener),
      hold: ({ part }) => this.#unsubscribe(part),
      leave: (listener) => this.#leave(listener),
    }
  }

  get state(): StreamState {
    return this.#state
  }

  onState(watcher: (state: StreamState) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Where it waits before the next connection, makes it at once: the network may be back. */
  retry(): void {
    if (this.#state !== 'WAITING') return
    this.#failures = 0
    this.#connect()
  }

  /** Every trade from now on; those during a break are not made up for. */
  trades(of: Of): Feed<TradeMessage> {
    return tradesOf(this.#serving, of)
  }

  /** The prices as they stand, then as they change; only the latest where several wait. */
  prices(of: Of): Feed<PriceMessage> {
    return pricesOf(this.#serving, of)
  }

  /** Every event after `since`, once, in order, with no gap; left out: from now on. */
  events({ since }: { readonly since?: number } = {}): Feed<Event> {
    if ([...this.#listeners].some(isPrivate)) {
      throw new Error('This stream has a feed of events already; open another stream.')
    }
    return eventsOf(this.#serving, since ?? null)
  }

  /** Keeps the book of an outcome as it is. */
  liveBook(marketId: string, outcomeId: string): LiveBook {
    return new LiveBook(this.#serving, { marketId, outcomeId })
  }

  /** For good. Feeds end; books stay as they are. */
  close(): void {
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    this.#stop('CLOSED')
    for (const listener of listeners) listener.end()
  }

  #begin(listener: Listener): void {
    if (this.#state === 'CLOSED') throw new Error('The stream is closed.')
    this.#listeners.add(listener)
    if (this.#state === 'OPEN') this.#subscribe(listener)
    else if (this.#state === 'IDLE') this.#connect()
  }

  #leave(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return
    // Whoever still needs a part of it keeps all of it.
    const { part } = listener
    if (this.#listeners.size === 0) this.#stop('IDLE')
    else if (![...this.#listeners].some((other) => overlaps(part, other.part))) {
      this.#unsubscribe(part)
    }
  }

  #connect(): void {
    const { url, silenceMaxMs = usualSilenceMaxMs } = this.#target
    this.#enter('CONNECTING')
    const connection: Connection = new Connection({
      url,
      silenceMaxMs,
      WebSocket: this.#WebSocket,
      onOpen: () => this.#opened(),
      onMessage: (message) => this.#hear(message),
      onEnd: () => this.#ended(connection),
    })
    this.#connection = connection
  }

  #opened(): void {
    this.#enter('OPEN')
    const { apiKey } = this.#target
    // Answers come in order, so nobody has to wait for this one.
    if (apiKey !== undefined) this.#connection?.send({ op: 'auth', id: authId, apiKey })
    for (const listener of this.#listeners) this.#subscribe(listener)
  }

  #ended(connection: Connection): void {
    if (this.#connection !== connection) return
    this.#connection = null
    this.#asked.clear()
    this.#failures += 1
    this.#enter('WAITING')
    this.#later(backoff(this.#failures), () => {
      if (this.#state === 'WAITING') this.#connect()
    })
    for (const listener of this.#listeners) listener.interrupted()
  }

  #stop(state: 'IDLE' | 'CLOSED'): void {
    const connection = this.#connection
    this.#connection = null
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#asked.clear()
    this.#failures = 0
    this.#enter(state)
    connection?.end()
  }

  #subscribe(listener: Listener): void {
    this.#lastId += 1
    const id = String(this.#lastId)
    this.#asked.set(id, listener)
    const since = listener.asked()
    this.#connection?.send({ op: 'subscribe', id, ...listener.part, since })
  }

  #unsubscribe(part: Part): void {
    if (this.#state === 'OPEN') this.#connection?.send({ op: 'unsubscribe', ...part })
  }

  #hear(message: Said): void {
    this.#failures = 0
    if (message.type === 'error') {
      this.#refused(message)
      return
    }
    if (message.type === 'subscribed') {
      const listener = this.#answered(message.id)
      if (listener !== undefined) this.#guarded(listener, () => listener.taken(message))
    }
    for (const listener of this.#listeners) listener.hear(message)
  }

  #refused({ id, error }: ErrorMessage): void {
    const isPassing = passing.has(error.code)
    if (id === authId) {
      if (isPassing) this.#connection?.end()
      else this.#failPrivate(new OutcryError(error))
      return
    }
    const listener = this.#answered(id)
    if (listener === undefined) return
    if (!isPassing) {
      this.#fail(listener, new OutcryError(error))
      return
    }
    this.#later(refusedWaitMs, () => {
      if (this.#listeners.has(listener) && this.#state === 'OPEN') this.#subscribe(listener)
    })
  }

  #answered(id: string | null): Listener | undefined {
    const listener = this.#asked.get(id ?? '')
    this.#asked.delete(id ?? '')
    return listener !== undefined && this.#listeners.has(listener) ? listener : undefined
  }

  #failPrivate(error: OutcryError): void {
    for (const listener of this.#listeners) {
      if (isPrivate(listener)) this.#fail(listener, error)
    }
  }

  #fail(listener: Listener, error: OutcryError): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.#stop('IDLE')
    listener.fail(error)
  }

  /** What a listener cannot go on with ends it alone. */
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

function isPrivate({ part }: Listener): boolean {
  return part.channels.includes('events')
}

function overlaps(part: Part, other: Part): boolean {
  if (!part.channels.some((channel) => other.channels.includes(channel))) return false
  const { marketIds } = other
  if (part.marketIds === undefined || marketIds === undefined) return true
  return part.marketIds.some((id) => marketIds.includes(id))
}
