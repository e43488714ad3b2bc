// Sample rows of reads, with a value in every field; a test changes the fields that it is about.

import { usualOptions } from '../../../src/core/orders/options.ts'
import type {
  MarketRow,
  OrderRow,
  PositionRow,
  SettlementRow,
  TradeRow,
} from '../../../src/store/store.ts'
import { serial } from '../core/steps.ts'
import { startedAt, testOperator } from '../http/rest-server.ts'

const when = { createdAt: startedAt, updatedAt: startedAt + 1 }
const where = { marketSerial: serial(10), marketCreatedAt: startedAt, outcomeSerial: serial(11) }
const whose = { operatorId: testOperator.id, playerId: 'ann' }

export const marketRow: MarketRow = {
  serial: serial(10),
  ...when,
  ownerNumber: testOperator.number,
  ownerId: testOperator.id,
  currency: 'USD',
  isShared: false,
  hasCompleteSetMatching: false,
  status: 'RESOLVED',
  title: 'Rain?',
  description: null,
  imageUrl: null,
  categoryId: testOperator.id,
  category: { id: testOperator.id, name: 'Weather', slug: 'weather' },
  metadata: '{"city":"Lisbon"}',
  hasPublicPage: false,
  feeSchedule: null,
  priceBand: null,
  tradingStartsAt: null,
  tradingEndsAt: startedAt + 3_600_000,
  resolution: {
    payouts: [0, 10_000],
    winner: 1,
    source: 'a look',
    notes: null,
    resolvedAt: startedAt,
  },
  volume: 2_550n,
  tradeCount: 2,
  setsMinted: 10_000n,
  setsRedeemed: 0n,
  participantIds: [],
  outcomes: ['Yes', 'No'].map((name, index) => ({
    serial: serial(11 + index),
    createdAt: startedAt,
    name,
    description: null,
    version: 1,
    lastPrice: 5_500,
    volume: [],
  })),
  job: null,
  failedSettlements: [],
}

export const orderRow: OrderRow = {
  serial: serial(20),
  ...when,
  ...where,
  ...whose,
  side: 'BUY',
  shares: 2_550,
  price: 5_500,
  filled: 1_000,
  cost: 5_500_000,
  status: 'PARTIAL',
  expiresAt: null,
  options: usualOptions,
  transactionId: 'tx-1',
  orderGroup: null,
}

export const tradeRow: TradeRow = {
  serial: serial(30),
  createdAt: startedAt,
  ...where,
  buyOrderSerial: serial(20),
  buyOrderCreatedAt: startedAt,
  sellOrderSerial: serial(21),
  sellOrderCreatedAt: startedAt,
  buyerOperatorId: testOperator.id,
  sellerOperatorId: testOperator.id,
  price: 5_500,
  shares: 1_000,
  buyerFee: 1_100_000_000,
  isSell: false,
  isIncoming: true,
  sellerFee: 1_100_000_000,
  kind: 'DIRECT',
}

export const positionRow: PositionRow = {
  serial: serial(40),
  ...when,
  ...where,
  ...whose,
  shares: 1_000,
  reserved: 250,
  cost: 5_500_000n,
  profit: -1_250_000n,
  mark: { source: 'LAST', price: 6_000 },
}

export const settlementRow: SettlementRow = {
  serial: serial(50),
  ...when,
  ...where,
  ...whose,
  positionSerial: serial(40),
  positionCreatedAt: startedAt,
  outcomeIndex: 0,
  shares: 1_000,
  payoutPerShare: 10_000,
  status: 'COMPLETED',
  transactionId: null,
  errorMessage: null,
}
