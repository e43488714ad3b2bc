// Webhooks, and the events that they and the replay carry.

import { type Static, Type } from 'typebox'
import { eventTypes } from '../../core/words.ts'
import {
  Description,
  Id,
  named,
  nullable,
  pageMax,
  record,
  request,
  Time,
  Url,
  words,
} from './fields.ts'

export const eventPageSize = 100

const EventTypes = Type.Array(words(eventTypes), {
  maxItems: eventTypes.length,
  uniqueItems: true,
  description: 'Empty: all of them.',
})
const HttpsUrl = Type.String({ ...Url, description: 'An https address.' })

export const Webhook = record('Webhook', {
  id: Id,
  operatorId: Id,
  url: Type.String(),
  secret: Type.String({ description: 'Whole in the answer to its creation only.' }),
  events: Type.Array(words(eventTypes)),
  isActive: Type.Boolean(),
  description: nullable(Type.String()),
  createdAt: Time,
  updatedAt: Time,
})

export const CreateWebhook = request(
  'CreateWebhook',
  {
    url: HttpsUrl,
    events: Type.Optional(EventTypes),
    description: Type.Optional(nullable(Description)),
  },
  { example: { url: 'https://example.com/outcry', events: ['ORDER_MATCHED'] } },
)

export const EditWebhook = request(
  'EditWebhook',
  {
    url: Type.Optional(HttpsUrl),
    events: Type.Optional(EventTypes),
    isActive: Type.Optional(Type.Boolean()),
    description: Type.Optional(nullable(Description)),
  },
  { example: { isActive: false } },
)

export const WebhookAttempt = record('WebhookAttempt', {
  id: Type.String({ format: 'uuid', description: 'Of the delivery: all its attempts share it.' }),
  sequence: Type.Integer({ description: 'Of the event; 0 for a test.' }),
  eventType: words([...eventTypes, 'PING']),
  attempt: Type.Integer({ minimum: 1, maximum: 3 }),
  status: Type.Unsafe<'DELIVERED' | 'RETRYING' | 'FAILED'>({
    type: 'string',
    enum: ['DELIVERED', 'RETRYING', 'FAILED'],
    description: 'RETRYING: another attempt follows. FAILED: none does.',
  }),
  httpStatus: nullable(Type.Integer({ description: 'null where no answer came.' })),
  error: nullable(Type.String({ description: 'null exactly where it was delivered.' })),
  durationMs: Type.Integer(),
  timestamp: Time,
})
export type WebhookAttempt = Static<typeof WebhookAttempt>

export const WebhookAttempts = record('WebhookAttempts', {
  deliveries: Type.Array(named(WebhookAttempt)),
})

export const Event = record('Event', {
  id: Id,
  sequence: Type.Integer({ description: 'Counts 1, 2, 3 ... for each operator, with no gap.' }),
  operatorId: Id,
  eventType: words(eventTypes),
  marketId: nullable(Id),
  payload: Type.Object({}, { additionalProperties: true }),
  createdAt: Time,
  expiresAt: Time,
})
export type Event = Static<typeof Event>

export const EventPage = record('EventPage', {
  events: Type.Array(named(Event)),
  hasMore: Type.Boolean(),
  lastSequence: Type.Integer({ description: 'Pass it as since to get the next page.' }),
  earliestSequence: Type.Integer({ description: 'Of the first event that is still kept.' }),
})
export type EventPage = Static<typeof EventPage>

export const EventsQuery = Type.Object({
  since: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Events with a greater sequence.',
    }),
  ),
  eventType: Type.Optional(words(eventTypes)),
  marketId: Type.Optional(Id),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax, default: eventPageSize })),
})
export type EventsQuery = Static<typeof EventsQuery>
