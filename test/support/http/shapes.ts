// The fields of every record on the wire, and their forms, as the contract lists them.

import type { Form } from './answers.ts'

type Shape = Readonly<Record<string, Form | `${Form}?`>>

export const marketShape: Shape = {
  id: 'uuid',
  operatorId: 'uuid',
  categoryId: 'uuid?',
  title: 'string',
  description: 'string?',
  imageUrl: 'string?',
  status: 'string',
  currency: 'string',
  tradingStartsAt: 'time?',
  tradingEndsAt: 'time?',
  resolvedAt: 'time?',
  winningOutcomeId: 'uuid?',
  resolutionSource: 'string?',
  resolutionNotes: 'string?',
  payouts: 'array?',
  totalVolume: 'decimal',
  totalTrades: 'integer',
  metadata: 'object?',
  shared: 'boolean',
  completeSetMatching: 'boolean',
  publicPage: 'boolean',
  feeSchedule: 'object?',
  priceBand: 'object?',
  createdAt: 'time',
  updatedAt: 'time',
  outcomes: 'array',
}

export const outcomeShape: Shape = {
  id: 'uuid',
  name: 'string',
  description: 'string?',
  index: 'integer',
  createdAt: 'time',
  updatedAt: 'time',
}

export const orderShape: Shape = {
  id: 'uuid',
  marketId: 'uuid',
  outcomeId: 'uuid',
  operatorId: 'uuid',
  playerId: 'string',
  side: 'string',
  type: 'string',
  shares: 'decimal',
  price: 'decimal?',
  filledShares: 'decimal',
  avgFillPrice: 'decimal',
  remainingShares: 'decimal',
  status: 'string',
  timeInForce: 'string',
  postOnly: 'boolean',
  selfTradePrevention: 'string',
  orderGroupId: 'uuid?',
  transactionId: 'string?',
  expiresAt: 'time?',
  createdAt: 'time',
  updatedAt: 'time',
  amount: 'decimal?',
}

export const placementShape: Shape = {
  order: 'object',
  trades: 'array',
  hasMoreTrades: 'boolean',
  status: 'string',
  filledShares: 'decimal',
  avgFillPrice: 'decimal',
  remainingShares: 'decimal',
}

export const tradeShape: Shape = {
  id: 'uuid',
  marketId: 'uuid',
  outcomeId: 'uuid',
  buyOrderId: 'uuid',
  sellOrderId: 'uuid',
  buyerOperatorId: 'uuid',
  sellerOperatorId: 'uuid',
  price: 'decimal',
  shares: 'decimal',
  buyerFee: 'decimal',
  sellerFee: 'decimal',
  buyerRole: 'string',
  sellerRole: 'string',
  kind: 'string',
  matchId: 'uuid?',
  createdAt: 'time',
}

export const positionShape: Shape = {
  id: 'uuid',
  marketId: 'uuid',
  outcomeId: 'uuid',
  operatorId: 'uuid',
  playerId: 'string',
  shares: 'decimal',
  reservedShares: 'decimal',
  avgPrice: 'decimal',
  totalCost: 'decimal',
  realizedPnl: 'decimal',
  createdAt: 'time',
  updatedAt: 'time',
}

export const valuedPositionShape: Shape = {
  ...positionShape,
  mark: 'string',
  markPrice: 'decimal?',
  value: 'decimal',
  unrealizedPnl: 'decimal',
  totalPnl: 'decimal',
  payoutIfWins: 'decimal',
}

export const setsShape: Shape = {
  id: 'uuid',
  marketId: 'uuid',
  playerId: 'string',
  kind: 'string',
  shares: 'decimal',
  amount: 'decimal',
  positions: 'array',
  transactionId: 'string?',
  createdAt: 'time',
}

export const settlementShape: Shape = {
  id: 'uuid',
  positionId: 'uuid',
  marketId: 'uuid',
  outcomeId: 'uuid',
  operatorId: 'uuid',
  playerId: 'string',
  shares: 'decimal',
  payoutPerShare: 'decimal',
  totalPayout: 'decimal',
  transactionId: 'string?',
  status: 'string',
  errorMessage: 'string?',
  settledAt: 'time?',
  createdAt: 'time',
  updatedAt: 'time',
}

export const settleResultShape: Shape = {
  marketId: 'uuid',
  totalPositions: 'integer',
  successCount: 'integer',
  failedCount: 'integer',
  totalPayout: 'decimal',
  cancelledOrders: 'integer',
  settlements: 'array',
  errors: 'array',
}

export const settlementSummaryShape: Shape = {
  marketId: 'uuid',
  totalPositions: 'integer',
  pendingCount: 'integer',
  processingCount: 'integer',
  completedCount: 'integer',
  failedCount: 'integer',
  totalPayout: 'decimal',
  completedPayout: 'decimal',
}

export const categoryShape: Shape = {
  id: 'uuid',
  operatorId: 'uuid?',
  name: 'string',
  slug: 'string',
  description: 'string?',
  iconUrl: 'string?',
  isActive: 'boolean',
  sortOrder: 'number',
  createdAt: 'time',
}

export const webhookShape: Shape = {
  id: 'uuid',
  operatorId: 'uuid',
  url: 'string',
  secret: 'string',
  previousSecretExpiresAt: 'time?',
  events: 'array',
  isActive: 'boolean',
  retrySchedule: 'string',
  format: 'string',
  health: 'object',
  description: 'string?',
  createdAt: 'time',
  updatedAt: 'time',
}

export const bookShape: Shape = {
  marketId: 'uuid',
  outcomeId: 'uuid',
  bids: 'array',
  asks: 'array',
  bestBid: 'number?',
  bestAsk: 'number?',
  spread: 'number?',
  version: 'integer',
  timestamp: 'integer',
}

export const priceShape: Shape = {
  marketId: 'uuid',
  outcomeId: 'uuid',
  outcomeName: 'string',
  bestBid: 'number?',
  bestAsk: 'number?',
  lastPrice: 'number?',
  midPrice: 'number?',
  spread: 'number?',
  volume24h: 'number',
}

export const candleShape: Shape = {
  time: 'integer',
  open: 'number',
  high: 'number',
  low: 'number',
  close: 'number',
  volume: 'number',
  trades: 'integer',
}

export const publicTradeShape: Shape = {
  price: 'number',
  shares: 'number',
  takerSide: 'string',
  timestamp: 'integer',
}

export const exposureShape: Shape = {
  playerId: 'string',
  currencies: 'array',
  openOrders: 'integer',
  positions: 'integer',
}

export const reconciliationShape: Shape = {
  setsMinted: 'decimal',
  setsRedeemed: 'decimal',
  outcomes: 'array',
  operators: 'array',
  payouts: 'decimal',
  balanced: 'boolean',
}

export const operatorShape: Shape = {
  id: 'uuid',
  name: 'string',
  supportedCurrencies: 'array',
  feePercent: 'decimal?',
  feeSchedule: 'object?',
  isActive: 'boolean',
  createdAt: 'time',
  updatedAt: 'time',
}

export const auditEntryShape: Shape = {
  id: 'uuid',
  at: 'time',
  keyId: 'uuid?',
  keyLabel: 'string?',
  action: 'string',
  targetId: 'string?',
  reason: 'string?',
  requestId: 'string',
  outcome: 'string',
}

export const eventShape: Shape = {
  id: 'uuid',
  sequence: 'integer',
  operatorId: 'uuid',
  eventType: 'string',
  marketId: 'uuid?',
  payload: 'object',
  createdAt: 'time',
  expiresAt: 'time',
}
