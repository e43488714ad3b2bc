// Brakes that an operator puts on a player or on itself, and the administrator on an operator.

import {
  type ControlsHolder,
  type ControlsRecord,
  isPlain,
  termsAt,
} from '../../../core/state/controls.ts'
import type { Limits } from '../../../core/state/limits.ts'
import { operatorNotFound } from '../../../registry/reject.ts'
import type { ControlsQuery, OperatorRow } from '../../../store/store.ts'
import { invalidField, Refusal, refusalOf, refusalOfRegistry } from '../../errors.ts'
import { answerOfStored } from '../../faults.ts'
import { Done } from '../../http/response.ts'
import { brakingOf } from '../../parse/controls.ts'
import { isPlayerId } from '../../parse/player-id.ts'
import { defaultsOf, limitsOf } from '../../parse/player-limits.ts'
import { presentTerms } from '../../present/controls.ts'
import { presentLimited, presentLimits } from '../../present/player-limits.ts'
import {
  OperatorBrake,
  OperatorBrakeChange,
  OperatorControls,
  OperatorControlsChange,
  PlayerControls,
  PlayerControlsChange,
  type PutControls,
  PutOperatorBrake,
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
      summary: 'Put a brake on a player or limit what it buys, or release it',
      description:
        `${replaces} New orders are refused from the first moment. Lowering a limit cancels no ` +
        'order. `until` ends the mode, and not the limits.',
      body: PutPlayerControls,
      answer: named(PlayerControlsChange),
    },
    async ({ operator, shard, params: { playerId }, body: { limits: input, ...body } }) => {
      if (!isPlayerId(playerId)) return wrongPlayerId
      const limits = limitsOf('limits', input)
      if (limits instanceof Refusal) return limits
      const holder = { kind: 'PLAYER', operatorId: operator.id, playerId } as const
      const changed = await change(context, { operator, shard, holder, body, limits })
      if (changed instanceof Refusal) return changed
      const { brake, cancelled } = changed
      return answerOfStored(async () => {
        const limited = await readLimits(shard.reads, { operator, playerId, own: changed.limits })
        const controls = { playerId, ...brake, ...presentLimited(shard.ids, limited) }
        return Done.ofStored(() => ({ controls, cancelled }))
      })
    },
  )
  routes.operator(
    {
      method: 'GET',
      path,
      scope: 'read',
      tag: 'Trading controls',
      name: 'getPlayerControls',
      summary: 'Get the brake on a player, its limits and how much of them it uses',
      description: 'An unknown player has the defaults of the operator.',
      answer: named(PlayerControls),
      errors: ['VALIDATION_ERROR'],
    },
    async ({ operator, shard, params: { playerId }, reads }) => {
      if (!isPlayerId(playerId)) return wrongPlayerId
      const query = { kind: 'PLAYER', operatorNumber: operator.number, playerId } as const
      const record = await reads().controls(query)
      const own = record?.terms.limits ?? null
      const limited = await readLimits(reads(), { operator, playerId, own })
      return new Done({
        playerId,
        ...shown(context, record),
        ...presentLimited(shard.ids, limited),
      })
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
      summary: 'Put a brake on all of your players or limit what each buys, or release it',
      description:
        `${replaces} It also holds in the markets of other operators. playerDefaults are the ` +
        'limits of every player that has none of its own.',
      body: PutOperatorControls,
      answer: named(OperatorControlsChange),
    },
    async ({ operator, shard, body: { playerDefaults: input, ...body } }) => {
      const limits = defaultsOf('playerDefaults', input)
      if (limits instanceof Refusal) return limits
      const holder = { kind: 'OPERATOR', operatorId: operator.id } as const
      const changed = await change(context, { operator, shard, holder, body, limits })
      if (changed instanceof Refusal) return changed
      const { brake, cancelled } = changed
      const playerDefaults = presentLimits(changed.limits)
      return new Done({ controls: { ...brake, playerDefaults }, cancelled })
    },
  )
  routes.operator(
    {
      method: 'GET',
      path,
      scope: 'read',
      tag: 'Trading controls',
      name: 'getControls',
      summary: 'Get the brake that you have put on all of your players, and their limits',
      answer: named(OperatorControls),
    },
    async ({ operator, reads }) => {
      const record = await reads().controls(ofOperatorItself('OPERATOR', operator))
      const playerDefaults = presentLimits(record?.terms.limits ?? null)
      return new Done({ ...shown(context, record), playerDefaults })
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
      body: PutOperatorBrake,
      answer: named(OperatorBrakeChange),
      errors: ['OPERATOR_NOT_FOUND'],
    },
    async ({ params, body }) => {
      const operator = operators.get(params.id.toLowerCase())
      if (operator === undefined) return refusalOfRegistry(operatorNotFound)
      const holder = { kind: 'ADMINISTRATOR', operatorId: operator.id } as const
      const shard = context.shards.of(operator)
      const changed = await change(context, { operator, shard, holder, body, limits: null })
      if (changed instanceof Refusal) return changed
      const { brake, cancelled } = changed
      return new Done({ controls: { operatorId: operator.id, ...brake }, cancelled })
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
      const record = await reads.controls(ofOperatorItself('ADMINISTRATOR', operator))
      return new Done({ operatorId: operator.id, ...shown(context, record) })
    },
  )
}

type Change = {
  readonly operator: OperatorRow
  readonly shard: ShardAccess
  readonly holder: ControlsHolder
  readonly body: PutControls
  readonly limits: Limits | null
}

async function change(context: Context, { operator, shard, holder, body, limits }: Change) {
  const braking = brakingOf(body)
  if (braking instanceof Refusal) return braking
  const command = { operatorId: operator.id, holder, ...braking, limits }
  const result = await shard.submit('changeControls', command)
  if (!result.isAccepted) return refusalOf(result.reject)
  const { cancelled, ...changed } = result.answer
  return { brake: shown(context, changed), limits: changed.terms.limits, cancelled }
}

type Limited = {
  readonly operator: OperatorRow
  readonly playerId: string
  readonly own: Limits | null
}

async function readLimits(
  { controls, usage }: ShardAccess['reads'],
  { operator, playerId, own }: Limited,
) {
  const [ofOperator, used] = await Promise.all([
    controls(ofOperatorItself('OPERATOR', operator)),
    usage({ operatorNumber: operator.number, playerId }),
  ])
  return { own, defaults: ofOperator?.terms.limits ?? null, used }
}

type Stored = Pick<ControlsRecord, 'terms' | 'changedAt'> | null

// One that restricts nothing is not kept. It is shown so before it is deleted, too.
function shown(context: Context, record: Stored) {
  const now = context.now()
  const isKept = record !== null && !isPlain({ terms: termsAt(record.terms, now), version: 0 })
  if (!isKept) return presentTerms(null, { now, changedAt: null })
  return presentTerms(record.terms, { now, changedAt: record.changedAt })
}

function ofOperatorItself(
  kind: 'OPERATOR' | 'ADMINISTRATOR',
  { number }: OperatorRow,
): ControlsQuery {
  return { kind, operatorNumber: number, playerId: '' }
}

const wrongPlayerId = invalidField('playerId', `must be one line of 1 to ${playerIdMax} characters`)
