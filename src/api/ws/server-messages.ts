// What the stream says: one schema for each type of message. The compiler holds what is sent
// against them, a test holds what really arrives.

import { type Static, Type } from 'typebox'
import { errorTable } from '../errors.ts'
import { Id, named, nullable, record, words } from '../schemas/fields.ts'
import { Level } from '../schemas/market-data.ts'
import { Event } from '../schemas/webhook.ts'
import { channels } from './client-messages.ts'

const Price = Type.Number({ description: 'In steps of 0.0001.' })
const PriceOrNull = nullable(Type.Number({ description: 'null where there is none.' }))
const MidPrice = nullable(Type.Number({ description: 'Between the two bests; null without both.' }))
const Spread = nullable(Type.Number({ description: 'Best ask less best bid; null without both.' }))
const Timestamp = Type.Integer({ description: 'Unix milliseconds.' })
const Version = Type.Integer({ description: 'One more with each change of this book.' })
const MessageId = nullable(Type.String({ description: "The message's own id, or null." }))
const Ids = Type.Array(Id)
const Channels = Type.Array(words(channels))

function kind<const Name extends string>(name: Name) {
  return Type.Literal(name, { description: `Always \`${name}\`.` })
}

function levels(description: string) {
  return Type.Array(named(Level), { description })
}

export const Subscribed = record('Subscribed', {
  type: kind('subscribed'),
  id: MessageId,
  channels: Channels,
  marketIds: Ids,
  outcomeIds: Type.Array(Id, { description: 'Every outcome that is now listened to by this.' }),
  earliestSequence: Type.Optional(
    Type.Integer({
      description:
        'With `since`: of the first event that is still kept. If it is greater than since + 1, ' +
        'the events in between are gone.',
    }),
  ),
})

export const Unsubscribed = record('Unsubscribed', {
  type: kind('unsubscribed'),
  id: MessageId,
  channels: Channels,
  marketIds: Ids,
  outcomeIds: Type.Array(Id, { description: 'Every outcome that is no longer listened to.' }),
})

export const Authenticated = record('Authenticated', {
  type: kind('authenticated'),
  id: MessageId,
  operatorId: Id,
})

export const Pong = record('Pong', { type: kind('pong'), id: MessageId, timestamp: Timestamp })

export const BookSnapshot = record('BookSnapshot', {
  type: kind('orderbook.snapshot'),
  marketId: Id,
  outcomeId: Id,
  version: Version,
  bids: levels('Best first; at most 1000.'),
  asks: levels('Best first; at most 1000.'),
  bestBid: PriceOrNull,
  bestAsk: PriceOrNull,
  spread: Spread,
  timestamp: Timestamp,
})

export const BookUpdate = record('BookUpdate', {
  type: kind('orderbook.update'),
  marketId: Id,
  outcomeId: Id,
  version: Version,
  bids: levels('Those that changed, as they are now; shares 0 where one is gone.'),
  asks: levels('Those that changed, as they are now; shares 0 where one is gone.'),
  bestBid: PriceOrNull,
  bestAsk: PriceOrNull,
  spread: Spread,
  timestamp: Timestamp,
})

export const PriceMessage = record('PriceMessage', {
  type: kind('price'),
  marketId: Id,
  outcomeId: Id,
  bestBid: PriceOrNull,
  bestAsk: PriceOrNull,
  lastPrice: PriceOrNull,
  midPrice: MidPrice,
  spread: Spread,
  timestamp: Timestamp,
})

export const TradeMessage = record('TradeMessage', {
  type: kind('trade'),
  marketId: Id,
  outcomeId: Id,
  price: Price,
  shares: Type.Number({ description: 'In steps of 0.01.' }),
  takerSide: words(['BUY', 'SELL']),
  timestamp: Timestamp,
})

export const EventMessage = record('EventMessage', { type: kind('event'), event: named(Event) })

export const Heartbeat = record('Heartbeat', {
  type: kind('heartbeat'),
  timestamp: Timestamp,
  books: Type.Array(Type.Object({ outcomeId: Id, version: Version }), {
    description: 'The version that each book subscribed to has now.',
  }),
})

export const ErrorMessage = record('ErrorMessage', {
  type: kind('error'),
  id: MessageId,
  error: Type.Object({
    code: words(Object.keys(errorTable)),
    message: Type.String({ description: 'For people.' }),
  }),
})

/** In the order in which documents show them. */
export const serverMessageSchemas = [
  Subscribed,
  BookSnapshot,
  BookUpdate,
  PriceMessage,
  TradeMessage,
  Authenticated,
  EventMessage,
  Heartbeat,
  Unsubscribed,
  Pong,
  ErrorMessage,
]

export type Message = Static<(typeof serverMessageSchemas)[number]>
