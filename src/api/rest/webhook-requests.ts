// The requests that the service sends to webhooks, for the OpenAPI document: one per event type,
// with the payload schema that the other documents show, and the test.

import type { Type } from 'typebox'
import { eventTypes } from '../../core/words.ts'
import { cloudEventSchema, deliverySchema } from '../schemas/webhook-delivery.ts'

const headers = {
  'X-Webhook-Id': 'The id of the delivery, as in the body.',
  'X-Webhook-Event': 'The event type.',
  'X-Webhook-Timestamp': 'The time of this attempt, in Unix seconds.',
  'X-Webhook-Signature':
    '`sha256=` and the HMAC-SHA256 of the body in hexadecimal digits; the key is the text of the ' +
    'secret.',
  'webhook-id': 'As X-Webhook-Id, for the libraries of Standard Webhooks.',
  'webhook-timestamp': 'As X-Webhook-Timestamp.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of the id, the time and the body, joined by dots, in Base64. ' +
    'While a replaced secret is still valid, another signature follows after a space.',
}

const traceparent =
  'The trace of the request that caused the event, if it had the header traceparent: W3C Trace ' +
  'Context.'

export function webhookRequests() {
  return Object.fromEntries(
    [...eventTypes, 'PING' as const].map((type) => [
      type,
      {
        post: {
          tags: ['Webhooks'],
          operationId: `receive${pascal(type)}`,
          summary: type === 'PING' ? 'A test of the webhook' : `An event of type ${type}`,
          description:
            'An attempt succeeds if the status of your answer is 200 to 299; its body is ignored.',
          security: [],
          parameters: [
            ...Object.entries(headers).map(([name, text]) => headerOf(name, text, true)),
            ...(type === 'PING' ? [] : [headerOf('traceparent', traceparent, false)]),
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: plain(deliverySchema(type)) },
              'application/cloudevents+json': { schema: plain(cloudEventSchema(type)) },
            },
          },
          responses: {
            '2XX': { description: 'You have received the event.' },
            default: { description: 'The attempt has failed; another may follow.' },
          },
        },
      },
    ]),
  )
}

function headerOf(name: string, description: string, required: boolean) {
  return { name, in: 'header', required, description, schema: { type: 'string' } }
}

/** Without what typebox adds for itself. */
function plain(schema: ReturnType<typeof Type.Object>): object {
  return JSON.parse(JSON.stringify(schema))
}

function pascal(type: string): string {
  return type
    .toLowerCase()
    .replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}
