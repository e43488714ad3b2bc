// The naive model of the exchange, slow and obviously right, with which the simulator compares the
// exchange. Each step first runs the scheduled changes that are due.

import { amend } from './model-amend.ts'
import { changeControls, continueSweep, forgetLeft, releaseDue } from './model-controls.ts'
import { armDeadMan, cancelTriggered, clearDeadMan, triggerDue } from './model-dead-man.ts'
import { changeGroup, continueGroup, createGroup } from './model-groups.ts'
import {
  changeStatus,
  changeWindow,
  createMarket,
  edit,
  hasStarted,
  move,
} from './model-markets.ts'
import { cancel, cancelMany, closeOrders, place } from './model-orders.ts'
import { mintOrRedeem } from './model-positions.ts'
import { acknowledge, continueMarket, retrySettlements, settle } from './model-settle.ts'
import {
  emptyState,
  isOpen,
  openOrdersOf,
  type Rejection,
  type Setup,
  type State,
  type StepOf,
} from './model-state.ts'
import { viewOf } from './model-view.ts'
import type { Result, Step, Subject, View } from './step.ts'

export class Model implements Subject {
  readonly state: State

  constructor(setup: Setup) {
    this.state = emptyState(setup)
  }

  /** A time before the last one counts as the last one. */
  step(step: Step, now: number): Result {
    const { state } = this
    state.now = Math.max(state.now, now)
    state.events = []
    triggerDue(state)
    releaseDue(state)
    openDue(state)
    expireDue(state)
    const reject = apply(state, step)
    removeClosedOrders(state)
    return { reject, events: state.events }
  }

  view(now: number): View {
    return viewOf(this.state, Math.max(this.state.now, now))
  }

  /** Whether a brake is in the middle of cancelling orders. */
  get isSweeping(): boolean {
    return this.state.brakes.some(({ left }) => left !== null)
  }

  rebuild(): void {
    forgetLeft(this.state)
  }

  /** What each operator paid in fees, in units of 1e-10. */
  fees(): { operator: number; total: bigint }[] {
    const trades = this.state.markets.flatMap(({ books }) => books.flatMap((book) => book.trades))
    const paid = trades.flatMap((trade) => trade.fees)
    return this.state.operators.map((_, operator) => {
      const own = paid.filter((fee) => fee.operator === operator)
      return { operator, total: own.reduce((sum, { fee }) => sum + fee, 0n) }
    })
  }
}

function openDue(state: State): void {
  const due = state.markets
    .filter((market) => market.status === 'UPCOMING' && hasStarted(state, market))
    .sort((a, b) => (a.tradingStartsAt ?? 0) - (b.tradingStartsAt ?? 0) || a.number - b.number)
  for (const market of due) changeStatus(state, market, { status: 'OPEN' })
}

function expireDue(state: State): void {
  const due = state.markets
    .flatMap(openOrdersOf)
    .filter((order) => order.expiresAt !== null && order.expiresAt <= state.now)
    .sort((a, b) => a.expiresAt! - b.expiresAt! || a.number - b.number)
  for (const order of due) closeOrders(state, [order], 'EXPIRED')
}

/** Changes nothing visible; it only saves the time to scan closed orders. */
function removeClosedOrders(state: State): void {
  for (const { books } of state.markets) {
    for (const book of books) book.orders = book.orders.filter(isOpen)
  }
}

function apply(state: State, step: Step): Rejection {
  switch (step.do) {
    case 'createMarket':
      return createMarket(state, step)
    case 'edit':
      return edit(state, step)
    case 'changeWindow':
      return changeWindow(state, step)
    case 'open':
    case 'resume':
    case 'close':
    case 'suspend':
    case 'cancelMarket':
    case 'resolve':
      return move(state, step)
    case 'settle':
      return settle(state, step)
    case 'continue':
      return continueMarket(state, step)
    case 'acknowledge':
      return acknowledge(state, step)
    case 'retrySettlements':
      return retrySettlements(state, step)
    case 'place':
      return place(state, step)
    case 'cancel':
      return cancel(state, step)
    case 'cancelMany':
      return cancelMany(state, step)
    case 'amend':
      return amend(state, step)
    case 'mint':
    case 'redeem':
      return mintOrRedeem(state, step)
    case 'armDeadMan':
      return armDeadMan(state, step)
    case 'clearDeadMan':
      return clearDeadMan(state, step)
    case 'cancelTriggered':
      return cancelTriggered(state, step)
    case 'createGroup':
      return createGroup(state, step)
    case 'changeGroup':
      return changeGroup(state, step)
    case 'continueGroup':
      return continueGroup(state, step)
    case 'brake':
      return changeControls(state, step)
    case 'sweep':
      return continueSweep(state, step)
    case 'setFee':
      return setFee(state, step)
  }
}

function setFee(state: State, { operator, ...fees }: StepOf<'setFee'>): Rejection {
  const { feeRate, feeSchedule } = fees
  Object.assign(state.operators[operator]!, { feeRate, feeSchedule })
  return null
}
