// The body of a request to a webhook: an event, or a test.

import { Type } from 'typebox'
import type { EventType } from '../../core/words.ts'
import { payloads } from './event-payload.ts'
import { Id, nullable, Time, words } from './fields.ts'

export function deliverySchema(type: EventType | 'PING') {
  const isTest = type === 'PING'
  return Type.Object({
    id: Type.String({
      ...Id,
      description: 'The delivery: one event for one webhook; the same in every attempt.',
    }),
    sequence: Type.Integer({
      description: 'Counts 1, 2, 3 ... per operator, without gaps; 0 for a test.',
    }),
    eventType: words([type]),
    marketId: isTest ? nullable(Id) : Id,
    operatorId: Type.String({ ...Id, description: 'The operator that owns the webhook.' }),
    payload: isTest ? Type.Object({}) : payloads[type],
    timestamp: Type.String({ ...Time, description: 'The time of the event.' }),
  })
}
