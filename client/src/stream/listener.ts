// What the stream serves: whoever listens to a part of it.

import type { OutcryError } from '../errors.ts'
import type { Said, Subscribe, Subscribed } from '../generated/wire.ts'

/** What is listened to. */
export type Part = Pick<Subscribe, 'channels' | 'marketIds' | 'outcomeIds'>

export type Listener = {
  readonly part: Part
  /** It is now asked for; answers with the sequence after which events are wanted, if any. */
  asked(): number | undefined
  /** The service has taken what was asked. */
  taken(answer: Subscribed): void
  /** Everything that is said, in order; most of it is for others. */
  hear(message: Said): void
  /** The connection is gone; it will be asked again. */
  interrupted(): void
  /** It will never be served, or not any more. */
  fail(error: OutcryError): void
  /** The stream was closed. */
  end(): void
}

/** What a listener asks of its stream. */
export type Serving = {
  /** Subscribes to its part, for the first time or anew. */
  begin(listener: Listener): void
  /** Sends nothing more of it, but goes on serving it. */
  hold(listener: Listener): void
  /** Ends its service. */
  leave(listener: Listener): void
}
