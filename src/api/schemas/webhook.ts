// Webhooks, and the events that webhooks and the event replay send.

import { type Static, Type } from 'typebox'
import { eventTypes } from '../../core/words.ts'
import {
  type RetrySchedule,
  retrySchedules,
  type WebhookFormat,
  webhookFormats,
} from '../../store/store.ts'
import {
  Cursor,
  Description,
  Id,
  limitOf,
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
export const attemptsPageSize = 100

const EventTypes = Type.Array(words(eventTypes), {
  maxItems: eventTypes.length,
  uniqueItems: true,
  description: 'The event types to send; empty for all.',
})
const Retries = Type.Unsafe<RetrySchedule>({
  type: 'string',
  enum: [...retrySchedules],
  description:
    'STANDARD, the default: 3 attempts within 35 seconds. LONG: 7 in about 18 hours, and 410 ' +
    'makes the webhook inactive.',
})
const Format = Type.Unsafe<WebhookFormat>({
  type: 'string',
  enum: [...webhookFormats],
  description: 'The form of the body; OUTCRY is the default.',
})
const HttpsUrl = Type.String({ ...Url, description: 'An https URL.' })

const webhookFields = {
  id: Id,
  operatorId: Id,
  url: Type.String(),
  secret: Type.String({ description: 'Complete only in the response that creates or rotates it.' }),
  previousSecretExpiresAt: nullable(
    Type.String({
      ...Time,
      description: 'Until when deliveries are signed with the previous secret, too.',
    }),
  ),
  events: Type.Array(words(eventTypes)),
  isActive: Type.Boolean(),
  retrySchedule: words(retrySchedules),
  format: words(webhookFormats),
  health: nullable(
    Type.Object(
      {
        attempts: Type.Integer(),
        delivered: Type.Integer(),
        successRate: nullable(Type.Number({ description: '0 to 1; null without attempts.' })),
      },
      { description: 'The attempts of the last hour, tests included; null if it is not known.' },
    ),
  ),
  description: nullable(Type.String()),
  createdAt: Time,
  updatedAt: Time,
}
export const Webhook = record('Webhook', webhookFields)
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = record('WebhookWithSecret', {
  ...webhookFields,
  signingSecret: Type.String({
    description: 'The same secret, as the libraries for Standard Webhooks take it.',
  }),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const CreateWebhook = request(
  'CreateWebhook',
  {
    url: HttpsUrl,
    events: Type.Optional(EventTypes),
    retrySchedule: Type.Optional(Retries),
    format: Type.Optional(Format),
    description: Type.Optional(nullable(Description)),
  },
  { example: { url: 'https://example.com/outcry', events: ['ORDER_MATCHED'] } },
)

export const EditWebhook = request(
  'EditWebhook',
  {
    url: Type.Optional(HttpsUrl),
    events: Type.Optional(EventTypes),
    retrySchedule: Type.Optional(Retries),
    format: Type.Optional(Format),
    isActive: Type.Optional(Type.Boolean()),
    description: Type.Optional(nullable(Description)),
  },
  { example: { isActive: false } },
)

const overlapHoursMax = 168
export const overlapHoursDefault = 24

export const RotateSecret = request(
  'RotateSecret',
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: overlapHoursMax,
        default: overlapHoursDefault,
        description: 'For so long deliveries are signed with the old secret, too.',
      }),
    ),
  },
  { example: { overlapHours: 24 } },
)

const Sequence = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const Redeliver = request(
  'RedeliverWebhook',
  {
    fromSequence: Type.Optional(
      Type.Integer({ ...Sequence, description: 'The first event; with toSequence.' }),
    ),
    toSequence: Type.Optional(Sequence),
    failed: Type.Optional(
      Type.Literal(true, { description: 'Every delivery that has failed, instead of a range.' }),
    ),
  },
  { example: { fromSequence: 1_000, toSequence: 1_099 } },
)

export const Redelivery = record('WebhookRedelivery', {
  queued: Type.Integer({ description: 'How many deliveries are attempted once more.' }),
  unreadable: Type.Integer({
    description: 'How many events are left out, because their stored record is damaged.',
  }),
})

export const WebhookAttempt = record('WebhookAttempt', {
  id: Type.String({
    format: 'uuid',
    description: 'The id of the delivery, which all its attempts share.',
  }),
  sequence: Type.Integer({ description: 'The sequence of the event; 0 for a test.' }),
  eventType: words([...eventTypes, 'PING']),
  attempt: Type.Integer({ minimum: 1 }),
  isRedelivery: Type.Boolean({ description: 'Whether it was made because of a request.' }),
  status: Type.Unsafe<'DELIVERED' | 'RETRYING' | 'FAILED'>({
    type: 'string',
    enum: ['DELIVERED', 'RETRYING', 'FAILED'],
    description: 'RETRYING: another attempt follows. FAILED: no attempt follows.',
  }),
  delivered: Type.Boolean({ description: 'Whether this attempt has delivered the event.' }),
  httpStatus: nullable(Type.Integer({ description: 'null if no response was received.' })),
  error: nullable(Type.String({ description: 'null if the event was delivered.' })),
  response: nullable(
    Type.String({ description: 'The first 256 bytes of the response; null if there was none.' }),
  ),
  nextAttemptAt: nullable(
    Type.String({ ...Time, description: 'When the next attempt is due, if one follows.' }),
  ),
  durationMs: Type.Integer(),
  timestamp: Time,
})
export type WebhookAttempt = Static<typeof WebhookAttempt>

export const WebhookAttempts = record('WebhookAttempts', {
  deliveries: Type.Array(named(WebhookAttempt)),
  hasMore: Type.Boolean(),
  nextCursor: nullable(Type.String()),
})

export const AttemptsQuery = Type.Object({ limit: limitOf(attemptsPageSize), cursor: Cursor })

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

export const LatestSequence = Type.Integer({
  description: "The sequence of the operator's latest event, of any type or market; 0 before it.",
})

const aboutHistory =
  'The history of the database. A restore changes it; restarts and failovers do not. Store it ' +
  'with the sequence, and send both.'

export function historyId(when = '') {
  return Type.String({ format: 'uuid', description: `${when}${aboutHistory}` })
}

export const EventPage = record('EventPage', {
  events: Type.Array(named(Event)),
  hasMore: Type.Boolean(),
  lastSequence: Type.Integer({ description: 'Pass it as since to get the next page.' }),
  earliestSequence: Type.Integer({ description: 'The sequence of the oldest stored event.' }),
  latestSequence: LatestSequence,
  historyId: historyId(),
})
export type EventPage = Static<typeof EventPage>

export const KnownHistoryId = Type.String({
  format: 'uuid',
  description:
    'The historyId of an earlier answer. If the database has another one, or since is greater ' +
    'than the latest sequence, the request is rejected with EVENTS_REWOUND.',
})

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
  historyId: Type.Optional(KnownHistoryId),
})
export type EventsQuery = Static<typeof EventsQuery>
