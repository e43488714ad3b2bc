// Brakes on trading in the model: one record for each holder, and all of them are asked every time.

import { isDeepStrictEqual } from 'node:util'
import { controlsChanged, publish } from './model-events.ts'
import { closeOrders } from './model-orders.ts'
import { covers } from './model-restrictions.ts'
import {
  type Brake,
  type Holder,
  isOpen,
  type Order,
  openOrdersOf,
  type Rejection,
  type State,
  type StepOf,
} from './model-state.ts'

export function changeControls(state: State, step: StepOf<'brake'>): Rejection {
  const { holder, mode, reason, until, limits, cancelsOrders } = step
  if (holder.kind !== 'EXCHANGE' && until !== null && until <= state.now) return 'VALIDATION_ERROR'
  const known = state.brakes.find((brake) => isSame(brake.holder, holder))
  const isNothing = mode === 'OPEN' && limits === null && holder.kind !== 'EXCHANGE'
  if (known === undefined && isNothing) return null
  const isSweeping = known !== undefined && known.left !== null
  const isSameMode = known?.mode === mode && known.reason === reason && known.until === until
  const isRepeated = isSameMode && isDeepStrictEqual(known.limits, limits)
  if (isSweeping && cancelsOrders && isRepeated) return null

  const brake = known ?? {
    holder,
    mode,
    reason,
    until,
    limits,
    left: null,
    cancelled: 0,
    isForgotten: false,
    told: [],
  }
  if (known === undefined) state.brakes.push(brake)
  const isOver = until !== null && until <= state.now
  if (isOver) Object.assign(brake, { mode: 'OPEN', reason: null, until: null })
  else Object.assign(brake, { mode, reason, until })
  brake.limits = limits
  if (!isSweeping) brake.cancelled = 0
  brake.isForgotten = false
  brake.left = brake.mode === 'OPEN' || !cancelsOrders ? null : ordersToCancel(state, brake)
  if (brake.left?.length === 0 && brake.cancelled === 0) brake.left = null
  tell(state, brake)
  return null
}

/** Cancels the oldest orders that are left, market by market. */
export function continueSweep(state: State, { holder, atMost }: StepOf<'sweep'>): Rejection {
  const brake = state.brakes.find((each) => isSame(each.holder, holder))
  if (brake === undefined || brake.left === null) return null
  const open = brake.left.filter(isOpen)
  if (brake.isForgotten) brake.left = open
  brake.isForgotten = false
  const taken = open.slice(0, atMost)
  for (const market of new Set(taken.map((order) => order.market))) {
    closeOrders(
      state,
      taken.filter((order) => order.market === market),
      'TRADING_RESTRICTED',
    )
  }
  brake.cancelled += taken.length
  // Orders behind the last that was cancelled are not looked at, so that the end may come later.
  const last = taken.length < atMost ? undefined : taken.at(-1)
  const left = last === undefined ? [] : brake.left.slice(brake.left.indexOf(last) + 1)
  brake.left = left.length === 0 ? null : left
  return null
}

/** The memory was thrown away: which orders are left is looked for again. */
export function forgetLeft(state: State): void {
  for (const brake of state.brakes) brake.isForgotten = brake.left !== null
}

export function releaseDue(state: State): void {
  const due = state.brakes
    .filter(({ until }) => until !== null && until <= state.now)
    .sort((a, b) => a.until! - b.until!)
  for (const brake of due) {
    Object.assign(brake, { mode: 'OPEN', reason: null, until: null, left: null })
    tell(state, brake)
  }
}

function ordersToCancel(state: State, { holder, mode }: Brake): Order[] {
  return state.markets
    .flatMap(openOrdersOf)
    .filter(({ operator, player }) => covers(holder, operator, player))
    .filter(({ side }) => mode === 'HALTED' || side === 'BUY')
    .sort((a, b) => a.number - b.number)
}

function tell(state: State, brake: Brake): void {
  const { holder, mode, limits } = brake
  if (holder.kind !== 'EXCHANGE') {
    publish(state, controlsChanged(brake, holder.operator))
    // Nothing is left of a brake that was released.
    if (mode === 'OPEN' && limits === null) state.brakes.splice(state.brakes.indexOf(brake), 1)
    return
  }
  const told = new Set([...brake.told, ...(brake.left ?? []).map(({ operator }) => operator)])
  for (const operator of told) publish(state, controlsChanged(brake, operator))
  brake.told = mode === 'OPEN' ? [] : [...told]
}

function isSame(one: Holder, other: Holder): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
