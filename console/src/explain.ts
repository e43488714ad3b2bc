// Explains errors to users: what happened, and what to do about it.

import { type ErrorDetails, isOutcryError, type OutcryErrorCode } from '../../client/src/outcry.ts'
import { limitNames, limitWords } from './controls/limit-words.ts'

/** An error of the console itself, with a message for the user. */
export class ConsoleError extends Error {}

const sentences: Readonly<Partial<Record<OutcryErrorCode, string>>> = {
  NETWORK_ERROR: 'The exchange does not answer. Check your connection, then try again.',
  TIMEOUT: 'The exchange did not answer in time. Check the result before you try again.',
  INVALID_ANSWER: 'The answer did not come from the exchange. Try again shortly.',
  UNAUTHORIZED: 'The exchange does not know this key.',
  RATE_LIMITED: 'Too many requests. Wait a moment, then try again.',
  UNAVAILABLE: 'The exchange cannot accept this now. Nothing has changed; try again shortly.',
  COMMIT_UNKNOWN: 'The result is not known yet. Check it before you try again.',
  MARKET_NOT_OPEN: 'This market is not open for trading.',
  MARKET_NOT_FOUND: 'This market does not exist, or it belongs to another operator.',
  MARKET_NOT_EDITABLE: 'The state of the market does not allow this change any more.',
  ORDER_NO_LIQUIDITY: 'The book does not have enough matching orders. Nothing was traded.',
  ORDER_OUTSIDE_BAND: 'The order meets only prices outside of the price band. Nothing was traded.',
  ORDER_WOULD_MATCH: 'This post-only order would trade at once, so it was not placed.',
  DEAD_MAN_TRIGGERED: 'A dead-man switch was triggered: orders are refused until it is armed.',
  ORDER_CANNOT_CANCEL: 'This order is already filled or closed.',
  ORDER_CANNOT_AMEND: 'This order is already filled or closed.',
  ORDER_NOT_OPEN: 'This order is already filled or closed.',
  CATEGORY_DUPLICATE_SLUG: 'Another category already has this short name.',
  SETTLEMENT_ALREADY_COMPLETED: 'This market is already settled.',
  WEBHOOK_LIMIT: 'You have the maximum number of webhooks. Delete one first.',
  INTERNAL_ERROR: 'The exchange failed to process this request.',
}

// The message of the service follows these, because it contains the figures.
const leads: Readonly<Partial<Record<OutcryErrorCode, string>>> = {
  POSITION_INSUFFICIENT_SHARES: 'The player does not have enough shares to sell.',
  TRADING_RESTRICTED: 'A trading control forbids this.',
  FORBIDDEN: 'This key does not allow that.',
  ORDER_INVALID_PRICE: 'This price is not valid.',
  ORDER_INVALID_SHARES: 'This number of shares is not valid.',
  MARKET_INVALID_TRANSITION: 'The state of the market does not allow that.',
  NODE_CANNOT_OWN: 'This node cannot own the shard.',
  OPERATOR_LIMIT: 'The operator has reached a limit of this exchange.',
}

export function explain(error: unknown): string {
  if (error instanceof ConsoleError) return error.message
  if (!isOutcryError(error)) return 'The console failed unexpectedly. Reload the page.'
  if (error.code === 'LIMIT_EXCEEDED') return exceeded(error.details)
  const lead = leads[error.code]
  if (lead !== undefined) return `${lead} ${sentenceOf(error.message)}`
  return sentences[error.code] ?? sentenceOf(error.message)
}

function exceeded({ limit, max, would }: ErrorDetails): string {
  const name = limitNames.find((each) => each === limit)
  const words = name === undefined ? 'This' : limitWords[name].name
  return `A limit of the player forbids this. ${words} would be ${would}, and may be ${max}.`
}

/** With a capital and a full stop. */
function sentenceOf(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Whether the service has no such route. */
export function isMissing(error: unknown): boolean {
  return isOutcryError(error, 'NOT_FOUND', 'METHOD_NOT_ALLOWED')
}
