// Random commands, answers and rejections of every kind, as the codecs of a link must keep them.

import type { OrderAnswer, Placement, TradeAnswer } from '../../../src/core/events/answer.ts'
import { partyRolesOf } from '../../../src/core/events/party-roles.ts'
import { linearFees } from '../../../src/core/fee.ts'
import type { Serial } from '../../../src/core/ids.ts'
import type { FeeRate, Price, Shares } from '../../../src/core/money.ts'
import { unpackOptions } from '../../../src/core/orders/options.ts'
import type { Reject, RejectCode } from '../../../src/core/reject.ts'
import type { ControlsTerms } from '../../../src/core/state/controls.ts'
import {
  controlScopes,
  marketStatuses,
  orderStatuses,
  sides,
  timesInForce,
  tradeKinds,
  tradingModes,
} from '../../../src/core/words.ts'
import type { CommandKind, Commands } from '../../../src/engine/commands.ts'
import { Random } from '../process/random.ts'

type Makers<Table> = { readonly [Name in keyof Table]: () => Table[Name] }

export type RandomCommands = {
  readonly random: Random
  readonly commands: Makers<{ [Kind in CommandKind]: Commands[Kind]['command'] }>
  readonly answers: Makers<{ [Kind in CommandKind]: Commands[Kind]['answer'] }>
  readonly rejects: Makers<{ [Code in RejectCode]: Extract<Reject, { code: Code }> }>
}

export function randomCommands(seed: number): RandomCommands {
  const random = new Random(seed)
  const values = new Values(random)
  return {
    random,
    commands: commandMakers(values),
    answers: answerMakers(values),
    rejects: rejectMakers(values),
  }
}

class Values {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  readonly bool = () => this.#random.fraction() < 0.5
  readonly number = () => this.#random.whole(53)
  readonly signed = () => this.number() - this.number()
  readonly bigint = () => BigInt(this.signed()) * BigInt(this.number())
  readonly serial = () => this.number() as Serial
  readonly shares = () => this.number() as Shares
  readonly price = () => this.#random.between(1, 9_999) as Price
  readonly options = () => this.#random.between(0, timesInForce.length - 1) | (this.bool() ? 4 : 0)
  readonly id = () => `0190${this.number().toString(16).padStart(14, '0')}`

  /** With characters that JSON escapes, that have several bytes, or that look like a mark. */
  readonly text = () => {
    const pieces = ['', 'bigint', '{"bigint":"1"}', '\u2028', '\ud83d\ude00', '"', '\\', '\n', 'é']
    return this.list(() => this.of(pieces), 4).join('')
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.#random.between(0, values.length - 1)]!
  }

  orNull<Value>(make: () => Value): Value | null {
    return this.bool() ? make() : null
  }

