// Dead-man switches in the model. What a triggered one has to cancel is found anew each time.

import { deadManTriggered, publish } from './model-events.ts'
import { closeByMarket } from './model-orders.ts'
import {
  type DeadMan,
  type Order,
  openOrdersOf,
  type Rejection,
  type State,
  type StepOf,
} from './model-state.ts'

export function triggerDue(state: State): void {
  const due = state.deadMen
    .filter((deadMan) => deadMan.state === 'ARMED' && deadMan.deadline <= state.now)
    .sort((a, b) => a.deadline - b.deadline || ((a.player ?? '') < (b.player ?? '') ? -1 : 1))
  for (const deadMan of due) {
    deadMan.state = 'TRIGGERED'
    publish(state, deadManTriggered(deadMan))
    if (ordersOf(state, deadMan).length > 0) deadMan.cancelsBelow = state.orders.length
  }
}

export function armDeadMan(state: State, step: StepOf<'armDeadMan'>): Rejection {
  const { operator, player, timeoutMs } = step
  let deadMan = find(state, step)
  if (deadMan === undefined) {
    deadMan = { operator, player, state: 'ARMED', timeoutMs, deadline: 0, cancelsBelow: 0 }
    state.deadMen.push(deadMan)
  }
  deadMan.state = 'ARMED'
  deadMan.timeoutMs = timeoutMs
  deadMan.deadline = state.now + timeoutMs
  return null
}

export function clearDeadMan(state: State, step: StepOf<'clearDeadMan'>): Rejection {
  const deadMan = find(state, step)
  if (deadMan === undefined || deadMan.state === 'CLEARED') return 'NOT_FOUND'
  deadMan.state = 'CLEARED'
  forget(state)
  return null
}

export function cancelTriggered(state: State, step: StepOf<'cancelTriggered'>): Rejection {
  const deadMan = find(state, step)
  if (deadMan === undefined || deadMan.cancelsBelow === 0) return null
  const left = ordersOf(state, deadMan).filter(({ number }) => number < deadMan.cancelsBelow)
  closeByMarket(state, left.slice(0, step.atMost), 'DEAD_MAN')
  if (left.length > step.atMost) return null
  deadMan.cancelsBelow = 0
  forget(state)
  return null
}

function find(
  { deadMen }: State,
  { operator, player }: { readonly operator: number; readonly player: string | null },
): DeadMan | undefined {
  return deadMen.find((deadMan) => deadMan.operator === operator && deadMan.player === player)
}

/** Open orders, oldest first. */
function ordersOf(state: State, { operator, player }: DeadMan): Order[] {
  return state.markets
    .flatMap(openOrdersOf)
    .filter((order) => order.operator === operator && (player ?? order.player) === order.player)
    .sort((a, b) => a.number - b.number)
}

function forget(state: State): void {
  state.deadMen = state.deadMen.filter(
    (deadMan) => deadMan.state !== 'CLEARED' || deadMan.cancelsBelow > 0,
  )
}
