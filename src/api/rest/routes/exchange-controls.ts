// The brake on the whole exchange, and the public status that shows it. The registry stores it, and
// every shard applies it before the request is answered.

import type { BrakeRow } from '../../../store/store.ts'
import { invalidField, Refusal, refusalOf } from '../../errors.ts'
import { answerOfStored } from '../../faults.ts'
import { Done } from '../../http/response.ts'
import { brakingOf } from '../../parse/controls.ts'
import { presentExchange, presentStatus } from '../../present/controls.ts'
import {
  ExchangeControls,
  ExchangeControlsChange,
  PutControls,
  TradingStatus,
} from '../../schemas/controls.ts'
import { named } from '../../schemas/fields.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

export function addExchangeControls(routes: Routes, context: Context): void {
  const { now, registry } = context
  routes.admin(
    {
      method: 'PUT',
      path: '/api/v1/admin/controls',
      tag: 'Trading controls',
      name: 'putExchangeControls',
      summary: 'Put a brake on the whole exchange, or release it',
      description:
        'Replaces the whole record: what is left out is cleared. It is in force on every shard ' +
        'when it is answered. If the answer is COMMIT_UNKNOWN, the brake may be stored: a shard ' +
        'that has no owner at present then obeys it as soon as it has one.',
      body: PutControls,
      answer: named(ExchangeControlsChange),
    },
    async ({ body }) => {
      const braking = brakingOf(body)
      if (braking instanceof Refusal) return braking
      // It is stored before a shard could refuse it.
      const isOver = braking.until !== null && braking.until <= now()
      if (isOver) return invalidField('until', 'must be in the future')
      const brake = await registry.brakes.put(braking)
      return answerOfStored(() => answerInForce(context, brake))
    },
  )
  routes.admin(
    {
      method: 'GET',
      path: '/api/v1/admin/controls',
      tag: 'Trading controls',
      name: 'getExchangeControls',
      summary: 'Get the brake on the whole exchange',
      answer: named(ExchangeControls),
    },
    () => new Done(presentExchange(registry.brakes.current, now())),
  )
  routes.public(
    {
      method: 'GET',
      path: '/api/v1/status',
      tag: 'Trading controls',
      name: 'getStatus',
      summary: 'Get whether the exchange is trading',
      description: 'What holds for a single operator or player is not shown here.',
      answer: named(TradingStatus),
    },
    () => new Done(presentStatus(registry.brakes.current, now())),
  )
}

// Waits for every shard. One that cannot be reached obeys what the registry has.
async function answerInForce({ now, shards }: Context, brake: BrakeRow) {
  const { cancelsOrders, mode, number: version, reason, until } = brake
  const holder = { kind: 'EXCHANGE' } as const
  const terms = { mode, reason, until, limits: null }
  const command = { operatorId: null, holder, ...terms, cancelsOrders, version }
  const results = await Promise.all(
    shards.all.map((shard) => shard.submit('changeControls', command)),
  )
  let cancelled = 0
  for (const result of results) {
    if (!result.isAccepted) return refusalOf(result.reject)
    cancelled += result.answer.cancelled
  }
  return Done.ofStored(() => ({ controls: presentExchange(brake, now()), cancelled }))
}
