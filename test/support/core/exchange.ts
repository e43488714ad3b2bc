// An exchange for tests: the usual rules, two operators, and a short method for each command,
// which is a turn of its own. Shares, prices and percents are given as people write them.

import assert from 'node:assert/strict'
import { type ChangeControls, changeControls } from '../../../src/core/controls/change-controls.ts'
import { continueSweep } from '../../../src/core/controls/sweep.ts'
import {
  closedOrderOf,
  type OrderAnswer,
  type Placement,
  placementOf,
} from '../../../src/core/events/answer.ts'
import type { Serial } from '../../../src/core/ids.ts'
import {
  type CreateMarket,
  createMarket,
  editMarket,
  type MarketChanges,
} from '../../../src/core/markets/create-market.ts'
import {
  type LifecycleAction,
  type ManageMarket,
  manage,
} from '../../../src/core/markets/lifecycle.ts'
import { changeSets } from '../../../src/core/markets/sets.ts'
import { continueJob, settle } from '../../../src/core/markets/settle.ts'
import { acknowledge, retrySettlements } from '../../../src/core/markets/settlement.ts'
import { changeTradingWindow } from '../../../src/core/markets/trading-window.ts'
import { amend } from '../../../src/core/orders/amend.ts'
import { cancel } from '../../../src/core/orders/cancel.ts'
import { cancelMany } from '../../../src/core/orders/cancel-many.ts'
import { armDeadMan, cancelTriggered, clearDeadMan } from '../../../src/core/orders/dead-man.ts'
import {
  type OrderOptions as CoreOptions,
  packOptions,
  usualOptions,
} from '../../../src/core/orders/options.ts'
import {
  continueGroup,
  createOrderGroup,
  deleteOrderGroup,
  limitOrderGroup,
  resetOrderGroup,
  triggerOrderGroup,
} from '../../../src/core/orders/order-groups.ts'
import { place } from '../../../src/core/orders/place.ts'
import type { ControlsHolder } from '../../../src/core/state/controls.ts'
import type { Rules } from '../../../src/core/state/exchange.ts'
import type { Limits } from '../../../src/core/state/limits.ts'
import type { FailedSettlement } from '../../../src/core/state/market.ts'
import type { Side, TradingMode } from '../../../src/core/words.ts'
import { type Aim, house, TestShard, type Turn } from './shard.ts'
import { amountOf, feeRateOf, priceOf, serial, sharesOf } from './steps.ts'

export { type Aim, type Holding, house, type Saved, type Turn } from './shard.ts'

export const startMs = Date.UTC(2026, 0, 1)
/** Another operator. */
export const participant = 'participant'

/** The placement is null where the order was refused without a trace. */
export type Placed = Turn & { readonly placement: Placement | null }
export type Cancelled = Turn & { readonly order: OrderAnswer | null }

export type OrderOptions = Aim & {
  readonly outcome?: number
  readonly expiresAt?: number
  readonly transactionId?: string
  /** The serial of an order group. */
  readonly group?: Serial
  /** Instead of shares, which are then 0. */
  readonly amount?: number
  /** Left out: the usual ones. */
  readonly options?: Partial<CoreOptions>
}
type DeadManAim = { readonly operator?: string; readonly playerId?: string | null }
type Limit = number | 'market'
/** More than any market in a test takes. */
export const slicesMax = 100

export type MarketOptions = Partial<Omit<CreateMarket, 'operator' | 'outcomes'>> & {
  readonly operator?: string
  readonly outcomes?: readonly string[]
}

/** With an open market of the house, shared unless said otherwise. */
export function newExchange(market: MarketOptions = {}, rules: Partial<Rules> = {}): TestExchange {
  const exchange = new TestExchange(rules)
  for (const { reject } of [
    exchange.createMarket({ isShared: true, ...market }),
    exchange.manage('open'),
  ]) {
    assert.equal(reject, null)
  }
  return exchange
}

export class TestExchange extends TestShard {
  constructor(rules: Partial<Rules> = {}) {
    super(rules)
    this.putOperator(house)
    this.putOperator(participant)
    this.wait(startMs)
  }

  /** Adds an operator or changes its settings; a fee of null is the exchange's own. */
  putOperator(id: string, feePercent: number | null = null, currencies = ['USD']): void {
    const feeRate = feePercent === null ? null : feeRateOf(feePercent)
    this.core.putOperator({ id, supportedCurrencies: currencies, feeRate })
  }

  createMarket({ operator = house, outcomes, ...more }: MarketOptions = {}): Turn {
    const turn = this.turn((exchange) =>
      createMarket(exchange, {
        operator: this.operator(operator),
        title: 'Will it rain?',
        description: null,
        imageUrl: null,
        categoryId: null,
        metadata: null,
        tradingStartsAt: null,
        tradingEndsAt: null,
        currency: 'USD',
        isShared: false,
        hasCompleteSetMatching: false,
        ...more,
        outcomes: outcomes?.map((name) => ({ name, description: `About ${name}` })) ?? null,
      }),
    )
    if (turn.reject === null) this.marketSerial = this.core.ids.serialOf(turn.events[0]!.marketId!)!
    return turn
  }

