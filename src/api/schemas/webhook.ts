// Webhooks, and the events that webhooks and the event replay send.

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
  description: 'The event types to send; empty for all.',
})
const HttpsUrl = Type.String({ ...Url, description: 'An https URL.' })

export const Webhook = record('Webhook', {
  id: Id,
  operatorId: Id,
  url: Type.String(),
  secret: Type.String({ description: 'Complete only in the response that creates the webhook.' }),
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
  id: Type.String({
    format: 'uuid',
    description: 'The id of the delivery, which all its attempts share.',
  }),
  sequence: Type.Integer({ description: 'The sequence of the event; 0 for a test.' }),
  eventType: words([...eventTypes, 'PING']),
  attempt: Type.Integer({ minimum: 1, maximum: 3 }),
  status: Type.Unsafe<'DELIVERED' | 'RETRYING' | 'FAILED'>({
    type: 'string',
    enum: ['DELIVERED', 'RETRYING', 'FAILED'],
    description: 'RETRYING: another attempt follows. FAILED: no attempt follows.',
  }),
  httpStatus: nullable(Type.Integer({ description: 'null if no response was received.' })),
  error: nullable(Type.String({ description: 'null if the event was delivered.' })),
  durationMs: Type.Integer(),
  timestamp: Time,
})
export type WebhookAttempt = Static<typeof WebhookAttempt>

export const WebhookAttempts = record('WebhookAttempts', {
  deliveries: Type.Array(named(WebhookAttempt)),
})

export const Event = record('Event', {
  id: Id,
  sequence: Type.Integer({ description: 'Counts 1, 2, 3 ... per operator, without gaps.' }),
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
  earliestSequence: Type.Integer({ description: 'The sequence of the oldest stored event.' }),
})
export type EventPage = Static<typeof EventPage>

export const EventsQuery = Type.Object({
  since: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Returns events with a greater sequence.',
    }),
  ),
  eventType: Type.Optional(words(eventTypes)),
  marketId: Type.Optional(Id),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax, default: eventPageSize })),
})
export type EventsQuery = Static<typeof EventsQuery>
