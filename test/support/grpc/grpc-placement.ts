// A placement as a message: one order with a given number of trades, every text as long as allowed.

import { PlaceOrderResponse, type Trade } from '../../../src/api/grpc/generated/outcry/v1/outcry.ts'

const id = '019a8a30-1c00-7000-8000-000000000001'
const decimal = '12345678.1234567890'

const trade: Trade = {
  id,
  marketId: id,
  outcomeId: id,
  buyOrderId: id,
  sellOrderId: id,
  buyerOperatorId: id,
  sellerOperatorId: id,
  price: decimal,
  shares: decimal,
  buyerFee: decimal,
  sellerFee: decimal,
  createdAt: '2026-11-15T12:00:00.000Z',
  kind: 3,
  matchId: id,
  buyerRole: 2,
  sellerRole: 1,
}

export function placement(trades: number): PlaceOrderResponse {
  const nothing = PlaceOrderResponse.decode(new Uint8Array())
  return { ...nothing, trades: Array<Trade>(trades).fill(trade) }
}
