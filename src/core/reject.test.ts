// The message of each rejection: what is wrong and what is expected.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageOf, type Reject, type RejectCode } from './reject.ts'

type Example<Code extends RejectCode> = {
  readonly reject: Extract<Reject, { readonly code: Code }>
  readonly sentence: string
}

/** A code without a row does not compile. */
const examples: { readonly [Code in RejectCode]: readonly Example<Code>[] } = {
  VALIDATION_ERROR: [
    {
      reject: { code: 'VALIDATION_ERROR', field: 'expiresAt', message: 'must be in the future' },
      sentence: 'expiresAt: must be in the future',
    },
  ],
  ORDER_INVALID_SHARES: [
    {
      reject: { code: 'ORDER_INVALID_SHARES', shares: 99, min: 100, max: 10_000_000 },
      sentence: 'shares must be between 1 and 100000, got 0.99',
    },
  ],
  ORDER_INVALID_PRICE: [
    {
      reject: { code: 'ORDER_INVALID_PRICE', price: 12_001, min: 100, max: 9_900 },
      sentence: 'price must be between 0.01 and 0.99, got 1.2001',
    },
  ],
  MARKET_NOT_FOUND: [{ reject: { code: 'MARKET_NOT_FOUND' }, sentence: 'No market has this id.' }],
  ORDER_NOT_FOUND: [{ reject: { code: 'ORDER_NOT_FOUND' }, sentence: 'No order has this id.' }],
  OUTCOME_NOT_FOUND: [
    { reject: { code: 'OUTCOME_NOT_FOUND' }, sentence: 'No outcome of this market has this id.' },
  ],
  SETTLEMENT_NOT_FOUND: [
    { reject: { code: 'SETTLEMENT_NOT_FOUND' }, sentence: 'No settlement has this id.' },
  ],
  LIMIT_EXCEEDED: [
    {
      reject: { code: 'LIMIT_EXCEEDED', limit: 'maxOrderCost', max: '50', would: '55.5' },
      sentence: "The player's maxOrderCost is 50; with this it would be 55.5.",
    },
  ],
  TRADING_RESTRICTED: [
    {
      reject: {
        code: 'TRADING_RESTRICTED',
        scope: 'PLAYER',
        mode: 'HALTED',
        reason: 'Rain',
        until: null,
      },
      sentence: 'The player is HALTED: only cancelling is allowed.',
    },
    {
      reject: {
        code: 'TRADING_RESTRICTED',
        scope: 'EXCHANGE',
        mode: 'REDUCE_ONLY',
        reason: null,
        until: 1,
      },
      sentence: 'The exchange is REDUCE_ONLY: only selling, redeeming and cancelling are allowed.',
    },
  ],
  FORBIDDEN: [
    {
      reject: { code: 'FORBIDDEN', message: 'Only its owner may.' },
      sentence: 'Only its owner may.',
    },
  ],
  MARKET_NOT_OPEN: [
    {
      reject: { code: 'MARKET_NOT_OPEN', status: 'SUSPENDED' },
      sentence: 'The market is SUSPENDED; trading is possible only while it is OPEN.',
    },
    {
      reject: { code: 'MARKET_NOT_OPEN', status: 'OPEN' },
      sentence: 'The market is OPEN, but the current time is outside its trading window.',
    },
  ],
  MARKET_INVALID_TRANSITION: [
    {
      reject: { code: 'MARKET_INVALID_TRANSITION', status: 'DRAFT', action: 'closed' },
      sentence: 'A market in status DRAFT cannot be closed.',
    },
  ],
  MARKET_NOT_EDITABLE: [
    {
      reject: { code: 'MARKET_NOT_EDITABLE', status: 'CLOSED', field: 'tradingWindow' },
      sentence:
        'The market is CLOSED; its trading window can be changed only in OPEN or SUSPENDED.',
    },
    {
      reject: { code: 'MARKET_NOT_EDITABLE', status: 'CLOSED' },
      sentence:
        'The market is CLOSED; its title, description, trading times and fee schedule can be ' +
        'changed only in DRAFT or UPCOMING.',
    },
  ],
  ORDER_CANNOT_CANCEL: [
    {
      reject: { code: 'ORDER_CANNOT_CANCEL', status: 'FILLED' },
      sentence: 'The order is FILLED; only a PENDING or PARTIAL order can be cancelled.',
    },
  ],
  ORDER_CANNOT_AMEND: [
    {
      reject: { code: 'ORDER_CANNOT_AMEND', status: 'FILLED' },
      sentence: 'The order is FILLED; only a PENDING or PARTIAL order can be amended.',
    },
  ],
  ORDER_NOT_OPEN: [
    {
      reject: { code: 'ORDER_NOT_OPEN', status: 'FILLED' },
      sentence: 'The order is FILLED; only a PENDING or PARTIAL order has a place in a book.',
    },
  ],
  ORDER_OUTSIDE_BAND: [
    {
      reject: { code: 'ORDER_OUTSIDE_BAND', orderId: 'an id' },
      sentence: 'The order meets only prices outside of the price band of the market.',
    },
  ],
  ORDER_WOULD_MATCH: [
    {
      reject: { code: 'ORDER_WOULD_MATCH', orderId: null },
      sentence: 'The order is postOnly, but it would match immediately.',
    },
  ],
  ORDER_NO_LIQUIDITY: [
    {
      reject: { code: 'ORDER_NO_LIQUIDITY', orderId: 'an id' },
      sentence:
        'Not enough liquidity: a MARKET order or one by amount must match in part, ' +
        'a FOK order in full and within the limit on trades.',
    },
  ],
  ORDER_DUPLICATE_TRANSACTION: [
    {
      reject: { code: 'ORDER_DUPLICATE_TRANSACTION', transactionId: 'bet-7' },
      sentence: 'transactionId "bet-7" was already used for a different request',
    },
  ],
  DEAD_MAN_TRIGGERED: [
    {
      reject: { code: 'DEAD_MAN_TRIGGERED', playerId: null },
      sentence: 'The dead-man switch of the operator was triggered; arm it to trade again.',
    },
    {
      reject: { code: 'DEAD_MAN_TRIGGERED', playerId: 'ann' },
      sentence: 'The dead-man switch of the player was triggered; arm it to trade again.',
    },
  ],
  ORDER_GROUP_NOT_FOUND: [
    { reject: { code: 'ORDER_GROUP_NOT_FOUND' }, sentence: 'No order group has this id.' },
  ],
  ORDER_GROUP_TRIGGERED: [
    {
      reject: { code: 'ORDER_GROUP_TRIGGERED', orderGroupId: 'group-1' },
      sentence: 'The order group was triggered; reset it to place orders in it again.',
    },
  ],
  ORDER_GROUP_LIMIT: [
    {
      reject: { code: 'ORDER_GROUP_LIMIT', max: 100 },
      sentence: 'A player may have at most 100 order groups.',
    },
  ],
  NOT_FOUND: [
    {
      reject: { code: 'NOT_FOUND', message: 'Nothing is here.' },
      sentence: 'Nothing is here.',
    },
  ],
  POSITION_INSUFFICIENT_SHARES: [
    {
      reject: { code: 'POSITION_INSUFFICIENT_SHARES', wanted: 1_001, available: 0 },
      sentence: 'needs 10.01 shares, 0 available',
    },
  ],
  ORDER_LIMIT: [
    {
      reject: { code: 'ORDER_LIMIT', holder: 'player', max: 1_000 },
      sentence: 'The player has 1000 open orders in this market, which is the maximum.',
    },
    {
      reject: { code: 'ORDER_LIMIT', holder: 'operator', max: 1_000_000 },
      sentence: 'The operator has 1000000 open orders, which is the maximum.',
    },
  ],
  OPERATOR_LIMIT: [
    {
      reject: { code: 'OPERATOR_LIMIT', limit: 'MAX_OPERATOR_MARKETS', max: 20_000 },
      sentence:
        'The operator may have at most 20000 markets that are neither SETTLED nor CANCELLED.',
    },
    {
      reject: { code: 'OPERATOR_LIMIT', limit: 'MAX_OPERATOR_OUTCOMES', max: 5 },
      sentence:
        'The operator may have at most 5 outcomes in markets that are neither SETTLED nor ' +
        'CANCELLED.',
    },
    {
      reject: { code: 'OPERATOR_LIMIT', limit: 'MAX_OPERATOR_TEXT_MB', max: 256 },
      sentence:
        'The operator may have at most 256 MB of text in markets that are neither SETTLED nor ' +
        'CANCELLED.',
    },
    {
      reject: { code: 'OPERATOR_LIMIT', limit: 'DEAD_MAN_SWITCHES', max: 10 },
      sentence: 'The operator may have at most 10 dead-man switches.',
    },
    {
      reject: { code: 'OPERATOR_LIMIT', limit: 'ORDER_GROUPS', max: 10 },
      sentence: 'The operator may have at most 10 order groups.',
    },
  ],
  SETTLEMENT_ALREADY_COMPLETED: [
    {
      reject: { code: 'SETTLEMENT_ALREADY_COMPLETED' },
      sentence: 'The market is already settled.',
    },
  ],
}

for (const [code, rows] of Object.entries(examples)) {
  test(`the message of ${code} says what is wrong and what is expected`, () => {
    assert(rows.length > 0)
    for (const { reject, sentence } of rows) assert.equal(messageOf(reject), sentence)
  })
}
