// One event for one webhook: the bytes that are sent, and the headers of an attempt.

import { createHash, randomUUID } from 'node:crypto'
import type { Event } from '../../core/events/events.ts'
import type { EventType } from '../../core/words.ts'
import { signatureOf } from './sign.ts'

/** What a test sends; no event of the exchange has it. */
export const pingType = 'PING'
export type DeliveredType = EventType | typeof pingType

export type Delivery = {
  readonly id: string
  readonly sequence: number
  readonly eventType: DeliveredType
  /** The same bytes at every attempt. */
  readonly body: Uint8Array
}

export function deliveryOf(webhookId: string, event: Event): Delivery {
  const { sequence, eventType, marketId, operatorId, payload, createdAt } = event
  const id = deliveryId(webhookId, sequence)
  const timestamp = new Date(createdAt).toISOString()
  const told = { id, sequence, eventType, marketId, operatorId, payload, timestamp }
  return { id, sequence, eventType, body: Buffer.from(JSON.stringify(told)) }
}

/** For a test: about no market, and numbered as no event is. */
export function pingOf(operatorId: string, now: number): Delivery {
  const about = { id: randomUUID(), sequence: 0, eventType: pingType } as const
  const timestamp = new Date(now).toISOString()
  const told = { ...about, marketId: null, operatorId, payload: {}, timestamp }
  return { ...about, body: Buffer.from(JSON.stringify(told)) }
}

/**
 * A UUID of version 5, named by the sequence in the namespace of the webhook: the same for every
 * attempt, also after a restart, with nothing to be kept.
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

/** Made anew for each attempt: it carries the time, and the secret may have changed. */
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
