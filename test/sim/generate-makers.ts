// Steps of those who make markets: their dead-man switches.

import { anyOperator, type GeneratorContext } from './generator-context.ts'
import type { DeadMan, State, StepOf } from './model-state.ts'

type Scope = { readonly operator: number; readonly player: string | null }

export function makeArm(context: GeneratorContext): StepOf<'armDeadMan'> {
  const { random, state } = context
  const timeoutMs = random.pick([1_000, 5_000, 60_000, 300_000, 300_000])
  const triggered = state.deadMen.filter((deadMan) => deadMan.state === 'TRIGGERED')
  // Those who may not trade are mostly let trade again soon.
  const { operator, player } =
    triggered.length > 0 && random.chance(85) ? random.pick(triggered) : anyScope(context)
  return { do: 'armDeadMan', operator, player, timeoutMs }
}

export function makeClear(context: GeneratorContext): StepOf<'clearDeadMan'> {
  const { operator, player } = anyScope(context)
  return { do: 'clearDeadMan', operator, player }
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
  return { operator, player: random.chance(15) ? null : random.pick(players[operator]!) }
}
