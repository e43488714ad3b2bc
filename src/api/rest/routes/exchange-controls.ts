// The brake on the whole exchange, and what it says to everybody. The registry keeps it, and every
// shard obeys it before the answer.

import { invalidField, Refusal, refusalOf } from '../../errors.ts'
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
  const { now, registry, shards } = context
  routes.admin(
    {
      method: 'PUT',
      path: '/api/v1/admin/controls',
      tag: 'Trading controls',
      name: 'putExchangeControls',
      summary: 'Put a brake on the whole exchange, or release it',
      description:
        'Replaces the whole record: what is left out is cleared. It is in force on every shard ' +
        'when it is answered. If the answer is UNAVAILABLE, a shard has no owner at present; it ' +
        'obeys the brake as soon as it has one.',
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
      const command = {
        operatorId: null,
        holder: { kind: 'EXCHANGE' },
        ...braking,
        limits: null,
        version: brake.number,
      } as const
      const results = await Promise.all(
        shards.all.map((shard) => shard.submit('changeControls', command)),
      )
      let cancelled = 0
      for (const result of results) {
        if (!result.isAccepted) return refusalOf(result.reject)
        cancelled += result.answer.cancelled
      }
      return new Done({ controls: presentExchange(brake, now()), cancelled })
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
