// Steps of those who make markets: their dead-man switches.

import { anyOperator, type GeneratorContext } from './generator-context.ts'
import type { DeadMan, State, StepOf } from './model-state.ts'

type Scope = { readonly operator: number; readonly player: string | null }

export function makeArm(context: GeneratorContext): StepOf<'armDeadMan'> {
  const { random } = context
  const timeoutMs = random.pick([1_000, 1_000, 5_000, 60_000, 300_000])
  return { do: 'armDeadMan', ...anyScope(context), timeoutMs }
}

export function makeClear(context: GeneratorContext): StepOf<'clearDeadMan'> {
  return { do: 'clearDeadMan', ...anyScope(context) }
}

export function makeCancelTriggered(context: GeneratorContext): StepOf<'cancelTriggered'> {
  const { random } = context
  const [first] = cancelling(context.state)
  const { operator, player } = first ?? anyScope(context)
  return { do: 'cancelTriggered', operator, player, atMost: random.pick([1, 2, 5, 20, 100]) }
}

/** Those that have orders to cancel. */
export function cancelling({ deadMen }: State): DeadMan[] {
  return deadMen.filter(({ cancelsBelow }) => cancelsBelow > 0)
}

/** Mostly one that has a switch, so that it is renewed, or armed again once it was triggered. */
function anyScope(context: GeneratorContext): Scope {
  const { players, random, state } = context
  if (state.deadMen.length > 0 && random.chance(70)) return random.pick(state.deadMen)
  const operator = anyOperator(context)
  return { operator, player: random.chance(30) ? null : random.pick(players[operator]!) }
}
