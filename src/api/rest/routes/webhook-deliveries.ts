// The routes that list the delivery attempts of a webhook, send a test, and repeat deliveries.

import type { Static } from 'typebox'
import {
  type RedeliveryAnswer,
  type RedeliveryRequest,
  redeliveriesMax,
} from '../../../feed/webhooks/redeliveries.ts'
import { testsPerOperatorMax } from '../../../feed/webhooks/test-deliveries.ts'
import { webhookNotFound } from '../../../registry/reject.ts'
import { invalidField, invalidFields, Refusal, refusalOfRegistry } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { attemptBeforeOf, attemptCursorOf } from '../../parse/cursor.ts'
import { presentAttempt, presentStoredAttempt } from '../../present/registry.ts'
import { named } from '../../schemas/fields.ts'
import {
  AttemptsQuery,
  attemptsPageSize,
  Redeliver,
  Redelivery,
  WebhookAttempt,
  WebhookAttempts,
} from '../../schemas/webhook.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

export function addWebhookDeliveries(routes: Routes, context: Context): void {
  addList(routes, context)
  addTest(routes, context)
  addRedelivery(routes, context)
}

function addList(routes: Routes, { registry: { webhooks }, deliveries }: Context): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/webhooks/:id/deliveries',
      scope: 'read',
      tag: 'Webhooks',
      name: 'listDeliveries',
      summary: 'List the latest delivery attempts, newest first',
      description:
        'Tests and redeliveries included. Attempts are kept as long as events, and at most the ' +
        'latest 10,000 of a webhook.',
      query: AttemptsQuery,
      answer: named(WebhookAttempts),
      csv: { field: 'deliveries', row: WebhookAttempt },
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ operator, params, query }) => {
      const webhook = webhooks.get(operator.id, params.id.toLowerCase())
      if (webhook === undefined) return refusalOfRegistry(webhookNotFound)
      const before = attemptBeforeOf(query.cursor)
      if (before instanceof Refusal) return before
      const { limit = attemptsPageSize } = query
      const { rows, hasMore } = await deliveries.attempts(webhook, { before, limit })
      const last = rows.at(-1)
      return new Done({
        deliveries: rows.map(presentStoredAttempt),
        hasMore,
        nextCursor: hasMore && last !== undefined ? attemptCursorOf(last.number) : null,
      })
    },
  )
}

function addTest(routes: Routes, { registry: { webhooks }, deliveries }: Context): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/webhooks/:id/test',
      scope: 'manage',
      tag: 'Webhooks',
      name: 'testWebhook',
      summary: 'Send a test event',
      description:
        'Makes one attempt immediately, with eventType PING and sequence 0, even if the webhook ' +
        'is not active. Responds with the attempt, after 10 seconds at the latest, and with 200 ' +
        'also if the receiver fails.',
      answer: named(WebhookAttempt),
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ operator, params }) => {
      const webhook = webhooks.get(operator.id, params.id.toLowerCase())
      if (webhook === undefined) return refusalOfRegistry(webhookNotFound)
      const attempt = await deliveries.test(webhook)
      return attempt === null ? tooManyTests : new Done(presentAttempt(attempt))
    },
  )
}

const tooManyTests = new Refusal(
  'RATE_LIMITED',
  `At most ${testsPerOperatorMax} webhook tests of an operator may run at the same time.`,
)

function addRedelivery(routes: Routes, { registry: { webhooks }, deliveries }: Context): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/webhooks/:id/redeliver',
      scope: 'manage',
      tag: 'Webhooks',
      name: 'redeliverWebhook',
      summary: 'Deliver events once more',
      description:
        'Makes one more attempt, with the same delivery id, of the events of a range, bounds ' +
        'included, to which the webhook subscribes, or of every delivery that has failed. At ' +
        `most ${redeliveriesMax} at a time, also while the webhook is not active. Attempts that ` +
        'are still queued when the process ends are not made. Events whose record is damaged are ' +
        'left out.',
      body: Redeliver,
      answer: named(Redelivery),
      status: 202,
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ operator, params, body, attempt }) => {
      const request = redeliveryOf(body)
      if (request instanceof Refusal) return request
      const webhook = webhooks.get(operator.id, params.id.toLowerCase())
      if (webhook === undefined) return refusalOfRegistry(webhookNotFound)
      const requestId = attempt?.recordId
      const answer = await deliveries.redeliver(webhook, { ...request, requestId })
      if ('queued' in answer) {
        const { queued, unreadable } = answer
        return new Done({ queued, unreadable }, { status: 202 })
      }
      return 'failed' in answer ? tooManyFailed(answer) : tooManyWaiting(answer)
    },
  )
}

function redeliveryOf(body: Static<typeof Redeliver>): RedeliveryRequest | Refusal {
  const { fromSequence, toSequence, failed } = body
  if (failed === true) {
    if (fromSequence === undefined && toSequence === undefined) return { failed }
    return invalidField('failed', 'cannot be combined with fromSequence or toSequence')
  }
  if (fromSequence === undefined || toSequence === undefined) {
    const missing = ['fromSequence', 'toSequence'] as const
    return invalidFields(
      missing
        .filter((field) => body[field] === undefined)
        .map((field) => ({ field, message: 'is required' })),
    )
  }
  if (toSequence < fromSequence) {
    const expected = `at least fromSequence (${fromSequence})`
    return invalidField('toSequence', `must be ${expected}, got ${toSequence}`)
  }
  const last = fromSequence + redeliveriesMax - 1
  if (toSequence > last) {
    const reason = `a request covers at most ${redeliveriesMax} sequences`
    return invalidField('toSequence', `must be at most ${last}, got ${toSequence}: ${reason}`)
  }
  return { fromSequence, toSequence }
}

type TooManyFailed = Extract<RedeliveryAnswer, { readonly failed: number }>

function tooManyFailed({ failed, firstSequence, lastSequence }: TooManyFailed): Refusal {
  const found = `${failed} deliveries from sequence ${firstSequence} to ${lastSequence} have failed`
  const reason = `a request covers at most ${redeliveriesMax}`
  return invalidField('failed', `${found}, and ${reason}; name ranges of sequences instead`)
}

function tooManyWaiting({ waiting }: { readonly waiting: number }): Refusal {
  const limit = `At most ${redeliveriesMax} redeliveries of a webhook may wait`
  return new Refusal('RATE_LIMITED', `${limit}; ${waiting} are waiting. Try again later.`)
}
