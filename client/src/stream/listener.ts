// The interface between the stream and its listeners.

import type { OutcryError } from '../errors.ts'
import type { EventStart } from '../event-position.ts'
import type { ServerMessage, Subscribe, Subscribed } from '../generated/wire.ts'

export type SubscriptionFilter = Pick<Subscribe, 'channels' | 'marketIds' | 'outcomeIds'>

export type Listener = {
  readonly filter: SubscriptionFilter
  /** A subscription is about to be sent; returns from where, if from anywhere. */
  subscribing(): EventStart | undefined
  /** The service has accepted the subscription. */
  subscribed(answer: Subscribed): void
  /** Every message of the stream, in order; a listener ignores those of others. */
  receive(message: ServerMessage): void
  /** The connection is lost; the stream will subscribe again. */
  disconnected(): void
  /** The listener gets no more messages. */
  fail(error: OutcryError): void
  /** The stream was closed. */
  end(): void
  /** The signal of the stream was aborted. */
  abort(reason: unknown): void
}

/** The operations of a stream that a listener uses. */
export type StreamControl = {
  /** Subscribes, or renews the subscription. */
  subscribe(listener: Listener): void
  /** Ends the subscription but keeps the listener. */
  pause(listener: Listener): void
  /** Ends the subscription and forgets the listener. */
  remove(listener: Listener): void
}
