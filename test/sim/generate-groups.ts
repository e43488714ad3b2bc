// Steps of those who protect their quotes with order groups.

import { anyOperator, type GeneratorContext } from './generator-context.ts'
import { isToBeCancelled } from './model-groups.ts'
import { type OrderGroup, openOrdersOf, type State, type StepOf } from './model-state.ts'

const groupsMax = 12

/** Fewer where there are many that can be used. */
export function groupWeight({ hasGroups, state }: GeneratorContext): number {
  if (!hasGroups) return 0
  return usable(state).length < groupsMax ? 4 : 0
}

export function makeGroup(context: GeneratorContext): StepOf<'createGroup'> {
  const { players, random } = context
  const operator = anyOperator(context)
  return {
    do: 'createGroup',
    operator,
    player: random.pick(players[operator]!),
    limitShares: anyLimit(context),
    windowMs: random.pick([1_000, 1_000, 15_000, 60_000]),
  }
}

export function makeGroupChange(context: GeneratorContext): StepOf<'changeGroup'> {
  const { random, state } = context
  const group = anyGroup(context)
  const operator = state.groups[group]?.operator ?? 0
  const change = random.weighted({ reset: 60, trigger: 10, delete: 8, limit: 22 })
  return {
    do: 'changeGroup',
    operator: random.chance(95) ? operator : anyOperator(context),
    group,
    change: change === 'limit' ? anyLimit(context) : change,
  }
}

export function makeContinueGroup(context: GeneratorContext): StepOf<'continueGroup'> {
  const { random, state } = context
  const [first] = cancellingGroups(state)
  return {
    do: 'continueGroup',
    group: first?.number ?? anyGroup(context),
    atMost: random.pick([1, 2, 5, 100]),
  }
}

/** Those with orders that are still to be cancelled. */
export function cancellingGroups({ markets }: State): OrderGroup[] {
  const pending = markets.flatMap(openOrdersOf).filter(isToBeCancelled)
  return pending.map(({ group }) => group!)
}

export function isAnyTriggered(state: State): boolean {
  return state.groups.some(({ status }) => status === 'TRIGGERED')
}

/** For an order of that player: mostly its own group if it has one, rarely an odd one. */
export function groupForOrder(
  { hasGroups, random, state }: GeneratorContext,
  { operator, player }: { readonly operator: number; readonly player: string },
): number | null {
  if (!hasGroups || random.chance(20)) return null
  if (random.chance(2)) return random.between(0, state.groups.length)
  const own = usable(state).filter((group) => {
    return group.operator === operator && group.player === player
  })
  const active = own.filter(({ status }) => status === 'ACTIVE')
  if (own.length === 0) return null
  return random.pick(active.length > 0 && random.chance(95) ? active : own).number
}

function usable({ groups }: State): OrderGroup[] {
  return groups.filter(({ status }) => status !== 'DELETED')
}

/** Mostly one that is triggered. */
function anyGroup({ random, state }: GeneratorContext): number {
  const triggered = state.groups.filter(({ status }) => status === 'TRIGGERED')
  if (triggered.length > 0 && random.chance(80)) return random.pick(triggered).number
  const groups = usable(state)
  return groups.length > 0 && random.chance(95)
    ? random.pick(groups).number
    : random.between(0, state.groups.length)
}

function anyLimit({ random }: GeneratorContext): number {
  return random.pick([1, 100, 1_000, 2_000, 5_000, 20_000])
}
