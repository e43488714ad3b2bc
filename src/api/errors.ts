// Every error code: its HTTP status and when it is sent. A code of the core or of the registry that
// has no row does not compile.

import { wireTimeOf } from '../core/events/wire-time.ts'
import { operatorOrdersMax, playerOrdersMax } from '../core/orders/order-limits.ts'
import { messageOf, type Reject, type RejectCode } from '../core/reject.ts'
import type { RegistryReject } from '../registry/reject.ts'

export type ErrorCode = RejectCode | RegistryReject['code'] | ClusterCode | InterfaceCode

/** Codes of the administration of a cluster. */
export type ClusterCode =
  | 'SHARD_NOT_FOUND'
  | 'NODE_NOT_FOUND'
  | 'NODE_CANNOT_OWN'
  | 'NOT_IN_CLUSTER'

/** Codes that only the interfaces use. */
type InterfaceCode =
  | 'UNAUTHORIZED'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'HEADERS_TOO_LARGE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMITED'
  | 'TRADE_NOT_FOUND'
  | 'SUBSCRIPTION_LIMIT'
  | 'EVENTS_REWOUND'
  | 'SETTLEMENT_FAILED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'
  | 'COMMIT_UNKNOWN'

/** That `error.details.faults` lists. */
const faultsMax = 100
const fieldLengthMax = 200

type Row = { readonly status: number; readonly when: string }

