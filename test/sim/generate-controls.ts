// Steps about brakes: on a player, an operator or the exchange, mostly for a short time.

import { anyOperator, anyParty, type GeneratorContext } from './generator-context.ts'
import type { Holder, StepOf } from './model-state.ts'

export function makeBrake(context: GeneratorContext): StepOf<'brake'> {
  const { random, state, now } = context
  const known = state.brakes.length > 0 && random.chance(55) ? random.pick(state.brakes) : null
  const mode =
    known !== null && random.chance(70)
      ? 'OPEN'
      : random.pick(['REDUCE_ONLY', 'HALTED', 'HALTED', 'OPEN'] as const)
  const isTimed = mode !== 'OPEN' && random.chance(60)
  return {
    do: 'brake',
    holder: known?.holder ?? anyHolder(context),
    mode,
    reason: mode === 'OPEN' ? null : random.pick(['Rain', 'Too fast']),
    until: isTimed ? now + random.pick([-1, 0, 1, 500, 5_000, 60_000, 200_000]) : null,
    cancelsOrders: random.chance(85),
  }
}

export function makeSweep({ random, state }: GeneratorContext): StepOf<'sweep'> {
  const sweeping = state.brakes.filter(({ left }) => left !== null)
  const holder =
    sweeping.length === 0 ? ({ kind: 'EXCHANGE' } as const) : random.pick(sweeping).holder
  return { do: 'sweep', holder, atMost: random.pick([1, 2, 5, 100]) }
}

function anyHolder(context: GeneratorContext): Holder {
  const kind = context.random.weighted({
    PLAYER: 60,
    OPERATOR: 20,
    ADMINISTRATOR: 10,
    EXCHANGE: 10,
  })
  if (kind === 'EXCHANGE') return { kind }
  if (kind !== 'PLAYER') return { kind, operator: anyOperator(context) }
  const { operator, player } = anyParty(context)
  return { kind, operator, player }
}
