// One event for one webhook: the body, and the headers of an attempt.

import { createHash, randomUUID } from 'node:crypto'
import type { Event } from '../../core/events/events.ts'
import type { EventType } from '../../core/words.ts'
import { signatureOf } from './sign.ts'

/** The eventType of a test delivery; no event has it. */
const pingType = 'PING'
export type DeliveredType = EventType | typeof pingType

export type Delivery = {
  readonly id: string
  readonly sequence: number
  readonly eventType: DeliveredType
  /** The same bytes in every attempt. */
  readonly body: Uint8Array
}

export function deliveryOf(webhookId: string, event: Event): Delivery {
  const { sequence, eventType, marketId, operatorId, payload, createdAt } = event
  const id = deliveryId(webhookId, sequence)
  const timestamp = new Date(createdAt).toISOString()
  const message = { id, sequence, eventType, marketId, operatorId, payload, timestamp }
  return { id, sequence, eventType, body: Buffer.from(JSON.stringify(message)) }
}

/** A test delivery: about no market, with a sequence that no event has. */
export function pingOf(operatorId: string, now: number): Delivery {
  const ping = { id: randomUUID(), sequence: 0, eventType: pingType } as const
  const timestamp = new Date(now).toISOString()
  const message = { ...ping, marketId: null, operatorId, payload: {}, timestamp }
  return { ...ping, body: Buffer.from(JSON.stringify(message)) }
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

/** Made for each attempt: the time differs, and the secret may have changed. */
export function headersOf(delivery: Delivery, { secret, now }: { secret: string; now: number }) {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(delivery.body.length),
    'User-Agent': 'Outcry',
    'X-Webhook-Id': delivery.id,
    'X-Webhook-Event': delivery.eventType,
    'X-Webhook-Timestamp': String(Math.floor(now / 1_000)),
    'X-Webhook-Signature': signatureOf(delivery.body, secret),
  }
}
