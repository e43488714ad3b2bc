// Webhooks: the URLs that an operator's events are sent to.

import { Type } from 'typebox'
import { testsPerOperatorMax } from '../../../feed/webhooks/dispatch.ts'
import { isReject, webhookNotFound } from '../../../registry/reject.ts'
import type { WebhookRow } from '../../../store/store.ts'
import { Refusal, refusalOfRegistry } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { presentAttempt, presentWebhook, truncated } from '../../present/registry.ts'
import { Message } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import {
  CreateWebhook,
  EditWebhook,
  Webhook,
  WebhookAttempt,
  WebhookAttempts,
} from '../../schemas/webhook.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

export function addWebhooks(routes: Routes, context: Context): void {
  addCreate(routes, context)
  addList(routes, context)
  addChanges(routes, context)
  addDeliveries(routes, context)
}

function addCreate(routes: Routes, { registry: { webhooks } }: Context): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/webhooks',
      scope: 'manage',
      tag: 'Webhooks',
      name: 'createWebhook',
      summary: 'Create a webhook',
      description: 'The secret that signs its deliveries is complete only in this response.',
      body: CreateWebhook,
      answer: named(Webhook),
      status: 201,
      errors: ['WEBHOOK_LIMIT'],
    },
    async ({ operator, body }) => {
      const { url, events = [], description = null } = body
      const made = await webhooks.create(operator.id, { url, events, description })
      if (isReject(made)) return refusalOfRegistry(made)
      return new Done(presentWebhook(made.webhook, made.secret), { status: 201 })
    },
  )
}

function addList(routes: Routes, context: Context): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/webhooks',
      scope: 'read',
      tag: 'Webhooks',
      name: 'listWebhooks',
      summary: 'List webhooks',
      answer: Type.Array(named(Webhook)),
    },
    ({ operator }) =>
      new Done(context.registry.webhooks.list(operator.id).map((row) => shown(context, row))),
  )
}

function addChanges(routes: Routes, context: Context): void {
  const { webhooks } = context.registry
  routes.operator(
    {
      method: 'PATCH',
      path: '/api/v1/webhooks/:id',
      scope: 'manage',
      tag: 'Webhooks',
      name: 'editWebhook',
      summary: 'Edit a webhook',
      body: EditWebhook,
      answer: named(Webhook),
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ operator, params, body }) => {
      const edited = await webhooks.update(operator.id, params.id.toLowerCase(), body)
      return isReject(edited) ? refusalOfRegistry(edited) : new Done(shown(context, edited))
    },
  )

  routes.operator(
    {
      method: 'DELETE',
      path: '/api/v1/webhooks/:id',
      scope: 'manage',
      tag: 'Webhooks',
      name: 'deleteWebhook',
      summary: 'Delete a webhook',
      answer: Message,
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ operator, params }) => {
      const refused = await webhooks.delete(operator.id, params.id.toLowerCase())
      if (refused !== null) return refusalOfRegistry(refused)
      return new Done({ message: 'The webhook is deleted.' })
    },
  )
}

function addDeliveries(routes: Routes, { registry: { webhooks }, deliveries }: Context): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/webhooks/:id/deliveries',
      scope: 'read',
      tag: 'Webhooks',
      name: 'listDeliveries',
      summary: 'List the latest delivery attempts, newest first',
      description: 'The last 100 attempts, tests included, since the service started.',
      answer: named(WebhookAttempts),
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ operator, params }) => {
      const webhook = webhooks.get(operator.id, params.id.toLowerCase())
      if (webhook === undefined) return refusalOfRegistry(webhookNotFound)
      const recent = await deliveries.recent(webhook)
      return new Done({ deliveries: recent.map(presentAttempt) })
    },
  )

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
        'is not active. Responds with the attempt, after 10 seconds at the latest.',
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

function shown({ registry }: Context, row: WebhookRow) {
  return presentWebhook(row, truncated(registry.webhooks.secretOf(row)))
}
