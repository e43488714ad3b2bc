// Answers as they cross a link: tuples for the frequent kinds, and plain objects for the others.

import type { OrderAnswer, Placement, TradeAnswer } from '../../core/events/answer.ts'
import { partyRolesOf } from '../../core/events/party-roles.ts'
import { packOptions, unpackOptions } from '../../core/orders/options.ts'
import { orderStatuses, sides, tradeKinds } from '../../core/words.ts'
import type { CommandKind, Commands, PlaceAnswer } from '../../engine/commands.ts'
import { type Codec, placeOf, plain, withBigints, wordAt } from './codec.ts'
import { orderTypes } from './command-codec.ts'

type OrderTuple = readonly [
  id: string,
  marketId: string,
  outcomeId: string,
  operatorId: string,
  playerId: string,
  side: number,
  type: number,
  shares: number,
  price: number | null,
  filled: number,
  cost: number,
  remaining: number,
  status: number,
  options: number,
  transactionId: string | null,
  expiresAt: number | null,
  createdAt: number,
  updatedAt: number,
  /** Left out where it is in none, unless an amount follows. */
  orderGroupId?: string | null,
  /** Of an order by amount. */
  amount?: number,
  spent?: number,
]

const order: Codec<OrderAnswer> = {
  encode: (answer) => {
    const { orderGroupId, spending } = answer
    const tuple: OrderTuple = [
      answer.id,
      answer.marketId,
      answer.outcomeId,
      answer.operatorId,
      answer.playerId,
      placeOf(sides, answer.side),
      placeOf(orderTypes, answer.type),
      answer.shares,
      answer.price,
      answer.filled,
      answer.cost,
      answer.remaining,
      placeOf(orderStatuses, answer.status),
      packOptions(answer.options),
      answer.transactionId,
      answer.expiresAt,
      answer.createdAt,
      answer.updatedAt,
    ]
    if (spending !== undefined) return [...tuple, orderGroupId, spending.amount, spending.spent]
    return orderGroupId === null ? tuple : [...tuple, orderGroupId]
  },
  decode: (json) => {
    const tuple = json as OrderTuple
    const [amount, spent] = [tuple[19], tuple[20]]
    const isByAmount = amount !== undefined && spent !== undefined
    return {
      id: tuple[0],
      marketId: tuple[1],
      outcomeId: tuple[2],
      operatorId: tuple[3],
      playerId: tuple[4],
      side: wordAt(sides, tuple[5]),
      type: wordAt(orderTypes, tuple[6]),
      shares: tuple[7],
      price: tuple[8],
      filled: tuple[9],
      cost: tuple[10],
      remaining: tuple[11],
      status: wordAt(orderStatuses, tuple[12]),
      options: unpackOptions(tuple[13]),
      transactionId: tuple[14],
      expiresAt: tuple[15],
      createdAt: tuple[16],
      updatedAt: tuple[17],
      orderGroupId: tuple[18] ?? null,
      ...(isByAmount ? { spending: { amount, spent } } : {}),
    }
  },
}

/** 0 for an id of the order itself: the trades of an order repeat most of its ids. */
type TradeTuple = readonly [
  id: string,
  marketId: string | 0,
  outcomeId: string | 0,
  buyOrderId: string | 0,
  sellOrderId: string | 0,
  buyerOperatorId: string | 0,
  sellerOperatorId: string | 0,
  price: number,
  shares: number,
  buyerFee: number,
  sellerFee: number,
  kind: number,
  matchId: string | null,
  createdAt: number,
]

function encodeTrade(trade: TradeAnswer, of: OrderAnswer): TradeTuple {
  return [
    trade.id,
    shortened(trade.marketId, of.marketId),
    shortened(trade.outcomeId, of.outcomeId),
    shortened(trade.buyOrderId, of.id),
    shortened(trade.sellOrderId, of.id),
    shortened(trade.buyerOperatorId, of.operatorId),
    shortened(trade.sellerOperatorId, of.operatorId),
    trade.price,
    trade.shares,
    trade.buyerFee,
    trade.sellerFee,
    placeOf(tradeKinds, trade.kind),
    trade.matchId,
    trade.createdAt,
  ]
}

// The roles follow from the rest: an answer has trades in which its order was the incoming one, and
// legs of its operator, which are on the same side.
function decodeTrade(tuple: TradeTuple, of: OrderAnswer): TradeAnswer {
  const kind = wordAt(tradeKinds, tuple[11])
  const isSell = of.side === 'SELL'
  const isIncoming = kind === 'DIRECT' || (isSell ? tuple[4] : tuple[3]) === 0
  return {
    id: tuple[0],
    marketId: tuple[1] || of.marketId,
    outcomeId: tuple[2] || of.outcomeId,
    buyOrderId: tuple[3] || of.id,
    sellOrderId: tuple[4] || of.id,
    buyerOperatorId: tuple[5] || of.operatorId,
    sellerOperatorId: tuple[6] || of.operatorId,
    price: tuple[7],
    shares: tuple[8],
    buyerFee: tuple[9],
    sellerFee: tuple[10],
    ...partyRolesOf({ kind, isSell, isIncoming }),
    kind,
    matchId: tuple[12],
    createdAt: tuple[13],
  }
}

function shortened(id: string, ofOrder: string): string | 0 {
  return id === ofOrder ? 0 : id
}

type PlacementTuple = readonly [OrderTuple, hasMoreTrades: 0 | 1, readonly TradeTuple[]]

const placement: Codec<Placement> = {
  encode: (answer) => [
    order.encode(answer.order),
    answer.hasMoreTrades ? 1 : 0,
    answer.trades.map((trade) => encodeTrade(trade, answer.order)),
  ],
  decode: (json) => {
    const [orderTuple, hasMoreTrades, trades] = json as PlacementTuple
    const decoded = order.decode(orderTuple)
    return {
      order: decoded,
      trades: trades.map((trade) => decodeTrade(trade, decoded)),
      hasMoreTrades: hasMoreTrades === 1,
    }
  },
}

const placed: Codec<PlaceAnswer> = {
  encode: (answer) => [answer.isReplay ? 1 : 0, placement.encode(answer)],
  decode: (json) => {
    const [isReplay, tuple] = json as [0 | 1, PlacementTuple]
    return { ...placement.decode(tuple), isReplay: isReplay === 1 }
  },
}

const cancelled: Codec<Commands['cancelMany']['answer']> = {
  encode: (answer) => answer.cancelled,
  decode: (json) => ({ cancelled: json as number }),
}

const codecs: { readonly [Kind in CommandKind]: Codec<Commands[Kind]['answer']> } = {
  place: placed,
  cancel: order,
  cancelMany: cancelled,
  amend: placement,
  changeSets: withBigints(),
  createMarket: plain(),
  editMarket: plain(),
  manage: plain(),
  changeTradingWindow: plain(),
  changeControls: plain(),
  settle: withBigints(),
  retrySettlements: withBigints(),
  acknowledge: plain(),
  armDeadMan: plain(),
  clearDeadMan: plain(),
  deadMan: plain(),
  createOrderGroup: plain(),
  limitOrderGroup: plain(),
  triggerOrderGroup: plain(),
  resetOrderGroup: plain(),
  deleteOrderGroup: plain(),
  orderGroup: plain(),
  orderGroups: plain(),
  preview: withBigints(),
  book: plain(),
  prices: plain(),
  queue: plain(),
}

export function answerCodec<Kind extends CommandKind>(kind: Kind): Codec<Commands[Kind]['answer']> {
  return codecs[kind]
}
