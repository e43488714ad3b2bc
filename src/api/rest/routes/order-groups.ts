// Order groups: a player's orders that are cancelled once they are filled too fast.

import { decimals, type Shares, stepsOf } from '../../../core/money.ts'
import { groupWindowMsUsual, orderGroupsMax } from '../../../core/orders/order-groups.ts'
import type { OrderGroupCommand } from '../../../engine/commands.ts'
import { invalidField, Refusal, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { afterOf } from '../../parse/cursor.ts'
import { serialOf } from '../../parse/serial.ts'
import { presentOrderGroup } from '../../present/order-group.ts'
import { Message, page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import {
  CreateOrderGroup,
  LimitOrderGroup,
  OrderGroup,
  OrderGroupsQuery,
  orderGroupPageSize,
} from '../../schemas/order-group.ts'
import type { ShardAccess } from '../../shards.ts'
import { pageAnswer } from '../page-answer.ts'
import type { Routes } from './routes.ts'

const path = '/api/v1/order-groups'
const pathOfOne = `${path}/:groupId` as const
const tag = 'Maker safety'
const offStep = invalidField('limitShares', 'must be a multiple of 0.01')

export function addOrderGroups(routes: Routes): void {
  addCreate(routes)
  addReads(routes)
  addLimit(routes)
  addTrigger(routes)
  addReset(routes)
  addDelete(routes)
}

function addCreate(routes: Routes): void {
  routes.operator(
    {
      method: 'POST',
      path,
      scope: 'trade',
      tag,
      name: 'createOrderGroup',
      summary: 'Create an order group',
      description:
        'Orders of the player are put into it with orderGroupId. With the trade that makes what ' +
        'is filled of them within the window exceed limitShares, the group is triggered before ' +
        'the incoming order goes on: what else is open in it is cancelled with the reason ' +
        'ORDER_GROUP, and no order is placed in it until it is reset. A player may have ' +
        `${orderGroupsMax} groups.`,
      body: CreateOrderGroup,
      answer: named(OrderGroup),
      status: 201,
      errors: ['ORDER_GROUP_LIMIT', 'OPERATOR_LIMIT'],
    },
    async ({ operator, shard, body }) => {
      const { playerId, windowMs = groupWindowMsUsual } = body
      const limitShares = limitOf(body.limitShares)
      if (limitShares instanceof Refusal) return limitShares
      const command = { operatorId: operator.id, playerId, limitShares, windowMs }
      const result = await shard.submit('createOrderGroup', command)
      if (!result.isAccepted) return refusalOf(result.reject)
      return Done.ofStored(() => presentOrderGroup(result.answer), { status: 201 })
    },
  )
}

function addReads(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: pathOfOne,
      scope: 'read',
      tag,
      name: 'getOrderGroup',
      summary: 'Get an order group',
      answer: named(OrderGroup),
      errors: ['ORDER_GROUP_NOT_FOUND'],
    },
    async ({ operator, shard, params }) => {
      const result = await shard.submit('orderGroup', commandOf(shard, operator, params))
      if (!result.isAccepted) return refusalOf(result.reject)
      return new Done(presentOrderGroup(result.answer))
    },
  )
  routes.operator(
    {
      method: 'GET',
      path,
      scope: 'read',
      tag,
      name: 'listOrderGroups',
      summary: 'List order groups, newest first',
      query: OrderGroupsQuery,
      answer: page('orderGroups', named(OrderGroup)),
      csv: { field: 'orderGroups', row: OrderGroup },
    },
    async ({ operator, shard, query }) => {
      const after = afterOf(shard.ids, 'orderGroups', query.cursor)
      if (after instanceof Refusal) return after
      const { playerId = null, limit = orderGroupPageSize } = query
      const filter = { operatorId: operator.id, playerId, after, limit }
      const result = await shard.submit('orderGroups', filter)
      if (!result.isAccepted) return refusalOf(result.reject)
      const { groups, total, hasMore } = result.answer
      const found = { rows: groups, total, totalIsExact: true, hasMore }
      return pageAnswer('orderGroups', found, presentOrderGroup)
    },
  )
}