export const errorTable: Readonly<Record<ErrorCode, Row>> = {
  VALIDATION_ERROR: {
    status: 400,
    when:
      'The request is malformed or a field is invalid; the message names the field. ' +
      `details.faults lists up to ${faultsMax} faults, each with its field and message.`,
  },
  ORDER_INVALID_SHARES: { status: 400, when: 'shares is out of range or not a multiple of 0.01.' },
  ORDER_INVALID_PRICE: { status: 400, when: 'price is out of range or not a multiple of 0.0001.' },
  UNAUTHORIZED: { status: 401, when: 'The key is missing, unknown, revoked or expired.' },
  FORBIDDEN: {
    status: 403,
    when: 'The key does not have the scope, or the operator is not allowed to do this.',
  },
  NOT_FOUND: {
    status: 404,
    when: 'No route has this path, or there is no dead-man switch of this scope.',
  },
  MARKET_NOT_FOUND: { status: 404, when: 'No market that you can see has this id.' },
  OUTCOME_NOT_FOUND: { status: 404, when: 'No outcome of the market has this id.' },
  ORDER_NOT_FOUND: { status: 404, when: 'None of your orders has this id.' },
  CATEGORY_NOT_FOUND: { status: 404, when: 'No category that you can use has this id.' },
  WEBHOOK_NOT_FOUND: { status: 404, when: 'None of your webhooks has this id.' },
  TRADE_NOT_FOUND: { status: 404, when: 'None of your trades has this id.' },
  SETTLEMENT_NOT_FOUND: { status: 404, when: 'None of your settlements has this id.' },
  ORDER_GROUP_NOT_FOUND: { status: 404, when: 'None of your order groups has this id.' },
  OPERATOR_NOT_FOUND: { status: 404, when: 'No operator has this id.' },
  KEY_NOT_FOUND: { status: 404, when: 'No key of the operator has this id.' },
  SHARD_NOT_FOUND: { status: 404, when: 'No shard has this number.' },
  NODE_NOT_FOUND: { status: 404, when: 'No live node has this id.' },
  METHOD_NOT_ALLOWED: { status: 405, when: 'The route does not support this method.' },
  REQUEST_TIMEOUT: { status: 408, when: 'The request did not arrive in time.' },
  MARKET_NOT_OPEN: { status: 409, when: 'The market is not OPEN or outside its trading window.' },
  MARKET_INVALID_TRANSITION: {
    status: 409,
    when: "The market's status does not allow this action.",
  },
  MARKET_NOT_EDITABLE: {
    status: 409,
    when:
      'The field cannot be changed once the market has opened; the trading window can be changed ' +
      'only while it is OPEN or SUSPENDED, the price band until it is RESOLVED or CANCELLED.',
  },
  ORDER_CANNOT_CANCEL: { status: 409, when: 'The order is neither PENDING nor PARTIAL.' },
  ORDER_CANNOT_AMEND: { status: 409, when: 'The order is neither PENDING nor PARTIAL.' },
  ORDER_NOT_OPEN: { status: 409, when: 'The order is neither PENDING nor PARTIAL.' },
  ORDER_NO_LIQUIDITY: {
    status: 409,
    when:
      'A MARKET order or one by amount matched nothing, or a FOK order cannot be filled in full. ' +
      'The order is stored as REJECTED; details.orderId is its id.',
  },
  ORDER_OUTSIDE_BAND: {
    status: 409,
    when:
      'The order would match, but only at prices outside of the price band of the market. A new ' +
      'order is stored as REJECTED; details.orderId is its id. An amended order stays unchanged.',
  },
  ORDER_WOULD_MATCH: {
    status: 409,
    when:
      'A postOnly order would match immediately. A new order is stored as REJECTED; ' +
      'details.orderId is its id. An amended order stays unchanged.',
  },
  ORDER_DUPLICATE_TRANSACTION: {
    status: 409,
    when: 'The transactionId was already used for a different request.',
  },
  DEAD_MAN_TRIGGERED: {
    status: 409,
    when:
      'The dead-man switch of the operator or the player was triggered; no order is placed or ' +
      'amended until it is armed again. details.playerId is the player, null for the operator.',
  },
  ORDER_GROUP_TRIGGERED: {
    status: 409,
    when:
      'The order group was triggered; no order is placed or amended in it until it is reset. ' +
      'details.orderGroupId is its id.',
  },
  ORDER_GROUP_LIMIT: { status: 409, when: 'The player has the maximum number of order groups.' },
  TRADING_RESTRICTED: {
    status: 409,
    when:
      'A brake on the player, the operator or the exchange forbids it. details has the scope, ' +
      "the mode, the reason (null where it is another's) and until.",
  },
  POSITION_INSUFFICIENT_SHARES: {
    status: 409,
    when: 'The player has fewer available shares than the request needs.',
  },
  LIMIT_EXCEEDED: {
    status: 409,
    when:
      'A BUY order, an amendment of one or a mint would exceed a limit of the player. details ' +
      'has the name of the limit, max, and what it would be.',
  },
  ORDER_LIMIT: {
    status: 409,
    when:
      `The maximum number of open orders is reached: ${playerOrdersMax} per player and market, ` +
      `${operatorOrdersMax} per operator.`,
  },
  CATEGORY_DUPLICATE_SLUG: { status: 409, when: 'Another category has this slug.' },
  WEBHOOK_LIMIT: { status: 409, when: 'The operator has the maximum number of webhooks.' },
  SUBSCRIPTION_LIMIT: {
    status: 409,
    when: 'The connection has the maximum number of subscriptions.',
  },
  EVENTS_REWOUND: {
    status: 409,
    when:
      'The position in the events is not one of the present history, because the database was ' +
      'restored: historyId is another one, or since is beyond the latest event. Read the state ' +
      'from the records, and continue from details.latestSequence with details.historyId.',
  },
  OPERATOR_LIMIT: {
    status: 409,
    when:
      'The operator would have too many markets that have not ended, or too many outcomes or too ' +
      'much text in them, or too many dead-man switches or order groups. details.limit is the ' +
      'name of the setting, DEAD_MAN_SWITCHES or ORDER_GROUPS; details.max is its value.',
  },
  NODE_CANNOT_OWN: {
    status: 409,
    when: 'The node is draining or leaving, or owns as many shards as it may.',
  },
  NOT_IN_CLUSTER: {
    status: 409,
    when: 'The service is not part of a cluster, so that it owns all shards.',
  },
  SETTLEMENT_ALREADY_COMPLETED: { status: 409, when: 'The market is already settled.' },
  PAYLOAD_TOO_LARGE: { status: 413, when: 'The body is larger than 256 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: 'The content type is not application/json, or the body is compressed.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The Idempotency-Key was already used on this route, for a request with another body.',
  },
  RATE_LIMITED: { status: 429, when: 'Too many requests; wait for Retry-After seconds.' },
  HEADERS_TOO_LARGE: { status: 431, when: 'The URL and the headers are larger than 16 KiB.' },
  SETTLEMENT_FAILED: { status: 500, when: 'An internal error stopped the settlement.' },
  INTERNAL_ERROR: {
    status: 500,
    when: 'An internal error; report it with the X-Request-Id of the response.',
  },
  UNAVAILABLE: {
    status: 503,
    when: 'The request was not carried out; repeat it after Retry-After seconds.',
  },
  COMMIT_UNKNOWN: {
    status: 503,
    when:
      'The request may have been carried out; repeat it with the same transactionId or ' +
      'Idempotency-Key.',
  },
}

