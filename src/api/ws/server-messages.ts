// The messages that the stream sends: one schema per type. The compiler checks what is sent against
// them, and a test checks what arrives.

import { type Static, Type } from 'typebox'
import { errorTable } from '../errors.ts'
import { DeadMan } from '../schemas/dead-man.ts'
import { Id, named, nullable, record, words } from '../schemas/fields.ts'
import { Level } from '../schemas/market-data.ts'
import { Event, historyId } from '../schemas/webhook.ts'
import { channels } from './client-messages.ts'

const Price = Type.Number({ description: 'A multiple of 0.0001.' })
const PriceOrNull = nullable(Type.Number({ description: 'null if there is none.' }))
const MidPrice = nullable(
  Type.Number({
    description: 'The midpoint of the best bid and the best ask; null unless both exist.',
  }),
)
const Spread = nullable(
  Type.Number({ description: 'The best ask minus the best bid; null unless both exist.' }),
)
const Timestamp = Type.Integer({ description: 'Unix milliseconds.' })
const Version = Type.Integer({ description: 'Increases by 1 with each change of this book.' })
const MessageId = nullable(
  Type.String({ description: 'The id of the message that is answered; null if it had none.' }),
)
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
  outcomeIds: Type.Array(Id, { description: 'All outcomes of this subscription.' }),
  earliestSequence: Type.Optional(
    Type.Integer({
      description:
        'With `since`: the sequence of the oldest stored event. If it is greater than since + 1, ' +
        'the events in between are no longer stored.',
    }),
  ),
  latestSequence: Type.Optional(
    Type.Integer({
      description:
        "With `events`: the sequence of the operator's latest event. Without `since`, the events " +
        'after it are sent.',
    }),
  ),
  historyId: Type.Optional(historyId('With `events`. ')),
})

export const Unsubscribed = record('Unsubscribed', {
  type: kind('unsubscribed'),
  id: MessageId,
  channels: Channels,
  marketIds: Ids,
  outcomeIds: Type.Array(Id, { description: 'All outcomes whose subscription ended.' }),
})

export const Authenticated = record('Authenticated', {
  type: kind('authenticated'),
  id: MessageId,
  operatorId: Id,
})

export const DeadManAnswer = record('DeadManAnswer', {
  type: kind('deadMan'),
  id: MessageId,
  ...DeadMan.properties,
})

export const Pong = record('Pong', { type: kind('pong'), id: MessageId, timestamp: Timestamp })

export const BookSnapshot = record('BookSnapshot', {
  type: kind('orderbook.snapshot'),
  marketId: Id,
  outcomeId: Id,
  version: Version,
  bids: levels('Best price first; at most 1000.'),
  asks: levels('Best price first; at most 1000.'),
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
  bids: levels(
    'The levels that changed, with their new values; shares is 0 if a level was removed.',
  ),
  asks: levels(
    'The levels that changed, with their new values; shares is 0 if a level was removed.',
  ),
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
  shares: Type.Number({ description: 'A multiple of 0.01.' }),
  takerSide: words(['BUY', 'SELL']),
  timestamp: Timestamp,
})

export const EventMessage = record('EventMessage', { type: kind('event'), event: named(Event) })

export const Heartbeat = record('Heartbeat', {
  type: kind('heartbeat'),
  timestamp: Timestamp,
  books: Type.Array(Type.Object({ outcomeId: Id, version: Version }), {
    description: 'The current version of each subscribed book.',
  }),
})

export const ErrorMessage = record('ErrorMessage', {
  type: kind('error'),
  id: MessageId,
  error: Type.Object({
    code: words(Object.keys(errorTable)),
    message: Type.String({ description: 'A description for humans.' }),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
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
  DeadManAnswer,
  EventMessage,
  Heartbeat,
  Unsubscribed,
  Pong,
  ErrorMessage,
]

export type Message = Static<(typeof serverMessageSchemas)[number]>
