// Administration of operators and their keys.

import { Type } from 'typebox'
import { isReject, operatorNotFound } from '../../../registry/reject.ts'
import { Refusal, refusalOfRegistry } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { feePercentOf, feeScheduleOf } from '../../parse/fees.ts'
import { timeOf } from '../../parse/time.ts'
import { presentKey, presentOperator } from '../../present/registry.ts'
import { Message } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import {
  CreateKey,
  CreateOperator,
  EditOperator,
  Key,
  NewKey,
  NewOperator,
  Operator,
  scopes,
} from '../../schemas/operator.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

const currenciesDefault = ['USD']

export function addOperators(routes: Routes, context: Context): void {
  addCreate(routes, context)
  addEdit(routes, context)
  addReads(routes, context)
  addKeys(routes, context)
}

function addCreate(routes: Routes, context: Context): void {
  routes.admin(
    {
      method: 'POST',
      path: '/api/v1/admin/operators',
      tag: 'Administration',
      name: 'createOperator',
      summary: 'Create an operator',
      description: 'The response contains its first key, which is shown only once.',
      body: CreateOperator,
      answer: named(NewOperator),
      status: 201,
    },
    async ({ body, attempt }) => {
      const id = attempt?.recordId
      const { name, supportedCurrencies = currenciesDefault, feePercent, shard } = body
      const feeRate = feePercentOf(feePercent)
      if (feeRate instanceof Refusal) return feeRate
      const feeSchedule = feeScheduleOf(body.feeSchedule)
      if (feeSchedule instanceof Refusal) return feeSchedule
      const { operators } = context.registry
      const wanted = { id, name, supportedCurrencies, feeRate, feeSchedule, shard }
      const made = await operators.create(wanted)
      if (isReject(made)) return refusalOfRegistry(made)
      const operator = presentOperator(made.operator)
      return new Done({ operator, apiKey: made.apiKey }, { status: 201, kept: { operator } })
    },
  )
}

function addEdit(routes: Routes, context: Context): void {
  routes.admin(
    {
      method: 'PATCH',
      path: '/api/v1/admin/operators/:id',
      tag: 'Administration',
      name: 'editOperator',
      summary: 'Edit an operator',
      body: EditOperator,
      answer: named(Operator),
      errors: ['OPERATOR_NOT_FOUND'],
    },
    async ({ params, body: { feePercent, feeSchedule: schedule, ...changes } }) => {
      const feeRate = feePercentOf(feePercent)
      if (feeRate instanceof Refusal) return feeRate
      const feeSchedule = feeScheduleOf(schedule)
      if (feeSchedule instanceof Refusal) return feeSchedule
      const edited = await context.registry.operators.update(params.id.toLowerCase(), {
        ...changes,
        ...(feePercent === undefined ? {} : { feeRate }),
        ...(schedule === undefined ? {} : { feeSchedule }),
      })
      if (isReject(edited)) return refusalOfRegistry(edited)
      return new Done(presentOperator(edited))
    },
  )
}

function addReads(routes: Routes, { registry: { operators } }: Context): void {
  routes.admin(
    {
      method: 'GET',
      path: '/api/v1/admin/operators',
      tag: 'Administration',
      name: 'listOperators',
      summary: 'List operators',
      answer: Type.Array(named(Operator)),
    },
    () => new Done(operators.list().map(presentOperator)),
  )
  routes.admin(
    {
      method: 'GET',
      path: '/api/v1/admin/operators/:id',
      tag: 'Administration',
      name: 'getOperator',
      summary: 'Get an operator',
      answer: named(Operator),
      errors: ['OPERATOR_NOT_FOUND'],
    },
    ({ params }) => {
      const row = operators.get(params.id.toLowerCase())
      if (row === undefined) return refusalOfRegistry(operatorNotFound)
      return new Done(presentOperator(row))
    },
  )
}

function addKeys(routes: Routes, { registry: { keys }, keyUses, shards }: Context): void {
  routes.admin(
    {
      method: 'POST',
      path: '/api/v1/admin/operators/:id/keys',
      tag: 'Administration',
      name: 'createKey',
      summary: 'Create a key for an operator',
      description: 'The key is shown only once. The body may be omitted.',
      body: CreateKey,
      answer: named(NewKey),
      status: 201,
      errors: ['OPERATOR_NOT_FOUND'],
    },
    async ({ params, body, attempt }) => {
      const made = await keys.create(params.id.toLowerCase(), {
        id: attempt?.recordId,
        label: body.label ?? null,
        scopes: body.scopes ?? scopes,
        expiresAt: timeOf(body.expiresAt),
      })
      if (isReject(made)) return refusalOfRegistry(made)
      const key = presentKey(made.key)
      return new Done({ key, apiKey: made.apiKey }, { status: 201, kept: { key } })
    },
  )
  routes.admin(
    {
      method: 'GET',
      path: '/api/v1/admin/operators/:id/keys',
      tag: 'Administration',
      name: 'listKeys',
      summary: "List an operator's keys",
      answer: Type.Array(named(Key)),
      errors: ['OPERATOR_NOT_FOUND'],
    },
    async ({ params, readsIn }) => {
      const rows = keys.list(params.id.toLowerCase())
      if (isReject(rows)) return refusalOfRegistry(rows)
      // All shards share the keys.
      const reads = readsIn(shards.of({ shard: 0 }))
      const ids = rows.map(({ id }) => id)
      const uses = await keyUses.of(ids, reads.keyUses)
      return new Done(rows.map((row) => presentKey(row, uses.get(row.id))))
    },
  )
  routes.admin(
    {
      method: 'DELETE',
      path: '/api/v1/admin/operators/:id/keys/:keyId',
      tag: 'Administration',
      name: 'revokeKey',
      summary: 'Revoke a key',
      answer: Message,
      errors: ['OPERATOR_NOT_FOUND', 'KEY_NOT_FOUND'],
    },
    async ({ params }) => {
      const revoked = await keys.revoke(params.id.toLowerCase(), params.keyId.toLowerCase())
      if (isReject(revoked)) return refusalOfRegistry(revoked)
      return new Done({ message: 'The key is revoked.' })
    },
  )
}
