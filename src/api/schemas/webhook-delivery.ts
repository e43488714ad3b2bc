// The body of a request to a webhook: an event, or a test.

import { Type } from 'typebox'
import type { EventType } from '../../core/words.ts'
import { payloads } from './event-payload.ts'
import { Id, nullable, Time, words } from './fields.ts'

/** Events about no market. */
const marketless: ReadonlySet<EventType> = new Set(['DEAD_MAN_TRIGGERED', 'CONTROLS_CHANGED'])

export function deliverySchema(type: EventType | 'PING') {
  const isTest = type === 'PING'
  const isAboutMarket = !isTest && !marketless.has(type)
  return Type.Object({
    id: Type.String({
      ...Id,
      description: 'The delivery: one event for one webhook; the same in every attempt.',
    }),
    sequence: Type.Integer({
      description: 'Counts 1, 2, 3 ... per operator, without gaps; 0 for a test.',
    }),
    eventType: words([type]),
    marketId: isAboutMarket ? Id : nullable(Id),
    operatorId: Type.String({ ...Id, description: 'The operator that owns the webhook.' }),
    payload: isTest ? Type.Object({}) : payloads[type],
    timestamp: Type.String({ ...Time, description: 'The time of the event.' }),
  })
}
