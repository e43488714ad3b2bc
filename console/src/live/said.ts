// What the stream says, as far as the console listens.

import type { Level, Prices, StoredEvent, TapeTrade } from '../wire.ts'

export type BookMessage = {
  readonly type: 'orderbook.snapshot' | 'orderbook.update'
  readonly marketId: string
  readonly outcomeId: string
  readonly version: number
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}
export type PriceMessage = Prices & { readonly type: 'price' }
export type TradeMessage = TapeTrade & {
  readonly type: 'trade'
  readonly marketId: string
  readonly outcomeId: string
}
export type EventMessage = { readonly type: 'event'; readonly event: StoredEvent }
export type Heartbeat = {
  readonly type: 'heartbeat'
  readonly books: readonly { readonly outcomeId: string; readonly version: number }[]
}
type Answer = { readonly type: 'authenticated' | 'subscribed' | 'unsubscribed' | 'pong' }
type Failure = {
  readonly type: 'error'
  readonly id: string | null
  readonly error: { readonly code: string; readonly message: string }
}

export type Said =
  | BookMessage
  | PriceMessage
  | TradeMessage
  | EventMessage
  | Heartbeat
  | Answer
  | Failure
