// One event for one webhook: the body, and the headers of an attempt.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Event } from '../../core/events/events.ts'
import type { AttemptRow, WebhookFormat } from '../../store/store.ts'
import { signatureOf, standardSignatureOf } from './sign.ts'

/** The eventType of a test delivery; no event has it. */
const pingType = 'PING' as const
export type DeliveredType = AttemptRow['eventType']

export type Delivery = {
  readonly id: string
  readonly sequence: number
  readonly eventType: DeliveredType
  /** Logical time. */
  readonly createdAt: number
  readonly contentType: string
  /** The same bytes in every attempt. */
  readonly body: Uint8Array
}

type Message = Pick<Event, 'sequence' | 'operatorId' | 'createdAt'> & {
  readonly id: string
  readonly marketId: string | null
  readonly eventType: DeliveredType
  readonly payload: object
}

export function deliveryOf(
  webhookId: string,
  event: Event,
  format: WebhookFormat = 'OUTCRY',
): Delivery {
  return made({ ...event, id: deliveryId(webhookId, event.sequence) }, format)
}

/** A test delivery: about no market, with a sequence that no event has. */
export function pingOf(
  operatorId: string,
  createdAt: number,
  format: WebhookFormat = 'OUTCRY',
): Delivery {
  const about = { id: randomUUID(), sequence: 0, eventType: pingType, marketId: null }
  return made({ ...about, operatorId, createdAt, payload: {} }, format)
}

function made(message: Message, format: WebhookFormat): Delivery {
  const { id, sequence, eventType, createdAt } = message
  const { contentType, bodyOf } = formats[format]
  const body = Buffer.from(JSON.stringify(bodyOf(message)))
  return { id, sequence, eventType, createdAt, contentType, body }
}

const sequenceDigits = 16

const formats: Readonly<
  Record<WebhookFormat, { contentType: string; bodyOf: (message: Message) => object }>
> = {
  OUTCRY: {
    contentType: 'application/json',
    bodyOf: ({ id, sequence, eventType, marketId, operatorId, payload, createdAt }) => {
      const timestamp = new Date(createdAt).toISOString()
      return { id, sequence, eventType, marketId, operatorId, payload, timestamp }
    },
  },
  // CloudEvents 1.0.2 in structured mode; an attribute must not be null.
  CLOUDEVENTS: {
    contentType: 'application/cloudevents+json',
    bodyOf: ({ id, sequence, eventType, marketId, operatorId, payload, createdAt }) => ({
      specversion: '1.0',
      id,
      source: `/operators/${operatorId}`,
      type: `outcry.${eventType.toLowerCase()}.v1`,
      ...(marketId === null ? {} : { subject: marketId }),
      time: new Date(createdAt).toISOString(),
      datacontenttype: 'application/json',
      sequence: String(sequence).padStart(sequenceDigits, '0'),
      data: payload,
    }),
  },
}

/**
 * A version 5 UUID with the webhook as its namespace and the sequence as its name: the same in
 * every attempt, also after a restart, without being stored.
 */
export function deliveryId(webhookId: string, sequence: number): string {
  const namespace = Buffer.from(webhookId.replaceAll('-', ''), 'hex')
  const bytes = createHash('sha1').update(namespace).update(String(sequence)).digest()
  bytes[6] = 0x50 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex', 0, 16)
  const ends = [8, 12, 16, 20, 32]
  return ends.map((end, part) => hex.slice(ends[part - 1] ?? 0, end)).join('-')
}

export type Signing = {
  /** The present one first; X-Webhook-Signature is made with it alone. */
  readonly secrets: readonly [string, ...string[]]
  /** The machine's time. */
  readonly now: number
}

type AttemptTerms = Signing & {
  /** The trace that the event belongs to. */
  readonly traceId?: string | undefined
}

/** Made for each attempt: the time differs, and the secrets may have changed. */
export function headersOf(delivery: Delivery, { secrets, now, traceId }: AttemptTerms) {
  const { id, body } = delivery
  const timestamp = String(Math.floor(now / 1_000))
  return {
    'Content-Type': delivery.contentType,
    'Content-Length': String(body.length),
    'User-Agent': 'Outcry',
    'X-Webhook-Id': id,
    'X-Webhook-Event': delivery.eventType,
    'X-Webhook-Timestamp': timestamp,
    'X-Webhook-Signature': signatureOf(body, secrets[0]),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignatureOf({ id, timestamp, body }, secrets),
    ...(traceId === undefined ? {} : { traceparent: childOf(traceId) }),
  }
}

const spanBytes = 8

/** Of a new span in the trace: each attempt is one. */
function childOf(traceId: string): string {
  return `00-${traceId}-${randomBytes(spanBytes).toString('hex')}-01`
}
