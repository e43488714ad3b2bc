// Feeds of trades and prices. Every trade is delivered; of prices that are not read in time, only
// the latest of each outcome is kept.

import { OutcryError } from '../errors.ts'
import type { PriceMessage, ServerMessage, TradeMessage } from '../generated/wire.ts'
import { Feed } from './feed.ts'
import { ItemQueue } from './item-queue.ts'
import type { Listener, StreamControl, SubscriptionFilter } from './listener.ts'

export type MarketFilter = {
  readonly marketIds: readonly string[]
  /** Default: all outcomes of these markets. */
  readonly outcomeIds?: readonly string[]
}

const tradesUnreadMax = 10_000

export type FeedOptions = {
  /** Ends the feed; its loop then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

export function tradesOf(
  stream: StreamControl,
  filter: MarketFilter,
  options: FeedOptions,
): Feed<TradeMessage> {
  const queue = new ItemQueue<TradeMessage>()
  const listener = listenerOf(queue, { channels: ['trades'], ...filter }, (message) => {
    if (message.type !== 'trade' || !matches(filter, message)) return
    queue.put(message)
    if (queue.size <= tradesUnreadMax) return
    queue.fail(tooSlow())
    stream.remove(listener)
  })
  return feedOf({ stream, listener, queue, ...options })
}

export function pricesOf(
  stream: StreamControl,
  filter: MarketFilter,
  options: FeedOptions,
): Feed<PriceMessage> {
  const queue = new ItemQueue<PriceMessage>()
  const listener = listenerOf(queue, { channels: ['prices'], ...filter }, (message) => {
    if (message.type === 'price' && matches(filter, message)) queue.put(message, message.outcomeId)
  })
  return feedOf({ stream, listener, queue, ...options })
}

function listenerOf<Item>(
  queue: ItemQueue<Item>,
  filter: SubscriptionFilter,
  receive: (message: ServerMessage) => void,
): Listener {
  return {
    filter,
    subscribing: () => undefined,
    subscribed: () => undefined,
    receive,
    disconnected: () => undefined,
    fail: (error) => queue.fail(error),
    end: () => queue.end(),
    abort: (reason) => queue.abort(reason),
  }
}

type FeedParts<Item> = FeedOptions & {
  readonly stream: StreamControl
  readonly listener: Listener
  readonly queue: ItemQueue<Item>
}

function feedOf<Item>({ stream, listener, queue, signal }: FeedParts<Item>): Feed<Item> {
  signal?.throwIfAborted()
  stream.subscribe(listener)
  return new Feed(queue, () => stream.remove(listener), signal)
}

function tooSlow(): OutcryError {
  const message = `More than ${tradesUnreadMax} trades are unread.`
  return new OutcryError({ code: 'TOO_SLOW', message })
}

function matches(
  { marketIds, outcomeIds }: MarketFilter,
  message: { readonly marketId: string; readonly outcomeId: string },
): boolean {
  if (!marketIds.includes(message.marketId)) return false
  return outcomeIds === undefined || outcomeIds.includes(message.outcomeId)
}
