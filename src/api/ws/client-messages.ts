// What clients may say. A message is held against the schema of its `op`; whatever is wrong with it
// is answered, and the connection goes on.

import { type Static, Type } from 'typebox'
import { invalidField, Refusal } from '../errors.ts'
import { Id, line, request, words } from '../schemas/fields.ts'
import { strictAjv } from '../validate/validation.ts'
import { messageOf } from '../validate/validation-message.ts'

export const publicChannels = ['orderbook', 'prices', 'trades'] as const
export const channels = [...publicChannels, 'events'] as const
export type PublicChannel = (typeof publicChannels)[number]

/** Of one message; what a connection may have in all is counted elsewhere. */
const idsMax = 200
const idLengthMax = 128
const keyLengthMax = 256

const MessageId = Type.Optional(
  Type.String({ ...line(1, idLengthMax), description: 'Comes back with the answer.' }),
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
    marketIds: ids(
      'Of which markets; required with a public channel. `events` are of all of them.',
    ),
    outcomeIds: ids('Only these outcomes of those markets; left out: all of them.'),
    since: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'With `events`: every stored event with a greater sequence comes first. Left out, or ' +
          'greater than any: only what happens from now on.',
      }),
    ),
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
    marketIds: ids('Only of these markets; left out: of all. `events` end for all of them.'),
    outcomeIds: ids('Only of these outcomes; left out: of all.'),
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
      description: 'A key with the scope `read`.',
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

export type Message = Subscribe | Unsubscribe | Auth | Ping

const schemas = { subscribe: Subscribe, unsubscribe: Unsubscribe, auth: Auth, ping: Ping }
type Op = keyof typeof schemas

/** In the order in which documents show them. */
export const messageSchemas = Object.values(schemas)

export type Parsed =
  | { readonly message: Message }
  /** `id` is the message's own, where it could be read. */
  | { readonly refusal: Refusal; readonly id: string | null }

const validators = {
  subscribe: strictAjv.compile<Subscribe>(schemas.subscribe),
  unsubscribe: strictAjv.compile<Unsubscribe>(schemas.unsubscribe),
  auth: strictAjv.compile<Auth>(schemas.auth),
  ping: strictAjv.compile<Ping>(schemas.ping),
}
const ops = Object.keys(schemas).join(', ')

export const notText: Parsed = {
  refusal: new Refusal('VALIDATION_ERROR', 'message: must be text, not binary'),
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
  const sentence = error === undefined ? 'message: is not valid' : messageOf(error, 'message')
  return { refusal: new Refusal('VALIDATION_ERROR', sentence), id }
}

/** Of a message that is not looked at any further; null where it cannot be read. */
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
