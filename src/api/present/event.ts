// Stored events as they are on the wire.

import type { EventType } from '../../core/words.ts'
import type * as wire from '../schemas/webhook.ts'
import { timeText } from './time.ts'

export type StoredEvent = {
  readonly id: string
  readonly operatorId: string
  readonly sequence: number
  readonly eventType: EventType
  readonly marketId: string | null
  readonly createdAt: number
  readonly payload: object
}

export function presentEvent(event: StoredEvent, retentionMs: number): wire.Event {
  return {
    id: event.id,
    sequence: event.sequence,
    operatorId: event.operatorId,
    eventType: event.eventType,
    marketId: event.marketId,
    payload: event.payload,
    createdAt: timeText(event.createdAt),
    expiresAt: timeText(event.createdAt + retentionMs),
  }
}
