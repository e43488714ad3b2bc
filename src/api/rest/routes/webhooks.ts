// Webhooks: where an operator wants its events sent.

import { Type } from 'typebox'
import { isReject } from '../../../registry/reject.ts'
import type { WebhookRow } from '../../../store/store.ts'
import { refusalOfRegistry } from '../../errors.ts'
import { presentWebhook, truncated } from '../../present/registry.ts'
import { Message } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import { CreateWebhook, EditWebhook, Webhook } from '../../schemas/webhook.ts'
import type { Context } from '../context.ts'
import { Done } from '../deliver.ts'
import type { Routes } from '../routes.ts'

export function addWebhooks(routes: Routes, context: Context): void {
  addCreate(routes, context)
  addList(routes, context)
  addChanges(routes, context)
}

function addCreate(routes: Routes, { registry: { webhooks } }: Context): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/webhooks',
      scope: 'manage',
      tag: 'Webhooks',
      summary: 'Create a webhook',
      description: 'The secret that signs its deliveries is shown whole in this answer only.',
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

function shown({ registry }: Context, row: WebhookRow) {
  return presentWebhook(row, truncated(registry.webhooks.secretOf(row)))
}
