// Operators, the players that trade through them, their dead-man switches and order groups.

import type { FeeSchedule } from '../fee.ts'
import type { Serial } from '../ids.ts'
import type { OrderRow } from '../memory/memory.ts'
import type { DeadManHandle, MarketHandle, OperatorHandle, PlayerHandle } from '../memory/slots.ts'
import type { FeeRate } from '../money.ts'
import type { Controls } from './controls.ts'
import { FillWindow, type OrderGroupStatus } from './fill-window.ts'
import type { LimitSources } from './limits.ts'
import type { OpenBuys } from './open-buys.ts'

export class Operator {
  readonly handle: OperatorHandle
  readonly id: string
  supportedCurrencies: readonly string[]
  feeRate: FeeRate | null
  feeSchedule: FeeSchedule | null
  /** What its side of a trade pays, from the two above or the default rate of the exchange. */
  fees: FeeSchedule
  /** The number of its last event. */
  eventSequence = 0
  /** How many orders of its players rest; see order-counts.ts. */
  openOrders = 0
  /** Its live markets, their outcomes and the bytes of their texts; see market-counts.ts. */
  readonly live = { markets: 0, outcomes: 0, textBytes: 0 }
  readonly players = new Map<string, Player>()
  /** Its dead-man switches, by player, null for its own; null while it has none. */
  deadMen: Map<string | null, DeadMan> | null = null
  /** The order groups of its players; null while it has none. */
  orderGroups: Map<string, Set<OrderGroup>> | null = null
  orderGroupCount = 0
  /**
   * The brake that it has put on itself, with the default limits of its players, and that of the
   * administrator; null for none.
   */
  controls: Controls | null = null
  administratorControls: Controls | null = null

  constructor(handle: OperatorHandle, settings: OperatorSettings, fees: FeeSchedule) {
    this.handle = handle
    this.id = settings.id
    this.supportedCurrencies = settings.supportedCurrencies
    this.feeRate = settings.feeRate
    this.feeSchedule = settings.feeSchedule ?? null
    this.fees = fees
  }
}

export type OperatorSettings = {
  readonly id: string
  readonly supportedCurrencies: readonly string[]
  readonly feeRate: FeeRate | null
  /** Left out: null. */
  readonly feeSchedule?: FeeSchedule | null
}

export class Player {
  readonly handle: PlayerHandle
  readonly operator: Operator
  /** The operator's own name for the player. */
  readonly id: string
  /** How many of its orders rest; see order-counts.ts. */
  openOrders = 0
  /** The same by the handle of the market; null while nothing needs it. */
  openOrdersByMarket: Map<number, number> | null = null
  /** The brake on it; null for none. */
  controls: Controls | null = null
  /** What its open BUY orders want; null while it has no limit. */
  openBuys: OpenBuys | null = null

  constructor(handle: PlayerHandle, operator: Operator, id: string) {
    this.handle = handle
    this.operator = operator
    this.id = id
  }
}

/** A player that the exchange does not know yet has only the defaults of its operator. */
export function limitSourcesOf(operator: Operator, player: Player | undefined): LimitSources {
  return {
    own: player?.controls?.terms.limits ?? null,
    defaults: operator.controls?.terms.limits ?? null,
  }
}

/** A cleared one exists until the orders are cancelled that it had to cancel before. */
export const deadManStates = ['ARMED', 'TRIGGERED', 'CLEARED'] as const
export type DeadManState = (typeof deadManStates)[number]

/**
 * Cancels the open orders of an operator, or of one of its players, once it has not been renewed in
 * time. orders/dead-man.ts has the rules.
 */
export class DeadMan {
  readonly handle: DeadManHandle
  readonly operator: Operator
  /** null for the whole operator. */
  readonly playerId: string | null
  state: DeadManState = 'ARMED'
  timeoutMs = 0
  deadline = 0
  /** Open orders with serials up to this one are still to be cancelled; 0 for none. */
  cancelUpTo = 0
  /** The serials of those orders, the lowest last; null until they are looked up. */
  pending: Serial[] | null = null

  constructor(handle: DeadManHandle, operator: Operator, playerId: string | null) {
    this.handle = handle
    this.operator = operator
    this.playerId = playerId
  }
}

export type NewOrderGroup = {
  readonly serial: Serial
  readonly createdAt: number
  readonly operator: Operator
  readonly playerId: string
  readonly limitShares: number
  readonly windowMs: number
}

/**
 * A group of orders of one player, which is triggered when they are filled faster than its owner
 * wants. orders/order-groups.ts and orders/group-fills.ts have the rules.
 */
export class OrderGroup {
  readonly serial: Serial
  /** Its public id. */
  readonly id: string
  readonly createdAt: number
  readonly operator: Operator
  readonly playerId: string
  /** In hundredths of a share. */
  limitShares: number
  readonly windowMs: number
  status: OrderGroupStatus = 'ACTIVE'
  /** Open orders with serials up to this one are still to be cancelled; 0 for none. */
  cancelUpTo = 0
  /** The serials of those orders, the lowest last; null until they are looked up. */
  pending: Serial[] | null = null
  readonly fills: FillWindow
  /** Its open orders, so that they are found without a search. */
  readonly ordersByMarket = new Map<MarketHandle, Set<OrderRow>>()

  constructor(id: string, group: NewOrderGroup) {
    this.id = id
    this.serial = group.serial
    this.createdAt = group.createdAt
    this.operator = group.operator
    this.playerId = group.playerId
    this.limitShares = group.limitShares
    this.windowMs = group.windowMs
    this.fills = new FillWindow(group.windowMs)
  }

  get hasOrders(): boolean {
    return this.ordersByMarket.size > 0
  }

  addOrder(market: MarketHandle, order: OrderRow): void {
    const orders = this.ordersByMarket.get(market)
    if (orders === undefined) this.ordersByMarket.set(market, new Set([order]))
    else orders.add(order)
  }

  removeOrder(market: MarketHandle, order: OrderRow): void {
    const orders = this.ordersByMarket.get(market)
    orders?.delete(order)
    if (orders?.size === 0) this.ordersByMarket.delete(market)
  }
}
