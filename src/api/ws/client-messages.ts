// The messages that clients may send. A message is validated against the schema of its `op`; an
// invalid message is answered with an error, and the connection stays open.

import { type Static, Type } from 'typebox'
import { invalidField, invalidFields, type Refusal } from '../errors.ts'
import { ArmDeadManBody } from '../schemas/dead-man.ts'
import { Id, line, request, words } from '../schemas/fields.ts'
import { KnownHistoryId } from '../schemas/webhook.ts'
import { strictAjv } from '../validate/validation.ts'
import { faultOf } from '../validate/validation-message.ts'

export const publicChannels = ['orderbook', 'prices', 'trades'] as const
export const channels = [...publicChannels, 'events'] as const
export type PublicChannel = (typeof publicChannels)[number]

/** In one message; subscriptions.ts limits the total of a connection. */
const idsMax = 200
const idLengthMax = 128
const keyLengthMax = 256

const MessageId = Type.Optional(
  Type.String({
    ...line(1, idLengthMax),
    description: 'Returned in the response to this message.',
  }),
)
const Channels = Type.Array(words(channels), {
  minItems: 1,
  maxItems: channels.length,
  uniqueItems: true,
  description: '`orderbook`, `prices` and `trades` are public; `events` needs a key.',
})

function ids(description: string) {
  return Type.Optional(
    Type.Array(Id, { minItems: 1, maxItems: idsMax, uniqueItems: true, description }),
  )
}

const exampleMarket = '0199a8a2-7c00-7000-8d3c-1f0a5b2e9c41'

export const Subscribe = request(
  'Subscribe',
  {
    op: Type.Literal('subscribe', { description: 'Always `subscribe`.' }),
    id: MessageId,
    channels: Channels,
    marketIds: ids('Required with a public channel; `events` always covers all markets.'),
    outcomeIds: ids('Only these outcomes of the markets; all outcomes if omitted.'),
    since: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'With `events`: all stored events with a greater sequence are sent first. If omitted, ' +
          'or greater than the last sequence, only new events are sent.',
      }),
    ),
    historyId: Type.Optional(KnownHistoryId),
  },
  { example: { op: 'subscribe', id: '1', channels: ['orderbook'], marketIds: [exampleMarket] } },
)
export type Subscribe = Static<typeof Subscribe>

export const Unsubscribe = request(
  'Unsubscribe',
  {
    op: Type.Literal('unsubscribe', { description: 'Always `unsubscribe`.' }),
    id: MessageId,
    channels: Channels,
    marketIds: ids(
      'Only these markets; all markets if omitted. `events` always ends for all markets.',
    ),
    outcomeIds: ids('Only these outcomes; all outcomes if omitted.'),
  },
  { example: { op: 'unsubscribe', id: '2', channels: ['trades'] } },
)
export type Unsubscribe = Static<typeof Unsubscribe>

export const Auth = request(
  'Auth',
  {
    op: Type.Literal('auth', { description: 'Always `auth`.' }),
    id: MessageId,
    apiKey: Type.String({
      minLength: 1,
      maxLength: keyLengthMax,
      description: 'An API key with the scope `read`.',
    }),
  },
  { example: { op: 'auth', id: '3', apiKey: 'oc_live_...' } },
)
export type Auth = Static<typeof Auth>

export const Ping = request(
  'Ping',
  { op: Type.Literal('ping', { description: 'Always `ping`.' }), id: MessageId },
  { example: { op: 'ping', id: '4' } },
)
export type Ping = Static<typeof Ping>

export const ArmDeadMan = request(
  'DeadManOp',
  {
    op: Type.Literal('deadMan', { description: 'Always `deadMan`.' }),
    id: MessageId,
    ...ArmDeadManBody.properties,
  },
  { example: { op: 'deadMan', id: '5', timeoutMs: 10_000 } },
)
export type ArmDeadMan = Static<typeof ArmDeadMan>

export type Message = Subscribe | Unsubscribe | Auth | Ping | ArmDeadMan

const schemas = {
  subscribe: Subscribe,
  unsubscribe: Unsubscribe,
  auth: Auth,
  deadMan: ArmDeadMan,
  ping: Ping,
}
type Op = keyof typeof schemas

/** In the order in which documents show them. */
export const messageSchemas = Object.values(schemas)

export type Parsed =
  | { readonly message: Message }
  /** `id` is the id of the message, null if it could not be read. */
  | { readonly refusal: Refusal; readonly id: string | null }

const validators = {
  subscribe: strictAjv.compile<Subscribe>(schemas.subscribe),
  unsubscribe: strictAjv.compile<Unsubscribe>(schemas.unsubscribe),
  auth: strictAjv.compile<Auth>(schemas.auth),
  deadMan: strictAjv.compile<ArmDeadMan>(schemas.deadMan),
  ping: strictAjv.compile<Ping>(schemas.ping),
}
const ops = Object.keys(schemas).join(', ')

export const notText: Parsed = {
  refusal: invalidField('message', 'must be text, not binary'),
  id: null,
}

export function parseMessage(text: string): Parsed {
  const value = parsedJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { refusal: invalidField('message', 'must be a JSON object'), id: null }
  }
  const id = idIn(value)
  const op = 'op' in value ? value.op : undefined
  if (!isOp(op)) return { refusal: invalidField('op', `must be one of ${ops}`), id }
  const validate = validators[op]
  if (validate(value)) return { message: value }
  const [error] = validate.errors ?? []
  const root = 'message'
  const fault =
    error === undefined ? { field: root, message: 'is not valid' } : faultOf(error, root)
  return { refusal: invalidFields([fault]), id }
}

/** The id of a message that is not parsed any further; null if it cannot be read. */
export function messageIdOf(text: string): string | null {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null ? idIn(value) : null
}

function idIn(value: object): string | null {
  return 'id' in value && isId(value.id) ? value.id : null
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= idLengthMax
}

function isOp(value: unknown): value is Op {
  return typeof value === 'string' && Object.hasOwn(schemas, value)
}
