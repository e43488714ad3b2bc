// What a caller is told when the rules say no: the value and the rule that it breaks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reject, type RejectCode, sentenceOf } from './reject.ts'

type Example<Code extends RejectCode> = {
  readonly reject: Extract<Reject, { readonly code: Code }>
  readonly sentence: string
}

/** A code without a row does not compile. */
const examples: { readonly [Code in RejectCode]: readonly Example<Code>[] } = {
  VALIDATION_ERROR: [
    {
      reject: { code: 'VALIDATION_ERROR', field: 'expiresAt', message: 'must lie in the future' },
      sentence: 'expiresAt: must lie in the future',
    },
  ],
  ORDER_INVALID_SHARES: [
    {
      reject: { code: 'ORDER_INVALID_SHARES', shares: 99, min: 100, max: 10_000_000 },
      sentence: 'Shares 0.99 are outside 1 to 100000.',
    },
  ],
  ORDER_INVALID_PRICE: [
    {
      reject: { code: 'ORDER_INVALID_PRICE', price: 12_001, min: 100, max: 9_900 },
      sentence: 'Price 1.2001 is outside 0.01 to 0.99.',
    },
  ],
  MARKET_NOT_FOUND: [{ reject: { code: 'MARKET_NOT_FOUND' }, sentence: 'No market has that id.' }],
  ORDER_NOT_FOUND: [{ reject: { code: 'ORDER_NOT_FOUND' }, sentence: 'No order has that id.' }],
  OUTCOME_NOT_FOUND: [
    { reject: { code: 'OUTCOME_NOT_FOUND' }, sentence: 'No outcome of that market has that id.' },
  ],
  SETTLEMENT_NOT_FOUND: [
    { reject: { code: 'SETTLEMENT_NOT_FOUND' }, sentence: 'No settlement has that id.' },
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
      sentence: 'The market is SUSPENDED; orders are taken only while it is OPEN.',
    },
    {
      reject: { code: 'MARKET_NOT_OPEN', status: 'OPEN' },
      sentence: 'The market is open, but the time is outside its trading window.',
    },
  ],
  MARKET_INVALID_TRANSITION: [
    {
      reject: { code: 'MARKET_INVALID_TRANSITION', status: 'DRAFT', action: 'closed' },
      sentence: 'A market that is DRAFT cannot be closed.',
    },
  ],
  MARKET_NOT_EDITABLE: [
    {
      reject: { code: 'MARKET_NOT_EDITABLE', status: 'CLOSED' },
      sentence:
        'The market is CLOSED; its title, description and trading times can be changed only in ' +
        'DRAFT or UPCOMING.',
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
  ORDER_WOULD_MATCH: [
    {
      reject: { code: 'ORDER_WOULD_MATCH', orderId: null },
      sentence: 'The order is postOnly and would match at once.',
    },
  ],
  ORDER_NO_LIQUIDITY: [
    {
      reject: { code: 'ORDER_NO_LIQUIDITY', orderId: 'an id' },
      sentence: 'The order found nothing to match, or not all that it asks for.',
    },
  ],
  ORDER_DUPLICATE_TRANSACTION: [
    {
      reject: { code: 'ORDER_DUPLICATE_TRANSACTION', transactionId: 'bet-7' },
      sentence: 'The transactionId "bet-7" was used for another request.',
    },
  ],
  POSITION_INSUFFICIENT_SHARES: [
    {
      reject: { code: 'POSITION_INSUFFICIENT_SHARES', wanted: 1_001, free: 0 },
      sentence: '10.01 shares are wanted, 0 are free.',
    },
  ],
  ORDER_LIMIT: [
    {
      reject: { code: 'ORDER_LIMIT', holder: 'player', max: 1_000 },
      sentence: 'The player has 1000 open orders in that market, as many as it may have.',
    },
    {
      reject: { code: 'ORDER_LIMIT', holder: 'operator', max: 1_000_000 },
      sentence: 'The operator has 1000000 open orders, as many as it may have.',
    },
  ],
  SETTLEMENT_ALREADY_COMPLETED: [
    {
      reject: { code: 'SETTLEMENT_ALREADY_COMPLETED' },
      sentence: 'The market is settled already.',
    },
  ],
}

for (const [code, rows] of Object.entries(examples)) {
  test(`${code} is told in a sentence that names the value and the rule`, () => {
    assert(rows.length > 0)
    for (const { reject, sentence } of rows) assert.equal(sentenceOf(reject), sentence)
  })
}