  list<Value>(make: () => Value, most = 5): Value[] {
    return Array.from({ length: this.#random.between(0, most) }, make)
  }

  maybe<Fields extends object>(make: () => Fields): Fields | Record<never, never> {
    return this.bool() ? make() : {}
  }
}

function commandMakers(v: Values): RandomCommands['commands'] {
  const ofMarket = () => ({ operatorId: v.id(), marketSerial: v.serial() })
  const deadMan = () => ({ operatorId: v.id(), playerId: v.orNull(v.text) })
  const text = () => ({
    title: v.text(),
    categoryId: v.orNull(v.id),
    tradingStartsAt: v.orNull(v.number),
    tradingEndsAt: v.orNull(v.number),
    description: v.orNull(v.text),
    imageUrl: v.orNull(v.text),
    metadata: v.orNull(v.text),
  })
  const preview = () => ({
    ...ofMarket(),
    outcomeSerial: v.serial(),
    playerId: v.text(),
    side: v.of(sides),
    type: v.of(['LIMIT', 'MARKET'] as const),
    shares: v.shares(),
    price: v.orNull(v.price),
    expiresAt: v.orNull(v.number),
    options: v.options(),
  })
  return {
    place: () => ({ ...preview(), transactionId: v.orNull(v.text) }),
    cancel: () => ({ operatorId: v.id(), orderSerial: v.serial() }),
    cancelMany: () => ({ operatorId: v.id(), orderSerials: v.list(v.serial) }),
    queue: () => ({ operatorId: v.id(), orderSerials: v.list(v.serial) }),
    armDeadMan: () => ({ ...deadMan(), timeoutMs: v.number() }),
    clearDeadMan: deadMan,
    deadMan,
    amend: () => ({
      operatorId: v.id(),
      orderSerial: v.serial(),
      shares: v.orNull(v.shares),
      price: v.orNull(v.price),
    }),
    changeSets: () => ({
      ...ofMarket(),
      kind: v.of(['MINT', 'REDEEM'] as const),
      playerId: v.text(),
      shares: v.shares(),
      transactionId: v.orNull(v.text),
    }),
    createMarket: () => ({
      operatorId: v.id(),
      ...text(),
      currency: v.text(),
      outcomes: v.orNull(() => v.list(() => ({ name: v.text(), description: v.orNull(v.text) }))),
      isShared: v.bool(),
      hasCompleteSetMatching: v.bool(),
      feeSchedule: v.orNull(() => linearFees(v.number() as FeeRate)),
    }),
    editMarket: () => ({
      ...ofMarket(),
      changes: v.maybe(() => ({ title: v.text(), description: v.orNull(v.text) })),
    }),
    changeControls: () => ({
      operatorId: v.orNull(v.id),
      holder: v.of([
        { kind: 'EXCHANGE' },
        { kind: 'OPERATOR', operatorId: v.id() },
        { kind: 'PLAYER', operatorId: v.id(), playerId: v.text() },
      ] as const),
      ...controlsTerms(v),
      cancelsOrders: v.bool(),
      ...v.maybe(() => ({ version: v.number() })),
    }),
    changeTradingWindow: () => ({
      ...ofMarket(),
      tradingEndsAt: v.number(),
      reason: v.text(),
    }),
    manage: () => {
      const resolve = { action: 'resolve' as const, source: v.text(), notes: v.orNull(v.text) }
      const payouts = v.list(() => ({ outcomeSerial: v.serial(), payoutPerShare: v.number() }))
      return {
        ...ofMarket(),
        ...v.of([
          { action: 'open' as const },
          { action: 'suspend' as const, reason: v.text() },
          { ...resolve, winningOutcomeSerial: v.serial() },
          { ...resolve, payouts },
        ]),
      }
    },
    settle: ofMarket,
    retrySettlements: ofMarket,
    acknowledge: () => ({
      operatorId: v.id(),
      settlementSerial: v.serial(),
      transactionId: v.text(),
      status: v.of(['COMPLETED', 'FAILED'] as const),
      errorMessage: v.orNull(v.text),
    }),
    preview,
    book: () => ({
      marketSerial: v.serial(),
      outcomeSerial: v.serial(),
      depth: v.number(),
      ...v.maybe(() => ({ withImplied: v.bool() })),
    }),
    prices: () => ({ marketSerial: v.serial(), outcomeSerial: v.orNull(v.serial) }),
  }
}

function orderMaker(v: Values): () => OrderAnswer {
  return () => ({
    id: v.id(),
    marketId: v.id(),
    outcomeId: v.id(),
    operatorId: v.id(),
    playerId: v.text(),
    side: v.of(sides),
    type: v.of(['LIMIT', 'MARKET'] as const),
    shares: v.number(),
    price: v.orNull(v.price),
    filled: v.number(),
    cost: v.number(),
    remaining: v.number(),
    status: v.of(orderStatuses),
    options: unpackOptions(v.options()),
    transactionId: v.orNull(v.text),
    expiresAt: v.orNull(v.number),
    createdAt: v.number(),
    updatedAt: v.number(),
  })
}

// Of the ids, some are those of the order.
function tradeOf(v: Values, order: OrderAnswer): TradeAnswer {
  const kind = v.of(tradeKinds)
  const isSell = order.side === 'SELL'
  const isIncoming = kind === 'DIRECT' || v.bool()
  // Random ids may be the same, those of two orders never are.
  const ownOrderId = isIncoming ? order.id : `${v.id()}-of-another`
  return {
    id: v.id(),
    marketId: v.of([v.id(), order.marketId]),
    outcomeId: v.of([v.id(), order.outcomeId]),
    buyOrderId: isSell ? v.id() : ownOrderId,
    sellOrderId: isSell ? ownOrderId : v.id(),
    buyerOperatorId: v.of([v.id(), order.operatorId]),
    sellerOperatorId: v.of([v.id(), order.operatorId]),
    price: v.price(),
    shares: v.number(),
    buyerFee: v.number(),
    sellerFee: v.number(),
    ...partyRolesOf({ kind, isSell, isIncoming }),
    kind,
    matchId: v.orNull(v.id),
    createdAt: v.number(),
  }
}

function answerMakers(v: Values): RandomCommands['answers'] {
  const order = orderMaker(v)
  const placement = (): Placement => {
    const placed = order()
    return { order: placed, trades: v.list(() => tradeOf(v, placed)), hasMoreTrades: v.bool() }
  }
  const market = () => ({ marketSerial: v.serial(), status: v.of(marketStatuses) })
  const deadMan = () => ({
    playerId: v.orNull(v.text),
    state: v.of(['ARMED', 'TRIGGERED'] as const),
    deadline: v.number(),
    timeoutMs: v.number(),
  })
  const levels = () =>
    v.list(() => ({
      price: v.price(),
      shares: v.number(),
      orderCount: v.number(),
      ...v.maybe(() => ({ isImplied: true as const })),
    }))
  const position = () => ({
    id: v.id(),
    marketId: v.id(),
    outcomeId: v.id(),
    operatorId: v.id(),
    playerId: v.text(),
    shares: v.number(),
    reserved: v.number(),
    cost: v.bigint(),
    profit: v.bigint(),
    createdAt: v.number(),
    updatedAt: v.number(),
  })
  return {
    place: () => ({ ...placement(), isReplay: v.bool() }),
    cancel: order,
    cancelMany: () => ({ cancelled: v.number() }),
    queue: () =>
      v.list(() => ({
        orderId: v.id(),
        ordersAhead: v.number(),
        sharesAhead: v.number(),
        version: v.number(),
      })),
    armDeadMan: deadMan,
    clearDeadMan: () => null,
    deadMan,
    amend: placement,
    changeSets: () => ({
      id: v.id(),
      marketId: v.id(),
      playerId: v.text(),
      kind: v.of(['MINT', 'REDEEM'] as const),
      shares: v.number(),
      transactionId: v.orNull(v.text),
      createdAt: v.number(),
      positions: v.list(position),
      isReplay: v.bool(),
    }),
    createMarket: market,
    editMarket: market,
    manage: market,
    changeTradingWindow: market,
    changeControls: () => ({
      terms: controlsTerms(v),
      changedAt: v.number(),
      cancelled: v.number(),
    }),
    settle: () => ({ cancelledOrders: v.number(), settled: v.number(), payout: v.bigint() }),
    retrySettlements: () => ({ settlementSerials: v.list(v.serial), payout: v.bigint() }),
    acknowledge: () => ({ settlementSerial: v.serial() }),
    preview: () => ({
      fills: v.list(() => ({ price: v.price(), shares: v.number() })),
      filled: v.number(),
      value: v.number(),
      fee: v.number(),
      resting: v.number(),
      cost: v.number(),
      maxCost: v.bigint(),
    }),
    book: () => ({
      marketId: v.id(),
      outcomeId: v.id(),
      bids: levels(),
      asks: levels(),
      ...v.maybe(() => ({ withImplied: { bids: levels(), asks: levels() } })),
      version: v.number(),
      timestamp: v.number(),
    }),
    prices: () =>
      v.list(() => ({
        bestBid: v.orNull(v.price),
        bestAsk: v.orNull(v.price),
        lastPrice: v.orNull(v.price),
        midPriceHalfTicks: v.orNull(v.number),
        spread: v.orNull(v.number),
        marketId: v.id(),
        outcomeId: v.id(),
        outcomeName: v.text(),
        version: v.number(),
        volume24h: v.number(),
      })),
  }
}

function controlsTerms(v: Values): ControlsTerms {
  return {
    mode: v.of(tradingModes),
    reason: v.orNull(v.text),
    until: v.orNull(v.number),
    limits: v.orNull(() => ({ maxOrderCost: v.number(), maxMarketCost: null })),
  }
}

function rejectMakers(v: Values): RandomCommands['rejects'] {
  const range = () => ({ min: v.number(), max: v.number() })
  const status = () => v.of(marketStatuses)
  return {
    VALIDATION_ERROR: () => ({ code: 'VALIDATION_ERROR', field: v.text(), message: v.text() }),
    ORDER_INVALID_SHARES: () => ({
      code: 'ORDER_INVALID_SHARES',
      shares: v.signed(),
      ...range(),
    }),
    ORDER_INVALID_PRICE: () => ({ code: 'ORDER_INVALID_PRICE', price: v.signed(), ...range() }),
    MARKET_NOT_FOUND: () => ({ code: 'MARKET_NOT_FOUND' }),
    OUTCOME_NOT_FOUND: () => ({ code: 'OUTCOME_NOT_FOUND' }),
    ORDER_NOT_FOUND: () => ({ code: 'ORDER_NOT_FOUND' }),
    SETTLEMENT_NOT_FOUND: () => ({ code: 'SETTLEMENT_NOT_FOUND' }),
    FORBIDDEN: () => ({ code: 'FORBIDDEN', message: v.text() }),
    MARKET_NOT_OPEN: () => ({ code: 'MARKET_NOT_OPEN', status: status() }),
    MARKET_INVALID_TRANSITION: () => ({
      code: 'MARKET_INVALID_TRANSITION',
      status: status(),
      action: v.text(),
    }),
    MARKET_NOT_EDITABLE: () => ({
      code: 'MARKET_NOT_EDITABLE',
      status: status(),
      ...v.maybe(() => ({ field: 'tradingWindow' as const })),
    }),
    ORDER_CANNOT_CANCEL: () => ({ code: 'ORDER_CANNOT_CANCEL', status: v.of(orderStatuses) }),
    ORDER_CANNOT_AMEND: () => ({ code: 'ORDER_CANNOT_AMEND', status: v.of(orderStatuses) }),
    ORDER_NOT_OPEN: () => ({ code: 'ORDER_NOT_OPEN', status: v.of(orderStatuses) }),
    ORDER_NO_LIQUIDITY: () => ({ code: 'ORDER_NO_LIQUIDITY', orderId: v.orNull(v.id) }),
    ORDER_WOULD_MATCH: () => ({ code: 'ORDER_WOULD_MATCH', orderId: v.orNull(v.id) }),
    ORDER_DUPLICATE_TRANSACTION: () => ({
      code: 'ORDER_DUPLICATE_TRANSACTION',
      transactionId: v.text(),
    }),
    DEAD_MAN_TRIGGERED: () => ({ code: 'DEAD_MAN_TRIGGERED', playerId: v.orNull(v.text) }),
    NOT_FOUND: () => ({ code: 'NOT_FOUND', message: v.text() }),
    TRADING_RESTRICTED: () => ({
      code: 'TRADING_RESTRICTED',
      scope: v.of(controlScopes),
      mode: v.of(tradingModes),
      reason: v.orNull(v.text),
      until: v.orNull(v.number),
    }),
    POSITION_INSUFFICIENT_SHARES: () => ({
      code: 'POSITION_INSUFFICIENT_SHARES',
      wanted: v.number(),
      available: v.number(),
    }),
    ORDER_LIMIT: () => ({
      code: 'ORDER_LIMIT',
      holder: v.of(['player', 'operator'] as const),
      max: v.number(),
    }),
    OPERATOR_LIMIT: () => ({
      code: 'OPERATOR_LIMIT',
      limit: v.of(['MAX_OPERATOR_MARKETS', 'MAX_OPERATOR_TEXT_MB'] as const),
      max: v.number(),
    }),
    SETTLEMENT_ALREADY_COMPLETED: () => ({ code: 'SETTLEMENT_ALREADY_COMPLETED' }),
  }
}
