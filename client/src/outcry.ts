// The public exports of the package.

import type { ClientMessage, ServerMessage } from './generated/wire.ts'
import type { MarketFilter } from './stream/channel-feed.ts'

export { type Answer, answerOf } from './answer.ts'
export { type ClientOptions, OutcryClient } from './client.ts'
export {
  type ClientCode,
  type ErrorDetails,
  isOutcryError,
  OutcryError,
  type OutcryErrorCode,
} from './errors.ts'
export {
  type EventPosition,
  type EventStart,
  type EventsRewound,
  isEventsRewound,
} from './event-position.ts'
export type * from './generated/wire.ts'
export type { KeepAliveOptions } from './routes/dead-man.ts'
export type { EventReplay } from './routes/events.ts'
export {
  type Delivery,
  type HeadersLike,
  readDelivery,
  type VerifyOptions,
  verifySignature,
} from './signature.ts'
export type { FeedOptions, MarketFilter } from './stream/channel-feed.ts'
export type { WebSocketClass, WebSocketLike } from './stream/connection.ts'
export type { EventFeed } from './stream/event-feed.ts'
export type { Feed } from './stream/feed.ts'
export type { LiveBook } from './stream/live-book.ts'
export { Stream, type StreamOptions, type StreamState } from './stream/stream.ts'
export { newTransactionId } from './transaction-id.ts'
export type { CallOptions } from './transport.ts'

/** @deprecated Use ClientMessage. */
export type Heard = ClientMessage
/** @deprecated Use ServerMessage. */
export type Said = ServerMessage
/** @deprecated Use MarketFilter. */
export type Of = MarketFilter
