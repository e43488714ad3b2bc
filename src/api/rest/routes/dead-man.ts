// The dead-man switch of an operator, or of one of its players.

import { refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { presentDeadMan } from '../../present/dead-man.ts'
import { ArmDeadManBody, DeadMan, DeadManQuery } from '../../schemas/dead-man.ts'
import { Message } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import type { Routes } from './routes.ts'

const path = '/api/v1/dead-man'
const tag = 'Maker safety'

export function addDeadMan(routes: Routes): void {
  addArm(routes)
  addGet(routes)
  addClear(routes)
}

function addArm(routes: Routes): void {
  routes.operator(
    {
      method: 'PUT',
      path,
      scope: 'trade',
      bucket: 'cancels',
      tag,
      name: 'armDeadMan',
      summary: 'Arm or renew a dead-man switch',
      description:
        'Unless it is renewed by the deadline, all open orders of the operator, or of the ' +
        'player, are cancelled with the reason DEAD_MAN, and orders are neither placed nor ' +
        'amended until it is armed again. The event DEAD_MAN_TRIGGERED comes first.',
      body: ArmDeadManBody,
      answer: named(DeadMan),
      errors: ['OPERATOR_LIMIT'],
    },
    async ({ operator, shard, body }) => {
      const { playerId = null, timeoutMs } = body
      const result = await shard.submit('armDeadMan', {
        operatorId: operator.id,
        playerId,
        timeoutMs,
      })
      if (!result.isAccepted) return refusalOf(result.reject)
      return Done.ofStored(() => presentDeadMan(result.answer))
    },
  )
}

function addGet(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path,
      scope: 'read',
      tag,
      name: 'getDeadMan',
      summary: 'Get a dead-man switch',
      query: DeadManQuery,
      answer: named(DeadMan),
      errors: ['NOT_FOUND'],
    },
    async ({ operator, shard, query }) => {
      const scope = { operatorId: operator.id, playerId: query.playerId ?? null }
      const result = await shard.submit('deadMan', scope)
      if (!result.isAccepted) return refusalOf(result.reject)
      return new Done(presentDeadMan(result.answer))
    },
  )
}

function addClear(routes: Routes): void {
  routes.operator(
    {
      method: 'DELETE',
      path,
      scope: 'trade',
      bucket: 'cancels',
      tag,
      name: 'clearDeadMan',
      summary: 'Clear a dead-man switch',
      description:
        'Also one that was triggered: orders may be placed again, and those that it had to ' +
        'cancel are cancelled nevertheless.',
      query: DeadManQuery,
      answer: Message,
      errors: ['NOT_FOUND'],
    },
    async ({ operator, shard, query }) => {
      const scope = { operatorId: operator.id, playerId: query.playerId ?? null }
      const result = await shard.submit('clearDeadMan', scope)
      if (!result.isAccepted) return refusalOf(result.reject)
      return Done.ofStored(() => ({ message: 'The dead-man switch is cleared.' }))
    },
  )
}
