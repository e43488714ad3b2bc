// Every rejection of the rules: a code and the data that its message needs. A rejection is a value;
// a rule that returns null instead accepts the command.

import { decimals, textOf } from './money.ts'
import type { ControlScope, LimitName, MarketStatus, OrderStatus, TradingMode } from './words.ts'

export type Reject =
  | { readonly code: 'VALIDATION_ERROR'; readonly field: string; readonly message: string }
  | { readonly code: 'ORDER_INVALID_SHARES'; shares: number; min: number; max: number }
  | { readonly code: 'ORDER_INVALID_PRICE'; price: number; min: number; max: number }
  | { readonly code: 'MARKET_NOT_FOUND' }
  | { readonly code: 'OUTCOME_NOT_FOUND' }
  | { readonly code: 'ORDER_NOT_FOUND' }
  | { readonly code: 'SETTLEMENT_NOT_FOUND' }
  | { readonly code: 'ORDER_GROUP_NOT_FOUND' }
  | { readonly code: 'FORBIDDEN'; readonly message: string }
  | { readonly code: 'MARKET_NOT_OPEN'; status: MarketStatus }
  | { readonly code: 'MARKET_INVALID_TRANSITION'; status: MarketStatus; action: string }
  /** With the field if it is one that can be changed once the market has opened. */
  | { readonly code: 'MARKET_NOT_EDITABLE'; status: MarketStatus; field?: EditedField }
  | { readonly code: 'ORDER_CANNOT_CANCEL'; status: OrderStatus }
  | { readonly code: 'ORDER_CANNOT_AMEND'; status: OrderStatus }
  | { readonly code: 'ORDER_NOT_OPEN'; status: OrderStatus }
  /** orderId is null for a preview, which stores no order. */
  | { readonly code: 'ORDER_OUTSIDE_BAND'; readonly orderId: string | null }
  | { readonly code: 'ORDER_WOULD_MATCH'; readonly orderId: string | null }
  | { readonly code: 'ORDER_NO_LIQUIDITY'; readonly orderId: string | null }
  | { readonly code: 'ORDER_DUPLICATE_TRANSACTION'; readonly transactionId: string }
  /** The reason is null where it is not the operator's own. */
  | {
      readonly code: 'TRADING_RESTRICTED'
      readonly scope: ControlScope
      readonly mode: TradingMode
      readonly reason: string | null
      readonly until: number | null
    }
  | { readonly code: 'POSITION_INSUFFICIENT_SHARES'; wanted: number; available: number }
  /** As decimal texts: a sum may pass 2^53. */
  | { readonly code: 'LIMIT_EXCEEDED'; limit: LimitName; max: string; would: string }
  | { readonly code: 'ORDER_LIMIT'; holder: 'player' | 'operator'; max: number }
  | { readonly code: 'OPERATOR_LIMIT'; readonly limit: OperatorLimit; readonly max: number }
  | { readonly code: 'SETTLEMENT_ALREADY_COMPLETED' }
  /** By the dead-man switch of a player; null for that of the operator. */
  | { readonly code: 'DEAD_MAN_TRIGGERED'; readonly playerId: string | null }
  | { readonly code: 'ORDER_GROUP_TRIGGERED'; readonly orderGroupId: string }
  | { readonly code: 'ORDER_GROUP_LIMIT'; readonly max: number }
  | { readonly code: 'NOT_FOUND'; readonly message: string }

/** Why an order is REJECTED: for what it would match. */
export type RejectedOrderCode = 'ORDER_OUTSIDE_BAND' | 'ORDER_WOULD_MATCH' | 'ORDER_NO_LIQUIDITY'

type EditedField = 'tradingWindow' | 'priceBand'

/** By the name of the setting, if it is one. */
export type OperatorLimit =
  | 'MAX_OPERATOR_MARKETS'
  | 'MAX_OPERATOR_OUTCOMES'
  | 'MAX_OPERATOR_TEXT_MB'
  | 'DEAD_MAN_SWITCHES'
  | 'ORDER_GROUPS'

export type RejectCode = Reject['code']

export function invalid(field: string, message: string): Reject {
  return { code: 'VALIDATION_ERROR', field, message }
}

export const marketNotFound: Reject = { code: 'MARKET_NOT_FOUND' }

