// Checks of every response: the envelope, the status of each code, the forms of ids, times and
// decimals. Written from the specification, not from the service.

import assert from 'node:assert/strict'
import type { Answer, Json } from '../process/outcry-process.ts'

const codesByStatus: Readonly<Record<number, readonly string[]>> = {
  400: ['VALIDATION_ERROR', 'ORDER_INVALID_SHARES', 'ORDER_INVALID_PRICE'],
  401: ['UNAUTHORIZED'],
  403: ['FORBIDDEN'],
  404: [
    'NOT_FOUND',
    'MARKET_NOT_FOUND',
    'OUTCOME_NOT_FOUND',
    'ORDER_NOT_FOUND',
    'ORDER_GROUP_NOT_FOUND',
    'CATEGORY_NOT_FOUND',
    'WEBHOOK_NOT_FOUND',
    'TRADE_NOT_FOUND',
    'SETTLEMENT_NOT_FOUND',
    'OPERATOR_NOT_FOUND',
    'KEY_NOT_FOUND',
  ],
  405: ['METHOD_NOT_ALLOWED'],
  408: ['REQUEST_TIMEOUT'],
  409: [
    'MARKET_NOT_OPEN',
    'ORDER_CANNOT_CANCEL',
    'ORDER_CANNOT_AMEND',
    'ORDER_NOT_OPEN',
    'DEAD_MAN_TRIGGERED',
    'ORDER_GROUP_TRIGGERED',
    'ORDER_GROUP_LIMIT',
    'ORDER_OUTSIDE_BAND',
    'ORDER_WOULD_MATCH',
    'ORDER_NO_LIQUIDITY',
    'TRADING_RESTRICTED',
    'LIMIT_EXCEEDED',
    'POSITION_INSUFFICIENT_SHARES',
    'ORDER_LIMIT',
    'CATEGORY_DUPLICATE_SLUG',
    'SETTLEMENT_ALREADY_COMPLETED',
    'MARKET_INVALID_TRANSITION',
    'MARKET_NOT_EDITABLE',
    'ORDER_DUPLICATE_TRANSACTION',
    'WEBHOOK_LIMIT',
    'OPERATOR_LIMIT',
    'EVENTS_REWOUND',
  ],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: ['IDEMPOTENCY_KEY_REUSED'],
  429: ['RATE_LIMITED'],
  431: ['HEADERS_TOO_LARGE'],
}

const statusOf = new Map(
  Object.entries(codesByStatus).flatMap(([status, codes]) =>
    codes.map((code) => [code, Number(status)] as const),
  ),
)

/** Refused with this code; the message must contain `names`. */
export function assertRefused(answer: Answer, code: string, names: string | RegExp = ''): void {
  const shown = `${answer.status} ${JSON.stringify(answer.body)}`
  assertEnvelope(answer)
  assert.equal(answer.body.error?.code, code, shown)
  assert.equal(answer.status, statusOf.get(code), shown)
  const { message } = answer.body.error
  assert.ok(typeof names === 'string' ? message.includes(names) : names.test(message), shown)
}

/** The envelope, without other fields. */
export function assertEnvelope({ status, headers, body }: Answer): void {
  const shown = `${status} ${JSON.stringify(body)}`
  assert.match(headers.get('content-type') ?? '', /^application\/json/, shown)
  assert.ok(headers.get('x-request-id'), `no X-Request-Id: ${shown}`)
  if (status < 400) {
    assert.deepEqual(Object.keys(body).sort(), ['data', 'success'], shown)
    assert.equal(body.success, true, shown)
    return
  }
  assert.deepEqual(Object.keys(body).sort(), ['error', 'success'], shown)
  assert.equal(body.success, false, shown)
  const { code, message, details, ...rest } = body.error
  assert.deepEqual(rest, {}, shown)
  assert.match(code, /^[A-Z_]+$/, shown)
  assert.ok(typeof message === 'string' && message.length > 0, shown)
  assert.ok(details === undefined || typeof details === 'object', shown)
  assert.doesNotMatch(message, /\n\s+at |node:|\.ts\b/, `a stack trace: ${shown}`)
}

export const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
export const decimalForm = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/

const forms = { uuid: uuidForm, time: timeForm, decimal: decimalForm } as const

/** `uuid`, `time` and `decimal` are texts of that form; a question mark allows null. */
export type Form =
  | keyof typeof forms
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'object'
  | 'array'

/** All of these fields, each of its form; further fields are allowed. */
export function assertShape(value: Json, shape: Readonly<Record<string, Form | `${Form}?`>>): void {
  for (const [field, form] of Object.entries(shape)) {
    const isNullable = form.endsWith('?')
    if (isNullable && value[field] === null) continue
    const plain = isNullable ? form.slice(0, -1) : form
    assert.ok(fits(value[field], plain), `${field} is ${JSON.stringify(value[field])}, not ${form}`)
  }
}

function fits(value: Json, form: string): boolean {
  if (form === 'uuid' || form === 'time' || form === 'decimal') {
    return typeof value === 'string' && forms[form].test(value)
  }
  if (form === 'integer') return Number.isInteger(value)
  if (form === 'array') return Array.isArray(value)
  if (form === 'object') return typeof value === 'object' && !Array.isArray(value)
  return typeof value === form
}

/** Reads until the value is right or the time is over; returns the last value. */
export async function until<Value>(
  read: () => Promise<Value>,
  isRight: (value: Value) => boolean,
  forMs = 3_000,
): Promise<Value> {
  for (const deadline = Date.now() + forMs; ; ) {
    const value = await read()
    if (isRight(value) || Date.now() > deadline) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
