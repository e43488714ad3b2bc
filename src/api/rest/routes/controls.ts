// Brakes that an operator puts on a player or on itself, and the administrator on an operator.

import type { ControlsHolder } from '../../../core/state/controls.ts'
import { operatorNotFound } from '../../../registry/reject.ts'
import type { ControlsQuery, OperatorRow } from '../../../store/store.ts'
import { invalidField, Refusal, refusalOf, refusalOfRegistry } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { brakingOf } from '../../parse/controls.ts'
import { isPlayerId } from '../../parse/player-id.ts'
import { presentTerms } from '../../present/controls.ts'
import {
  OperatorBrake,
  OperatorBrakeChange,
  OperatorControls,
  OperatorControlsChange,
  PlayerControls,
  PlayerControlsChange,
  type PutControls,
  PutOperatorControls,
  PutPlayerControls,
} from '../../schemas/controls.ts'
import { named, playerIdMax } from '../../schemas/fields.ts'
import type { ShardAccess } from '../../shards.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

const replaces = 'Replaces the whole record: what is left out is cleared.'

export function addControls(routes: Routes, context: Context): void {
  addPlayer(routes, context)
  addOperator(routes, context)
  addAdministrator(routes, context)
}

function addPlayer(routes: Routes, context: Context): void {
  const path = '/api/v1/players/:playerId/controls'
  routes.operator(
    {
      method: 'PUT',
      path,
      scope: 'manage',
      tag: 'Trading controls',
      name: 'putPlayerControls',
      summary: 'Put a brake on a player, or release it',
      description: `${replaces} New orders are refused from the first moment.`,
      body: PutPlayerControls,
      answer: named(PlayerControlsChange),
    },
    async ({ operator, shard, params: { playerId }, body }) => {
      if (!isPlayerId(playerId)) return wrongPlayerId
      const holder = { kind: 'PLAYER', operatorId: operator.id, playerId } as const
      const changed = await change(context, { operator, shard, holder, body })
      if (changed instanceof Refusal) return changed
      const { controls, cancelled } = changed
      return new Done({ controls: { playerId, ...controls }, cancelled })
    },
  )
  routes.operator(
    {
      method: 'GET',
      path,
      scope: 'read',
      tag: 'Trading controls',
      name: 'getPlayerControls',
      summary: 'Get the brake on a player',
      answer: named(PlayerControls),
    },
    async ({ operator, params: { playerId }, reads }) => {
      if (!isPlayerId(playerId)) return wrongPlayerId
      const query = { kind: 'PLAYER', operatorNumber: operator.number, playerId } as const
      const record = await reads().controls(query)
      return new Done({ playerId, ...shown(context, record) })
    },
  )
}

function addOperator(routes: Routes, context: Context): void {
  const path = '/api/v1/controls'
  routes.operator(
    {
      method: 'PUT',
      path,
      scope: 'manage',
      tag: 'Trading controls',
      name: 'putControls',
      summary: 'Put a brake on all of your players, or release it',
      description: `${replaces} It also holds in the markets of other operators.`,
      body: PutOperatorControls,
      answer: named(OperatorControlsChange),
    },
    async ({ operator, shard, body }) => {
      const holder = { kind: 'OPERATOR', operatorId: operator.id } as const
      const changed = await change(context, { operator, shard, holder, body })
      return changed instanceof Refusal ? changed : new Done(changed)
    },
  )
  routes.operator(
    {
      method: 'GET',
      path,
      scope: 'read',
      tag: 'Trading controls',
      name: 'getControls',
      summary: 'Get the brake that you have put on all of your players',
      answer: named(OperatorControls),
    },
    async ({ operator, reads }) => {
      const record = await reads().controls(ofOperator('OPERATOR', operator))
      return new Done(shown(context, record))
    },
  )
}

function addAdministrator(routes: Routes, context: Context): void {
  const path = '/api/v1/admin/operators/:id/controls'
  const { operators } = context.registry
  routes.admin(
    {
      method: 'PUT',
      path,
      tag: 'Trading controls',
      name: 'putOperatorControls',
      summary: 'Put a brake on an operator, or release it',
      description: `${replaces} It is a record of its own, which the operator cannot lift.`,
      // The reason is not for the operator.
      isHiddenFromOperator: true,
      body: PutOperatorControls,
      answer: named(OperatorBrakeChange),
      errors: ['OPERATOR_NOT_FOUND'],
    },
    async ({ params, body }) => {
      const operator = operators.get(params.id.toLowerCase())
      if (operator === undefined) return refusalOfRegistry(operatorNotFound)
      const holder = { kind: 'ADMINISTRATOR', operatorId: operator.id } as const
      const shard = context.shards.of(operator)
      const changed = await change(context, { operator, shard, holder, body })
      if (changed instanceof Refusal) return changed
      const { controls, cancelled } = changed
      return new Done({ controls: { operatorId: operator.id, ...controls }, cancelled })
    },
  )
  routes.admin(
    {
      method: 'GET',
      path,
      tag: 'Trading controls',
      name: 'getOperatorControls',
      summary: "Get the administrator's brake on an operator",
      answer: named(OperatorBrake),
      errors: ['OPERATOR_NOT_FOUND'],
    },
    async ({ params, readsIn }) => {
      const operator = operators.get(params.id.toLowerCase())
      if (operator === undefined) return refusalOfRegistry(operatorNotFound)
      const reads = readsIn(context.shards.of(operator))
      const record = await reads.controls(ofOperator('ADMINISTRATOR', operator))
      return new Done({ operatorId: operator.id, ...shown(context, record) })
    },
  )
}

type Change = {
  readonly operator: OperatorRow
  readonly shard: ShardAccess
  readonly holder: ControlsHolder
  readonly body: PutControls
}

async function change({ now }: Context, { operator, shard, holder, body }: Change) {
  const braking = brakingOf(body)
  if (braking instanceof Refusal) return braking
  const command = { operatorId: operator.id, holder, ...braking }
  const result = await shard.submit('changeControls', command)
  if (!result.isAccepted) return refusalOf(result.reject)
  const { terms, changedAt, cancelled } = result.answer
  return { controls: presentTerms(terms, { now: now(), changedAt }), cancelled }
}

type Stored = Awaited<ReturnType<ShardAccess['reads']['controls']>>

function shown({ now }: Context, record: Stored) {
  return presentTerms(record?.terms ?? null, { now: now(), changedAt: record?.changedAt ?? null })
}

function ofOperator(kind: 'OPERATOR' | 'ADMINISTRATOR', { number }: OperatorRow): ControlsQuery {
  return { kind, operatorNumber: number, playerId: '' }
}

const wrongPlayerId = invalidField('playerId', `must be one line of 1 to ${playerIdMax} characters`)
