// Steps about brakes: on a player, an operator or the exchange, mostly for a short time.

import type { TradingMode } from '../../src/core/words.ts'
import { anyLimits } from './generate-limits.ts'
import { anyParty, type GeneratorContext } from './generator-context.ts'
import { type Brake, type Holder, openOrdersOf, type StepOf } from './model-state.ts'

export function makeBrake(context: GeneratorContext): StepOf<'brake'> {
  const { random, state, now } = context
  const sweeping = state.brakes.filter(({ left }) => left !== null)
  if (sweeping.length > 0 && random.chance(15)) return repeated(random.pick(sweeping))
  // That of the exchange is known for good; a wide one is picked as often as all others.
  const inForce = state.brakes.filter(({ mode }) => mode !== 'OPEN')
  const wide = inForce.filter(isWide)
  const picked = wide.length > 0 && random.chance(50) ? wide : inForce
  const known = picked.length > 0 && random.chance(60) ? random.pick(picked) : null
  const mode =
    known !== null && random.chance(70)
      ? 'OPEN'
      : random.pick(['REDUCE_ONLY', 'REDUCE_ONLY', 'HALTED', 'HALTED', 'OPEN'] as const)
  const isTimed = mode !== 'OPEN' && random.chance(60)
  const holder = known?.holder ?? anyHolder(context, mode)
  return {
    do: 'brake',
    holder,
    mode,
    reason: mode === 'OPEN' ? null : random.pick(['Rain', 'Too fast']),
    until: isTimed ? now + random.pick([-1, 0, 1, 500, 5_000, 60_000, 200_000]) : null,
    limits: random.chance(25) ? anyLimits(context, holder) : null,
    cancelsOrders: random.chance(85),
  }
}

/**
 * How often there is one: mostly while there are orders to cancel. Wide ones are short, so that
 * there is something to trade.
 */
export function brakeWeight({ hasBrakes, state }: GeneratorContext): number {
  if (!hasBrakes) return 0
  if (state.brakes.some((brake) => isWide(brake) && brake.mode !== 'OPEN')) return 25
  if (state.markets.flatMap(openOrdersOf).length > 2) return 10
  return state.brakes.filter(({ mode }) => mode !== 'OPEN').length > 2 ? 8 : 1.5
}

function isWide({ holder }: Brake): boolean {
  return holder.kind !== 'PLAYER'
}

function repeated({ holder, mode, reason, until, limits }: Brake): StepOf<'brake'> {
  return { do: 'brake', holder, mode, reason, until, limits, cancelsOrders: true }
}

export function makeSweep({ random, state }: GeneratorContext): StepOf<'sweep'> {
  const sweeping = state.brakes.filter(({ left }) => left !== null)
  const holder =
    sweeping.length === 0 ? ({ kind: 'EXCHANGE' } as const) : random.pick(sweeping).holder
  return { do: 'sweep', holder, atMost: random.pick([1, 2, 5, 100]) }
}

function anyHolder(context: GeneratorContext, mode: TradingMode): Holder {
  const kind = context.random.weighted({
    PLAYER: 75,
    OPERATOR: 12,
    ADMINISTRATOR: 6,
    EXCHANGE: 7,
  })
  if (kind === 'EXCHANGE') return { kind }
  const { operator, player } = anyTrader(context, mode) ?? anyParty(context)
  return kind === 'PLAYER' ? { kind, operator, player } : { kind, operator }
}

/** Mostly one with open orders; under REDUCE_ONLY, with orders that it leaves open. */
function anyTrader({ random, state }: GeneratorContext, mode: TradingMode) {
  const open = state.markets.flatMap(openOrdersOf)
  const own = mode === 'REDUCE_ONLY' ? open.filter(({ side }) => side === 'SELL') : open
  return own.length === 0 || random.chance(20) ? null : random.pick(own)
}
