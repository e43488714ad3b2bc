// Random answers to commands of every kind.

import type { OrderAnswer, Placement, TradeAnswer } from '../../../src/core/events/answer.ts'
import { partyRolesOf } from '../../../src/core/events/party-roles.ts'
import { unpackOptions } from '../../../src/core/orders/options.ts'
import { marketStatuses, orderStatuses, sides, tradeKinds } from '../../../src/core/words.ts'
import type { CommandKind, Commands } from '../../../src/engine/commands.ts'
import { controlsTerms, type Makers, type Values } from './random-values.ts'

export type AnswerMakers = Makers<{ [Kind in CommandKind]: Commands[Kind]['answer'] }>

type PositionAnswer = Commands['changeSets']['answer']['positions'][number]

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
    orderGroupId: v.orNull(v.id),
    expiresAt: v.orNull(v.number),
    createdAt: v.number(),
    updatedAt: v.number(),
    ...v.maybe(() => ({ spending: { amount: v.number(), spent: v.number() } })),
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

function positionMaker(v: Values): () => PositionAnswer {
  return () => ({
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
}

export function answerMakers(v: Values): AnswerMakers {
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
    ...groupAnswers(v),
    amend: placement,
    changeSets: () => ({
      id: v.id(),
      marketId: v.id(),
      playerId: v.text(),
      kind: v.of(['MINT', 'REDEEM'] as const),
      shares: v.number(),
      transactionId: v.orNull(v.text),
      createdAt: v.number(),
      positions: v.list(positionMaker(v)),
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
      ...v.maybe(() => ({ amount: v.number() })),
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

function groupAnswers(v: Values) {
  const group = () => ({
    id: v.id(),
    playerId: v.text(),
    limitShares: v.number(),
    windowMs: v.number(),
    matchedShares: v.number(),
    status: v.of(['ACTIVE', 'TRIGGERED'] as const),
    createdAt: v.number(),
  })
  return {
    createOrderGroup: group,
    limitOrderGroup: group,
    triggerOrderGroup: group,
    resetOrderGroup: group,
    deleteOrderGroup: () => null,
    orderGroup: group,
    orderGroups: () => ({ groups: v.list(group), total: v.number(), hasMore: v.bool() }),
  }
}
