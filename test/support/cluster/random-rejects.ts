// Random rejections with every code.

import type { Reject, RejectCode } from '../../../src/core/reject.ts'
import {
  controlScopes,
  limitNames,
  marketStatuses,
  orderStatuses,
  tradingModes,
} from '../../../src/core/words.ts'
import type { Makers, Values } from './random-values.ts'

export type RejectMakers = Makers<{ [Code in RejectCode]: Extract<Reject, { code: Code }> }>

export function rejectMakers(v: Values): RejectMakers {
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
      ...v.maybe(() => ({ field: v.of(['tradingWindow', 'priceBand'] as const) })),
    }),
    ORDER_CANNOT_CANCEL: () => ({ code: 'ORDER_CANNOT_CANCEL', status: v.of(orderStatuses) }),
    ORDER_CANNOT_AMEND: () => ({ code: 'ORDER_CANNOT_AMEND', status: v.of(orderStatuses) }),
    ORDER_NOT_OPEN: () => ({ code: 'ORDER_NOT_OPEN', status: v.of(orderStatuses) }),
    ORDER_NO_LIQUIDITY: () => ({ code: 'ORDER_NO_LIQUIDITY', orderId: v.orNull(v.id) }),
    ORDER_OUTSIDE_BAND: () => ({ code: 'ORDER_OUTSIDE_BAND', orderId: v.orNull(v.id) }),
    ORDER_WOULD_MATCH: () => ({ code: 'ORDER_WOULD_MATCH', orderId: v.orNull(v.id) }),
    ORDER_DUPLICATE_TRANSACTION: () => ({
      code: 'ORDER_DUPLICATE_TRANSACTION',
      transactionId: v.text(),
    }),
    DEAD_MAN_TRIGGERED: () => ({ code: 'DEAD_MAN_TRIGGERED', playerId: v.orNull(v.text) }),
    ORDER_GROUP_NOT_FOUND: () => ({ code: 'ORDER_GROUP_NOT_FOUND' }),
    ORDER_GROUP_TRIGGERED: () => ({ code: 'ORDER_GROUP_TRIGGERED', orderGroupId: v.text() }),
    ORDER_GROUP_LIMIT: () => ({ code: 'ORDER_GROUP_LIMIT', max: v.number() }),
    NOT_FOUND: () => ({ code: 'NOT_FOUND', message: v.text() }),
    TRADING_RESTRICTED: () => ({
      code: 'TRADING_RESTRICTED',
      scope: v.of(controlScopes),
      mode: v.of(tradingModes),
      reason: v.orNull(v.text),
      until: v.orNull(v.number),
    }),
    LIMIT_EXCEEDED: () => ({
      code: 'LIMIT_EXCEEDED',
      limit: v.of(limitNames),
      max: v.text(),
      would: v.text(),
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