function addLimit(routes: Routes): void {
  routes.operator(
    {
      method: 'PATCH',
      path: pathOfOne,
      scope: 'trade',
      bucket: 'cancels',
      tag,
      name: 'limitOrderGroup',
      summary: 'Change the limit of an order group',
      description:
        'With a limit below what is matched already, the group is triggered by the next trade.',
      body: LimitOrderGroup,
      answer: named(OrderGroup),
      errors: ['ORDER_GROUP_NOT_FOUND'],
    },
    async ({ operator, shard, params, body }) => {
      const limitShares = limitOf(body.limitShares)
      if (limitShares instanceof Refusal) return limitShares
      const command = { ...commandOf(shard, operator, params), limitShares }
      const result = await shard.submit('limitOrderGroup', command)
      if (!result.isAccepted) return refusalOf(result.reject)
      return Done.ofStored(() => presentOrderGroup(result.answer))
    },
  )
}

function addTrigger(routes: Routes): void {
  routes.operator(
    {
      method: 'POST',
      path: `${pathOfOne}/trigger`,
      scope: 'trade',
      bucket: 'cancels',
      tag,
      name: 'triggerOrderGroup',
      summary: 'Trigger an order group',
      description:
        'Cancels what is open in it, and is answered when the last order is cancelled. A ' +
        'triggered group stays as it is.',
      answer: named(OrderGroup),
      errors: ['ORDER_GROUP_NOT_FOUND'],
    },
    async ({ operator, shard, params }) => {
      const result = await shard.submit('triggerOrderGroup', commandOf(shard, operator, params))
      if (!result.isAccepted) return refusalOf(result.reject)
      return Done.ofStored(() => presentOrderGroup(result.answer))
    },
  )
}

function addReset(routes: Routes): void {
  routes.operator(
    {
      method: 'POST',
      path: `${pathOfOne}/reset`,
      scope: 'trade',
      tag,
      name: 'resetOrderGroup',
      summary: 'Reset an order group',
      description: 'It is ACTIVE again, and what was filled before does not count any more.',
      answer: named(OrderGroup),
      errors: ['ORDER_GROUP_NOT_FOUND'],
    },
    async ({ operator, shard, params }) => {
      const result = await shard.submit('resetOrderGroup', commandOf(shard, operator, params))
      if (!result.isAccepted) return refusalOf(result.reject)
      return Done.ofStored(() => presentOrderGroup(result.answer))
    },
  )
}

function addDelete(routes: Routes): void {
  routes.operator(
    {
      method: 'DELETE',
      path: pathOfOne,
      scope: 'trade',
      bucket: 'cancels',
      tag,
      name: 'deleteOrderGroup',
      summary: 'Delete an order group',
      description:
        'Cancels what is open in it, and is answered when the last order is cancelled. Its ' +
        'orders keep their orderGroupId.',
      answer: Message,
      errors: ['ORDER_GROUP_NOT_FOUND'],
    },
    async ({ operator, shard, params }) => {
      const result = await shard.submit('deleteOrderGroup', commandOf(shard, operator, params))
      if (!result.isAccepted) return refusalOf(result.reject)
      return Done.ofStored(() => ({ message: 'The order group is deleted.' }))
    },
  )
}

function commandOf(
  { ids }: Pick<ShardAccess, 'ids'>,
  operator: { readonly id: string },
  { groupId }: { readonly groupId: string },
): OrderGroupCommand {
  return { operatorId: operator.id, groupSerial: serialOf(ids, groupId) }
}

function limitOf(value: number): Shares | Refusal {
  const steps = stepsOf(value, decimals.shares)
  return steps === null ? offStep : (steps as Shares)
}