  editMarket(changes: MarketChanges, aim: Aim = {}): Turn {
    return this.turn((exchange) => editMarket(exchange, { ...this.#managed(aim), changes }))
  }

  /** With a reason where one is needed; the first outcome wins by default. */
  manage(
    action: LifecycleAction['action'],
    { winner = 0, ...aim }: Aim & { readonly winner?: number } = {},
  ): Turn {
    const resolution = {
      winningOutcomeSerial: this.outcomeSerial(winner, aim),
      source: 'The press',
      notes: 'At noon',
    }
    const command = { ...this.#managed(aim), reason: 'A reason', ...resolution, action }
    return this.turn((exchange) => manage(exchange, command as LifecycleAction))
  }

  changeTradingWindow(tradingEndsAt: number, aim: Aim = {}): Turn {
    const command = { ...this.#managed(aim), tradingEndsAt, reason: 'A reason' }
    return this.turn((exchange) => changeTradingWindow(exchange, command))
  }

  /** A brake on a player of the house unless said otherwise; `sweep` cancels the orders. */
  brake(holder: ControlsHolder, terms: Partial<ChangeControls> & { mode: TradingMode }): Turn {
    const reason = terms.mode === 'OPEN' ? null : 'A reason'
    const usual = { reason, until: null, limits: null, cancelsOrders: true }
    return this.turn((exchange) => changeControls(exchange, { holder, ...usual, ...terms }))
  }

  halt(playerId: string, terms: Partial<ChangeControls> = {}): Turn {
    const holder = { kind: 'PLAYER', operatorId: house, playerId } as const
    return this.brake(holder, { mode: 'HALTED', ...terms })
  }

  /** The limits of a player of the house, or without one the defaults of its players, in steps. */
  limit(playerId: string | null, limits: Limits | null): Turn {
    const holder: ControlsHolder =
      playerId === null
        ? { kind: 'OPERATOR', operatorId: house }
        : { kind: 'PLAYER', operatorId: house, playerId }
    return this.brake(holder, { mode: 'OPEN', limits })
  }

  /** Cancels so many of the orders that a brake does not leave open. */
  sweep(holder: ControlsHolder, atMost = 1_000): Turn {
    return this.turn((exchange) => {
      continueSweep(exchange, exchange.knownControlsOf(holder)!, atMost)
      return null
    })
  }

  /** By outcome: what a share pays, as a decimal; in the order in which they are listed. */
  resolveBy(payouts: readonly (readonly [outcome: number, payout: number])[]): Turn {
    return this.turn((exchange) =>
      manage(exchange, {
        ...this.#managed({}),
        action: 'resolve',
        payouts: payouts.map(([outcome, payout]) => {
          return {
            outcomeSerial: this.outcomeSerial(outcome),
            payoutPerShare: Math.round(payout * 10_000),
          }
        }),
        source: 'The press',
        notes: null,
      }),
    )
  }

  /** Only starts the job; continueJob does the work. */
  settle(aim: Aim = {}): Turn {
    return this.turn((exchange) => settle(exchange, this.#managed(aim)))
  }

  continueJob(atMost = 1_000): Turn {
    return this.turn((exchange) => {
      continueJob(exchange, this.market(), atMost)
      return null
    })
  }

  /** From OPEN to SETTLED. */
  settleWhole({ winner = 0 } = {}): void {
    for (const { reject } of [
      this.manage('close'),
      this.manage('resolve', { winner }),
      this.settle(),
    ]) {
      assert.equal(reject, null)
    }
    for (let slice = 0; slice < slicesMax && this.status() !== 'SETTLED'; slice += 1)
      this.continueJob()
    assert.equal(this.status(), 'SETTLED')
  }

  acknowledge(settlement: FailedSettlement, status: 'COMPLETED' | 'FAILED', aim: Aim = {}): Turn {
    return this.turn((exchange) =>
      acknowledge(exchange, { ...this.#managed(aim), settlement, status }),
    )
  }

  retrySettlements(atMost = 1_000, aim: Aim = {}): Turn {
    return this.turn((exchange) => retrySettlements(exchange, this.#managed(aim), atMost))
  }

  buy(player: string, shares: number, price: Limit, options: OrderOptions = {}): Placed {
    return this.#place({ ...options, side: 'BUY', player, shares, price })
  }

  sell(player: string, shares: number, price: Limit, options: OrderOptions = {}): Placed {
    return this.#place({ ...options, side: 'SELL', player, shares, price })
  }

  /** By public id. */
  cancel(orderId: string, operator = house): Cancelled {
    let order: OrderAnswer | null = null
    const turn = this.turn((exchange) => {
      const orderSerial = exchange.ids.serialOf(orderId) ?? serial(0)
      const reject = cancel(exchange, this.operator(operator), orderSerial)
      if (reject === null) order = closedOrderOf(exchange, exchange.journal.current)
      return reject
    })
    return { ...turn, order }
  }

  /** Of the operator, or of one of its players. */
  armDeadMan(timeoutMs: number, { operator = house, playerId = null }: DeadManAim = {}): Turn {
    const scope = { operator: this.operator(operator), playerId }
    return this.turn((exchange) => armDeadMan(exchange, { ...scope, timeoutMs }))
  }

  clearDeadMan({ operator = house, playerId = null }: DeadManAim = {}): Turn {
    const scope = { operator: this.operator(operator), playerId }
    return this.turn((exchange) => clearDeadMan(exchange, scope))
  }

  /** One slice of the first switch that has orders to cancel. */
  cancelTriggered(atMost = 1_000): Turn {
    return this.turn((exchange) => {
      const [deadMan] = exchange.cancelling
      if (deadMan !== undefined) cancelTriggered(exchange, deadMan, atMost)
      return null
    })
  }

  /** Of a player; the group's serial is that of the last record. */
  createGroup(
    playerId: string,
    limitShares: number,
    { windowMs = 15_000, operator = house } = {},
  ): Turn & { readonly group: Serial } {
    const turn = this.turn((exchange) =>
      createOrderGroup(exchange, {
        operator: this.operator(operator),
        playerId,
        limitShares: sharesOf(limitShares),
        windowMs,
      }),
    )
    return { ...turn, group: serial(this.core.lastSerial) }
  }

  /** A number is a new limit. */
  changeGroup(
    groupSerial: Serial,
    change: 'reset' | 'trigger' | 'delete' | number,
    operatorId = house,
  ): Turn {
    const command = { operator: this.operator(operatorId), groupSerial }
    return this.turn((exchange) => {
      if (change === 'reset') return resetOrderGroup(exchange, command)
      if (change === 'trigger') return triggerOrderGroup(exchange, command)
      if (change === 'delete') return deleteOrderGroup(exchange, command)
      return limitOrderGroup(exchange, { ...command, limitShares: sharesOf(change) })
    })
  }

  /** One slice of the first group that has orders to cancel. */
  continueGroup(atMost = 1_000): Turn {
    return this.turn((exchange) => {
      const [group] = exchange.cancellingGroups
      if (group !== undefined) continueGroup(exchange, group, atMost)
      return null
    })
  }

  /** By public id; returns how many were cancelled. */
  cancelMany(orderIds: readonly string[], operator = house): Turn & { readonly cancelled: number } {
    let cancelled = 0
    const turn = this.turn((exchange) => {
      const serials = orderIds.map((id) => exchange.ids.serialOf(id) ?? serial(0))
      cancelled = cancelMany(exchange, this.operator(operator), serials)
      return null
    })
    return { ...turn, cancelled }
  }

  /** By public id. */
  amend(orderId: string, to: { shares?: number; price?: number }, operator = house): Placed {
    let placement: Placement | null = null
    const turn = this.turn((exchange) => {
      const reject = amend(exchange, {
        operator: this.operator(operator),
        orderSerial: exchange.ids.serialOf(orderId) ?? serial(0),
        shares: to.shares === undefined ? null : sharesOf(to.shares),
        price: to.price === undefined ? null : priceOf(to.price),
      })
      if (reject === null) placement = placementOf(exchange, exchange.journal.current)
      return reject
    })
    return { ...turn, placement }
  }

  mint(player: string, shares: number, aim: Aim = {}): Turn {
    return this.#changeSets('MINT', player, shares, aim)
  }

  redeem(player: string, shares: number, aim: Aim = {}): Turn {
    return this.#changeSets('REDEEM', player, shares, aim)
  }

  #place(
    order: OrderOptions & { side: Side; player: string; shares: number; price: Limit },
  ): Placed {
    const { price } = order
    let placement: Placement | null = null
    const turn = this.turn((exchange) => {
      const { commandSequence } = exchange
      const reject = place(exchange, {
        ...this.#managed(order),
        outcomeSerial: this.outcomeSerial(order.outcome ?? 0, order),
        playerId: order.player,
        side: order.side,
        type: price === 'market' ? 'MARKET' : 'LIMIT',
        shares: sharesOf(order.shares),
        ...(order.amount === undefined ? {} : { amount: amountOf(order.amount) }),
        price: price === 'market' ? null : priceOf(price),
        expiresAt: order.expiresAt ?? null,
        options: packOptions({ ...usualOptions, ...order.options }),
        transactionId: order.transactionId ?? null,
        orderGroupSerial: order.group ?? null,
      })
      if (exchange.commandSequence > commandSequence)
        placement = placementOf(exchange, exchange.journal.current)
      return reject
    })
    return { ...turn, placement }
  }

  #changeSets(kind: 'MINT' | 'REDEEM', playerId: string, shares: number, aim: Aim): Turn {
    const command = { ...this.#managed(aim), kind, playerId, transactionId: null }
    return this.turn((exchange) => changeSets(exchange, { ...command, shares: sharesOf(shares) }))
  }

  #managed({ operator = house, market = this.marketSerial }: Aim): ManageMarket {
    return { operator: this.operator(operator), marketSerial: market }
  }
}
