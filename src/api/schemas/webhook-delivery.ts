// The body of a request to a webhook, in both formats: an event, or a test.

import { Type } from 'typebox'
import type { EventType } from '../../core/words.ts'
import { payloads } from './event-payload.ts'
import { Id, nullable, Time, words } from './fields.ts'

/** Events about no market. */
const marketless: ReadonlySet<EventType> = new Set(['DEAD_MAN_TRIGGERED', 'CONTROLS_CHANGED'])

const idRule = 'The delivery: one event for one webhook; the same in every attempt.'
const timeRule = 'The time of the event.'

export function deliverySchema(type: EventType | 'PING') {
  return Type.Object({
    id: Type.String({ ...Id, description: idRule }),
    sequence: Type.Integer({
      description: 'Counts 1, 2, 3 ... per operator, without gaps; 0 for a test.',
    }),
    eventType: words([type]),
    marketId: isAboutMarket(type) ? Id : nullable(Id),
    operatorId: Type.String({ ...Id, description: 'The operator that owns the webhook.' }),
    payload: payloadOf(type),
    timestamp: Type.String({ ...Time, description: timeRule }),
  })
}

/** Of a webhook with the format CLOUDEVENTS. */
export function cloudEventSchema(type: EventType | 'PING') {
  const subject = Type.String({ ...Id, description: 'The market.' })
  return Type.Object({
    specversion: words(['1.0']),
    id: Type.String({ ...Id, description: idRule }),
    source: Type.String({ description: '/operators/ and the id of the operator.' }),
    type: words([`outcry.${type.toLowerCase()}.v1`]),
    ...(isAboutMarket(type) ? { subject } : {}),
    time: Type.String({ ...Time, description: timeRule }),
    datacontenttype: words(['application/json']),
    sequence: Type.String({ description: 'The sequence, padded to 16 digits.' }),
    data: payloadOf(type),
  })
}

function isAboutMarket(type: EventType | 'PING'): boolean {
  return type !== 'PING' && !marketless.has(type)
}

function payloadOf(type: EventType | 'PING') {
  return type === 'PING' ? Type.Object({}) : payloads[type]
}
