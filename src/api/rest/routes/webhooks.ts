// Webhooks: the URLs that an operator's events are sent to.

import { Type } from 'typebox'
import { isReject } from '../../../registry/reject.ts'
import type { WithSecret } from '../../../registry/webhooks.ts'
import {
  healthMinutes,
  type OperatorRow,
  type RecordStore,
  StoreUnavailable,
  type WebhookHealth,
  type WebhookRow,
} from '../../../store/store.ts'
import { refusalOfRegistry } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { presentWebhook, presentWithSecret, truncated } from '../../present/registry.ts'
import { Message } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import {
  CreateWebhook,
  EditWebhook,
  overlapHoursDefault,
  RotateSecret,
  Webhook,
  WebhookWithSecret,
} from '../../schemas/webhook.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

type Parts = { readonly context: Context; readonly answers: Answers }

export function addWebhooks(routes: Routes, context: Context): void {
  const parts = { context, answers: new Answers(context) }
  addCreate(routes, parts)
  addList(routes, parts)
  addChanges(routes, parts)
  addRotation(routes, parts)
}

function addCreate(routes: Routes, { context, answers }: Parts): void {
  const { webhooks } = context.registry
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
      answer: named(WebhookWithSecret),
      status: 201,
      errors: ['WEBHOOK_LIMIT'],
    },
    async ({ operator, body, attempt, reads }) => {
      const { events = [], description = null } = body
      const wanted = { ...body, id: attempt?.recordId, events, description }
      const made = await webhooks.create(operator.id, wanted)
      if (isReject(made)) return refusalOfRegistry(made)
      const kept = await answers.shown(made.webhook, { operator, reads })
      return new Done(await answers.whole(made, { operator, reads }), { status: 201, kept })
    },
  )
}

function addList(routes: Routes, { context, answers }: Parts): void {
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
    async ({ operator, reads }) => {
      const rows = context.registry.webhooks.list(operator.id)
      return new Done(await answers.list(rows, { operator, reads }))
    },
  )
}

function addChanges(routes: Routes, { context, answers }: Parts): void {
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
    async ({ operator, params, body, reads }) => {
      const edited = await webhooks.update(operator.id, params.id.toLowerCase(), body)
      if (isReject(edited)) return refusalOfRegistry(edited)
      return new Done(await answers.shown(edited, { operator, reads }))
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

const minuteMs = 60_000
const hourMs = 60 * minuteMs

function addRotation(routes: Routes, { context, answers }: Parts): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/webhooks/:id/rotate-secret',
      scope: 'manage',
      tag: 'Webhooks',
      name: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description:
        'The new secret is complete only in this response. Until the overlap ends, ' +
        'webhook-signature has a signature with each of the two secrets; X-Webhook-Signature is ' +
        'made with the new one at once. Another rotation ends the overlap of the one before.',
      body: RotateSecret,
      answer: named(WebhookWithSecret),
      errors: ['WEBHOOK_NOT_FOUND'],
    },
    async ({ operator, params, body, attempt, reads }) => {
      const { overlapHours = overlapHoursDefault } = body
      const overlapMs = Math.round(overlapHours * hourMs)
      const id = params.id.toLowerCase()
      const since = attempt?.isFirst === false ? attempt.begunAt : null
      const wanted = { overlapMs, since }
      const rotated = await context.registry.webhooks.rotateSecret(operator.id, id, wanted)
      if (isReject(rotated)) return refusalOfRegistry(rotated)
      const kept = await answers.shown(rotated.webhook, { operator, reads })
      return new Done(await answers.whole(rotated, { operator, reads }), { kept })
    },
  )
}

type Counts = Pick<WebhookHealth, 'delivered' | 'failed'>

/** What an answer shows beside the stored settings. */
class Answers {
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  async shown(row: WebhookRow, { operator, reads }: Caller): Promise<Webhook> {
    const [shown] = await this.list([row], { operator, reads })
    return shown!
  }

  async list(rows: readonly WebhookRow[], { operator, reads }: Caller): Promise<Webhook[]> {
    const { webhooks } = this.#context.registry
    const health = await this.#healthOf(rows, { operator, reads })
    return rows.map((row) =>
      presentWebhook(row, {
        secret: truncated(webhooks.secretOf(row)),
        previousSecretUntil: webhooks.previousSecretUntil(row),
        health: health(row.id),
      }),
    )
  }

  async whole({ webhook, secret }: WithSecret, caller: Caller): Promise<WebhookWithSecret> {
    const previousSecretUntil = this.#context.registry.webhooks.previousSecretUntil(webhook)
    const health = (await this.#healthOf([webhook], caller))(webhook.id)
    return presentWithSecret(webhook, { secret, previousSecretUntil, health })
  }

  /** The settings are in memory, and are answered even if the store cannot be read. */
  async #healthOf(
    rows: readonly WebhookRow[],
    { operator, reads }: Caller,
  ): Promise<(webhookId: string) => Counts | null> {
    const since = Math.floor(this.#context.now() / minuteMs) - healthMinutes + 1
    const query = { operatorNumber: operator.number, webhookIds: rows.map(({ id }) => id), since }
    try {
      const found = await reads().webhookHealth(query)
      const byId = new Map(found.map((each) => [each.webhookId, each]))
      return (webhookId) => byId.get(webhookId) ?? { delivered: 0, failed: 0 }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      return () => null
    }
  }
}

type Caller = { readonly operator: OperatorRow; readonly reads: () => RecordStore }
