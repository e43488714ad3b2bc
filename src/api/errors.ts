// Every code that a request can be refused with: its HTTP status and when it happens. The compiler
// complains when a code of the rules or of the registry has no row.

import { operatorOrdersMax, playerOrdersMax } from '../core/orders/order-limits.ts'
import { type Reject, type RejectCode, sentenceOf } from '../core/reject.ts'
import type { RegistryReject } from '../registry/reject.ts'

export type ErrorCode = RejectCode | RegistryReject['code'] | EdgeCode

/** Codes that only the edge gives. */
type EdgeCode =
  | 'UNAUTHORIZED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'HEADERS_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'SUBSCRIPTION_LIMIT'
  | 'SETTLEMENT_FAILED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'
  | 'COMMIT_UNKNOWN'

type Row = { readonly status: number; readonly when: string }

export const errorTable: Readonly<Record<ErrorCode, Row>> = {
  VALIDATION_ERROR: {
    status: 400,
    when: 'The request has the wrong form; the message says where.',
  },
  ORDER_INVALID_SHARES: { status: 400, when: 'Shares are out of range or off the step of 0.01.' },
  ORDER_INVALID_PRICE: {
    status: 400,
    when: 'The price is out of range or off the step of 0.0001.',
  },
  UNAUTHORIZED: { status: 401, when: 'The key is missing, unknown, revoked or expired.' },
  FORBIDDEN: { status: 403, when: 'The key or the operator may not do this.' },
  NOT_FOUND: { status: 404, when: 'There is no such route.' },
  MARKET_NOT_FOUND: { status: 404, when: 'No market that you can see has that id.' },
  OUTCOME_NOT_FOUND: { status: 404, when: 'No outcome of that market has that id.' },
  ORDER_NOT_FOUND: { status: 404, when: 'No order of yours has that id.' },
  CATEGORY_NOT_FOUND: { status: 404, when: 'No category that you can use has that id.' },
  WEBHOOK_NOT_FOUND: { status: 404, when: 'No webhook of yours has that id.' },
  SETTLEMENT_NOT_FOUND: { status: 404, when: 'No settlement of yours has that id.' },
  OPERATOR_NOT_FOUND: { status: 404, when: 'No operator has that id.' },
  KEY_NOT_FOUND: { status: 404, when: 'No key of that operator has that id.' },
  METHOD_NOT_ALLOWED: { status: 405, when: 'The route exists, but not with that method.' },
  REQUEST_TIMEOUT: { status: 408, when: 'The request was sent too slowly.' },
  MARKET_NOT_OPEN: { status: 409, when: 'The market is not OPEN, or outside its trading window.' },
  MARKET_INVALID_TRANSITION: { status: 409, when: "The market's status does not allow that." },
  MARKET_NOT_EDITABLE: { status: 409, when: 'The field is fixed once the market has opened.' },
  ORDER_CANNOT_CANCEL: { status: 409, when: 'The order is neither PENDING nor PARTIAL.' },
  ORDER_CANNOT_AMEND: { status: 409, when: 'The order is neither PENDING nor PARTIAL.' },
  ORDER_NO_LIQUIDITY: {
    status: 409,
    when:
      'A MARKET order found nothing to match, or a FOK order not all of it; details.orderId ' +
      'names the order, which is REJECTED.',
  },
  ORDER_WOULD_MATCH: {
    status: 409,
    when:
      'A postOnly order would match at once; details.orderId names it: it is REJECTED. One that ' +
      'is amended stays as it was.',
  },
  ORDER_DUPLICATE_TRANSACTION: {
    status: 409,
    when: 'The transactionId was used for another request.',
  },
  POSITION_INSUFFICIENT_SHARES: { status: 409, when: 'More shares are wanted than are free.' },
  ORDER_LIMIT: {
    status: 409,
    when:
      `As many orders are open as may be: ${playerOrdersMax} of a player in a market, ` +
      `${operatorOrdersMax} of an operator in all.`,
  },
  CATEGORY_DUPLICATE_SLUG: { status: 409, when: 'Another category has that slug.' },
  WEBHOOK_LIMIT: { status: 409, when: 'There are as many webhooks as an operator may have.' },
  SUBSCRIPTION_LIMIT: { status: 409, when: 'A connection has as many subscriptions as it may.' },
  SETTLEMENT_ALREADY_COMPLETED: { status: 409, when: 'The market is settled already.' },
  PAYLOAD_TOO_LARGE: { status: 413, when: 'The body is larger than 256 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: 'The body is not application/json.' },
  RATE_LIMITED: { status: 429, when: 'Too many requests; Retry-After says how long to wait.' },
  HEADERS_TOO_LARGE: { status: 431, when: 'The headers are larger than 16 KiB.' },
  SETTLEMENT_FAILED: { status: 500, when: 'The settlement met an error of ours.' },
  INTERNAL_ERROR: { status: 500, when: 'An error of ours; its X-Request-Id helps to find it.' },
  UNAVAILABLE: { status: 503, when: 'Nothing was done; try again after Retry-After seconds.' },
  COMMIT_UNKNOWN: {
    status: 503,
    when: 'It may have been done; ask again with the same transactionId.',
  },
}

/** A no with its code; what it looks like on the wire is the interface's affair. */
export class Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details: object | undefined
  /** The same was said before, to the same request. */
  readonly isReplay: boolean

  constructor(code: ErrorCode, message: string, { details, isReplay = false }: Beside = {}) {
    this.code = code
    this.message = message
    this.details = details
    this.isReplay = isReplay
  }
}

type Beside = { readonly details?: object | undefined; readonly isReplay?: boolean | undefined }

/** A field that is not as it should be. */
export function invalidField(field: string, message: string): Refusal {
  return new Refusal('VALIDATION_ERROR', `${field}: ${message}`)
}

export function refusalOf(reject: Reject, isReplay?: boolean): Refusal {
  const orderId = 'orderId' in reject ? reject.orderId : null
  const details = orderId === null ? undefined : { orderId }
  return new Refusal(reject.code, sentenceOf(reject), { details, isReplay })
}

export function refusalOfRegistry({ code, message }: RegistryReject): Refusal {
  return new Refusal(code, message)
}
