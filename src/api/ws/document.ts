// The AsyncAPI document of the stream, made from the schemas that messages are validated against.

import { eventTypes } from '../../core/words.ts'
import { streamPath } from '../http/stream-path.ts'
import { payloads } from '../schemas/event-payload.ts'
import { words } from '../schemas/fields.ts'
import { Level } from '../schemas/market-data.ts'
import { Event } from '../schemas/webhook.ts'
import { messageSchemas } from './client-messages.ts'
import { serverMessageSchemas } from './server-messages.ts'

type Schema = { readonly $id: string; readonly properties: object }

const description = `Messages are JSON in both directions. The public channels (orderbook, prices,
trades) need no key. The channel events needs a key with the scope read, in the header X-Api-Key of
the upgrade request or in a message {"op":"auth"}.`

export function streamDocument(version: string) {
  const received = messageSchemas.map(({ $id }) => $id)
  const sent = serverMessageSchemas.map(({ $id }) => $id)
  return {
    asyncapi: '3.0.0',
    info: { title: 'Outcry stream', version, description },
    defaultContentType: 'application/json',
    servers: {
      here: {
        host: '{host}:{port}',
        protocol: 'ws',
        variables: { host: { default: 'localhost' }, port: { default: '8084' } },
      },
    },
    channels: {
      stream: {
        address: streamPath,
        messages: Object.fromEntries(
          [...received, ...sent].map((name) => [name, refTo('messages', name)]),
        ),
      },
    },
    operations: {
      hear: operation('receive', 'Messages that a client may send.', received),
      say: operation('send', 'Messages that the stream sends.', sent),
    },
    components: {
      securitySchemes: {
        ApiKey: { type: 'httpApiKey', in: 'header', name: 'X-Api-Key' },
      },
      messages: Object.fromEntries(
        [...received, ...sent].map((name) => [name, { name, payload: refTo('schemas', name) }]),
      ),
      schemas: schemasOf(),
    },
  }
}

function operation(action: 'send' | 'receive', summary: string, names: readonly string[]) {
  const messages = names.map((name) => ({ $ref: `#/channels/stream/messages/${name}` }))
  return { action, channel: { $ref: '#/channels/stream' }, summary, messages }
}

function schemasOf(): Record<string, unknown> {
  const all: Schema[] = [...messageSchemas, ...serverMessageSchemas, Level]
  const schemas: Record<string, unknown> = {}
  for (const schema of all) schemas[schema.$id] = localised(schema)
  for (const [type, schema] of Object.entries(payloads)) schemas[type] = localised(schema)
  schemas.Event = localised(eventSchema())
  return schemas
}

// The schema of the replay allows any payload; here each event type has its own.
function eventSchema() {
  const forms = eventTypes.map((type) => ({
    properties: { eventType: words([type]), payload: refTo('schemas', type) },
  }))
  return { ...Event, oneOf: forms }
}

function refTo(part: 'messages' | 'schemas', name: string) {
  return { $ref: `#/components/${part}/${name}` }
}

// Schemas refer to each other by id; the document refers to its components.
function localised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(localised)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).filter(([name]) => name !== '$id')
  return Object.fromEntries(
    parts.map(([name, part]) => [
      name,
      name === '$ref' && typeof part === 'string' && part.endsWith('#')
        ? `#/components/schemas/${part.slice(0, -1)}`
        : localised(part),
    ]),
  )
}
