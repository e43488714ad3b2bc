// Refusals in words for a person: what happened, and what to do about it.

import { isOutcryError, type OutcryErrorCode } from '../../client/src/outcry.ts'

/** Words of this side, where the exchange was not asked or its own say too little. */
export class Worded extends Error {}

const sentences: Readonly<Partial<Record<OutcryErrorCode, string>>> = {
  NETWORK_ERROR: 'The exchange does not answer. Check your connection, then try again.',
  TIMEOUT: 'The exchange did not answer in time. Look whether it was done before trying again.',
  INVALID_ANSWER: 'Something else answered in the place of the exchange. Try again shortly.',
  UNAUTHORIZED: 'The exchange does not know this key.',
  RATE_LIMITED: 'Too many requests at once. Wait a moment, then try again.',
  UNAVAILABLE: 'The exchange cannot take this right now. Nothing was done; try again shortly.',
  COMMIT_UNKNOWN: 'It is not known yet whether this was done. Try again: it cannot happen twice.',
  MARKET_NOT_OPEN: 'This market is not open for trading right now.',
  MARKET_NOT_FOUND: 'There is no such market, or it belongs to another operator.',
  MARKET_NOT_EDITABLE: 'Title, description and trading times are fixed once a market has opened.',
  ORDER_NO_LIQUIDITY: 'Nobody is offering enough at the moment, so nothing was traded.',
  ORDER_WOULD_MATCH: 'Post-only: this order would trade at once, so it was not placed.',
  ORDER_CANNOT_CANCEL: 'This order is already filled or closed.',
  ORDER_CANNOT_AMEND: 'This order is already filled or closed.',
  CATEGORY_DUPLICATE_SLUG: 'Another category has that short name already.',
  SETTLEMENT_ALREADY_COMPLETED: 'This market is settled already.',
  WEBHOOK_LIMIT: 'You have as many webhooks as an operator may have. Delete one first.',
  INTERNAL_ERROR: 'Something went wrong on the side of the exchange.',
}

// Here the service's own words name the figures, which helps more than ours.
const leads: Readonly<Partial<Record<OutcryErrorCode, string>>> = {
  POSITION_INSUFFICIENT_SHARES: 'The player does not have that many shares to sell.',
  FORBIDDEN: 'This key may not do that.',
  ORDER_INVALID_PRICE: 'That price is not possible.',
  ORDER_INVALID_SHARES: 'That number of shares is not possible.',
  MARKET_INVALID_TRANSITION: 'The market is not in a state that allows this.',
}

export function explain(error: unknown): string {
  if (error instanceof Worded) return error.message
  if (!isOutcryError(error)) return 'Something went wrong in this page.'
  const lead = leads[error.code]
  if (lead !== undefined) return `${lead} ${error.message}`
  return sentences[error.code] ?? error.message
}

/** Whether this version of the service has no such route. */
export function isMissing(error: unknown): boolean {
  return isOutcryError(error, 'NOT_FOUND', 'METHOD_NOT_ALLOWED')
}