/** After these the request may have been carried out. */
export const unknownOutcomes: ReadonlySet<ErrorCode> = new Set(['COMMIT_UNKNOWN', 'INTERNAL_ERROR'])

/** Why a request is refused; each interface sends it in its own form. */
export class Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details: object | undefined
  /** The same request was refused before, with the same answer. */
  readonly isReplay: boolean

  constructor(
    code: ErrorCode,
    message: string,
    { details, isReplay = false }: RefusalOptions = {},
  ) {
    this.code = code
    this.message = message
    this.details = details
    this.isReplay = isReplay
  }
}

type RefusalOptions = {
  readonly details?: object | undefined
  readonly isReplay?: boolean | undefined
}

/** `message` says what is wrong with the field, and what is expected. */
export type Fault = { readonly field: string; readonly message: string }

export function invalidField(field: string, message: string): Refusal {
  return invalidFields([{ field, message }])
}

/** The message names the first of them and says how many more there are. */
export function invalidFields(faults: readonly Fault[]): Refusal {
  const shown = faults.slice(0, faultsMax).map(({ field, message }) => ({
    field: shortened(field),
    message,
  }))
  const [{ field, message }] = shown as [Fault]
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`
  const details = { faults: shown }
  return new Refusal('VALIDATION_ERROR', `${field}: ${message}${more}`, { details })
}

/** A field that no schema knows has the name that the client gave it, of any length. */
function shortened(field: string): string {
  if (field.length <= fieldLengthMax) return field
  return `${field.slice(0, fieldLengthMax).toWellFormed()}...`
}

export function refusalOf(reject: Reject, isReplay?: boolean): Refusal {
  return new Refusal(reject.code, messageOf(reject), { details: detailsOf(reject), isReplay })
}

function detailsOf(reject: Reject): object | undefined {
  if (reject.code === 'VALIDATION_ERROR') {
    return { faults: [{ field: reject.field, message: reject.message }] }
  }
  if (reject.code === 'OPERATOR_LIMIT') return { limit: reject.limit, max: reject.max }
  if (reject.code === 'DEAD_MAN_TRIGGERED') return { playerId: reject.playerId }
  if (reject.code === 'ORDER_GROUP_TRIGGERED') return { orderGroupId: reject.orderGroupId }
  if (reject.code === 'ORDER_GROUP_LIMIT') return { max: reject.max }
  if (reject.code === 'TRADING_RESTRICTED') {
    const { scope, mode, reason, until } = reject
    return { scope, mode, reason, until: until === null ? null : wireTimeOf(until) }
  }
  if (reject.code === 'LIMIT_EXCEEDED') {
    return { limit: reject.limit, max: reject.max, would: reject.would }
  }
  const orderId = 'orderId' in reject ? reject.orderId : null
  return orderId === null ? undefined : { orderId }
}

export function refusalOfRegistry({ code, message, fault }: RegistryReject): Refusal {
  return fault === undefined ? new Refusal(code, message) : invalidField(fault.field, fault.message)
}
