// All that the package gives to those who import it.

export { type ClientOptions, OutcryClient } from './client.ts'
export {
  type ClientCode,
  type ErrorDetails,
  isOutcryError,
  OutcryError,
  type OutcryErrorCode,
} from './errors.ts'
export type * from './generated/wire.ts'
export {
  type Delivery,
  type HeadersLike,
  readDelivery,
  type VerifyOptions,
  verifySignature,
} from './signature.ts'
export type { Of } from './stream/channel-feed.ts'
export type { Feed } from './stream/feed.ts'
export type { LiveBook } from './stream/live-book.ts'
export { Stream, type StreamOptions, type StreamState } from './stream/stream.ts'
export { newTransactionId } from './transaction-id.ts'
export type { CallOptions } from './transport.ts'