/** The message for the caller: what is wrong and what is expected. */
export function messageOf(reject: Reject): string {
  switch (reject.code) {
    case 'VALIDATION_ERROR':
      return `${reject.field}: ${reject.message}`
    case 'ORDER_INVALID_SHARES':
      return `shares must be ${range(reject, shares)}, got ${shares(reject.shares)}`
    case 'ORDER_INVALID_PRICE':
      return `price must be ${range(reject, price)}, got ${price(reject.price)}`
    case 'MARKET_NOT_FOUND':
      return 'No market has this id.'
    case 'OUTCOME_NOT_FOUND':
      return 'No outcome of this market has this id.'
    case 'ORDER_NOT_FOUND':
      return 'No order has this id.'
    case 'SETTLEMENT_NOT_FOUND':
      return 'No settlement has this id.'
    case 'ORDER_GROUP_NOT_FOUND':
      return 'No order group has this id.'
    case 'FORBIDDEN':
    case 'NOT_FOUND':
      return reject.message
    case 'MARKET_NOT_OPEN':
      return reject.status === 'OPEN'
        ? 'The market is OPEN, but the current time is outside its trading window.'
        : `The market is ${reject.status}; trading is possible only while it is OPEN.`
    case 'MARKET_INVALID_TRANSITION':
      return `A market in status ${reject.status} cannot be ${reject.action}.`
    case 'MARKET_NOT_EDITABLE':
      return `The market is ${reject.status}; ${editable[reject.field ?? 'terms']}`
    case 'ORDER_CANNOT_CANCEL':
      return `The order is ${reject.status}; only a PENDING or PARTIAL order can be cancelled.`
    case 'ORDER_CANNOT_AMEND':
      return `The order is ${reject.status}; only a PENDING or PARTIAL order can be amended.`
    case 'ORDER_NOT_OPEN':
      return `The order is ${reject.status}; only a PENDING or PARTIAL order has a place in a book.`
    case 'ORDER_NO_LIQUIDITY':
      return (
        'Not enough liquidity: a MARKET order or one by amount must match in part, ' +
        'a FOK order in full and within the limit on trades.'
      )
    case 'ORDER_OUTSIDE_BAND':
      return 'The order meets only prices outside of the price band of the market.'
    case 'ORDER_WOULD_MATCH':
      return 'The order is postOnly, but it would match immediately.'
    case 'ORDER_DUPLICATE_TRANSACTION':
      return `transactionId "${reject.transactionId}" was already used for a different request`
    case 'TRADING_RESTRICTED':
      return `${restricted[reject.scope]} ${reject.mode}: ${modeMessages[reject.mode]}`
    case 'POSITION_INSUFFICIENT_SHARES':
      return `needs ${shares(reject.wanted)} shares, ${shares(reject.available)} available`
    case 'LIMIT_EXCEEDED':
      return `The player's ${reject.limit} is ${reject.max}; with this it would be ${reject.would}.`
    case 'ORDER_LIMIT':
      return reject.holder === 'player'
        ? `The player has ${reject.max} open orders in this market, which is the maximum.`
        : `The operator has ${reject.max} open orders, which is the maximum.`
    case 'OPERATOR_LIMIT':
      return `The operator may have at most ${reject.max} ${limited[reject.limit]}.`
    case 'SETTLEMENT_ALREADY_COMPLETED':
      return 'The market is already settled.'
    case 'DEAD_MAN_TRIGGERED':
      return `The dead-man switch of the ${holderOf(reject)} was triggered; arm it to trade again.`
    case 'ORDER_GROUP_TRIGGERED':
      return 'The order group was triggered; reset it to place orders in it again.'
    case 'ORDER_GROUP_LIMIT':
      return `A player may have at most ${reject.max} order groups.`
  }
}

function holderOf({ playerId }: { readonly playerId: string | null }): string {
  return playerId === null ? 'operator' : 'player'
}

const limited: Readonly<Record<OperatorLimit, string>> = {
  MAX_OPERATOR_MARKETS: 'markets that are neither SETTLED nor CANCELLED',
  MAX_OPERATOR_OUTCOMES: 'outcomes in markets that are neither SETTLED nor CANCELLED',
  MAX_OPERATOR_TEXT_MB: 'MB of text in markets that are neither SETTLED nor CANCELLED',
  DEAD_MAN_SWITCHES: 'dead-man switches',
  ORDER_GROUPS: 'order groups',
}

const restricted: Readonly<Record<ControlScope, string>> = {
  EXCHANGE: 'The exchange is',
  OPERATOR: 'The operator is',
  PLAYER: 'The player is',
}

const modeMessages: Readonly<Record<TradingMode, string>> = {
  OPEN: 'everything is allowed.',
  REDUCE_ONLY: 'only selling, redeeming and cancelling are allowed.',
  HALTED: 'only cancelling is allowed.',
}

const editable: Readonly<Record<EditedField | 'terms', string>> = {
  terms:
    'its title, description, trading times and fee schedule can be changed only in DRAFT or ' +
    'UPCOMING.',
  tradingWindow: 'its trading window can be changed only in OPEN or SUSPENDED.',
  priceBand: 'its price band can be changed only until it is RESOLVED or CANCELLED.',
}

function range({ min, max }: { min: number; max: number }, text: (steps: number) => string) {
  return `between ${text(min)} and ${text(max)}`
}

function shares(steps: number): string {
  return textOf(steps, decimals.shares)
}

function price(steps: number): string {
  return textOf(steps, decimals.price)
}
