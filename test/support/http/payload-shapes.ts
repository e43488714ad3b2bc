// The fields of every event's payload, and their forms, as the contract lists them.

import type { Form } from './answers.ts'

type Shape = Readonly<Record<string, Form | `${Form}?`>>

const ofMarket: Shape = { marketId: 'uuid', operatorId: 'uuid', timestamp: 'integer' }
const ofOrder: Shape = {
  ...ofMarket,
  orderId: 'uuid',
  outcomeId: 'uuid',
  side: 'string',
  playerId: 'string',
  transactionId: 'string?',
}
const placed: Shape = {
  ...ofOrder,
  type: 'string',
  shares: 'number',
  price: 'number?',
  status: 'string',
  filledShares: 'number',
}
const ofBook: Shape = { marketId: 'uuid', outcomeId: 'uuid', timestamp: 'integer' }
const ofHolding: Shape = { ...ofMarket, outcomeId: 'uuid', positionId: 'uuid', playerId: 'string' }

export const payloadShapes: Readonly<Record<string, Shape>> = {
  MARKET_CREATED: {
    ...ofMarket,
    title: 'string',
    status: 'string',
    currency: 'string',
    categoryId: 'uuid?',
    outcomes: 'array',
  },
  MARKET_STATUS_CHANGED: {
    ...ofMarket,
    previousStatus: 'string',
    status: 'string',
    reason: 'string?',
  },
  CONTROLS_CHANGED: {
    scope: 'string',
    playerId: 'string?',
    mode: 'string',
    reason: 'string?',
    until: 'time?',
    limits: 'object?',
    timestamp: 'integer',
  },
  MARKET_UPDATED: {
    marketId: 'uuid',
    tradingEndsAt: 'time?',
    reason: 'string?',
    priceBand: 'object?',
    timestamp: 'integer',
  },
  ORDER_GROUP_TRIGGERED: {
    groupId: 'uuid',
    playerId: 'string',
    matchedShares: 'number',
    limitShares: 'number',
    cause: 'string',
    timestamp: 'integer',
  },
  DEAD_MAN_TRIGGERED: {
    playerId: 'string?',
    deadline: 'time',
    timeoutMs: 'integer',
    timestamp: 'integer',
  },
  MARKET_RESOLVED: {
    ...ofMarket,
    winningOutcomeId: 'uuid?',
    resolutionSource: 'string',
    resolutionNotes: 'string?',
    payouts: 'array?',
  },
  ORDER_PLACED: placed,
  ORDER_AMENDED: placed,
  ORDER_MATCHED: {
    ...ofOrder,
    tradeId: 'uuid',
    role: 'string',
    price: 'number',
    shares: 'number',
    fee: 'number',
    filledShares: 'number',
    remainingShares: 'number',
    status: 'string',
  },
  ORDER_CANCELLED: {
    ...ofOrder,
    price: 'number?',
    shares: 'number',
    filledShares: 'number',
    cancelledShares: 'number',
    status: 'string',
    reason: 'string',
  },
  ORDER_BOOK_UPDATE: {
    ...ofBook,
    version: 'integer',
    bids: 'array',
    asks: 'array',
    bestBid: 'number?',
    bestAsk: 'number?',
    spread: 'number?',
  },
  PRICE_UPDATED: {
    ...ofBook,
    bestBid: 'number?',
    bestAsk: 'number?',
    lastPrice: 'number?',
    midPrice: 'number?',
    spread: 'number?',
  },
  POSITION_UPDATED: {
    ...ofHolding,
    shares: 'number',
    avgPrice: 'number',
    totalCost: 'number',
    realizedPnl: 'number',
  },
  SETTLEMENT_COMPLETED: {
    ...ofHolding,
    settlementId: 'uuid',
    shares: 'number',
    payoutPerShare: 'number',
    totalPayout: 'number',
    status: 'string',
  },
}
