// The OpenAPI description of a route, made from the route itself: parameters, bodies, responses and
// every error code.

import { type TSchema, Type } from 'typebox'
import { type ErrorCode, errorTable } from '../errors.ts'
import { csvType, problemType } from '../http/accept.ts'
import { requestIdMax } from '../http/request-id.ts'
import { failure, Problem, success } from '../schemas/envelope.ts'
import { Id, named, PlayerId, ShardNumber } from '../schemas/fields.ts'
import type { Scope } from '../schemas/operator.ts'
import type { CsvList } from './csv-answer.ts'

/** The groups of routes, in the order in which the document shows them. */
export const tags = {
  Markets: 'Markets, their lifecycle and their resolution.',
  Orders: 'Orders of players: place, preview, amend, cancel, read.',
  'Maker safety': 'What protects market makers: dead-man switches and order groups.',
  Trades: 'Trades of your orders.',
  Positions: 'Positions of players, and the complete sets that their shares come from.',
  Settlements: 'What positions pay, and the acknowledgement of payouts.',
  'Trading controls': 'Brakes on players, operators and the whole exchange.',
  Categories: 'Groups of markets.',
  'Market data': 'Books, prices, candles and the public tape. No key is needed.',
  Statistics: 'Counts of your markets, and your trades by day.',
  Webhooks: 'URLs that your events are sent to.',
  Events: 'The replay of your events.',
  'Audit log': 'Who has managed your markets and settings, when and why.',
  Administration: 'Operators, keys, global categories and the cluster, with the X-Admin-Key.',
  Service: 'Health, metrics and documents.',
} as const
export type Tag = keyof typeof tags

/** `open` has no rate limit: it serves health checks and monitoring. */
export type Access = 'operator' | 'admin' | 'public' | 'open'

export type Description = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In the syntax of the framework: /markets/:id. */
  readonly path: string
  readonly tag: Tag
  /** The operation id, which generated clients use as a method name. It never changes. */
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly query?: TSchema
  readonly body?: TSchema & { readonly $id: string }
  /** The schema of `data`. */
  readonly answer: TSchema
  /** Of a list, which is also answered as CSV. */
  readonly csv?: CsvList
  /** The status of the response; 200 by default. */
  readonly status?: 200 | 201 | 202
  /** Accepts a transactionId: a repeated request is answered from the stored record. */
  readonly isRepeatable?: boolean
  /**
   * How a POST uses the header Idempotency-Key. By default it is the transactionId of a route that
   * accepts one; on the others the answer is kept for it.
   */
  readonly idempotencyKey?: 'REFUSED' | 'IGNORED'
  /** Whether the audit log has it; by default, what needs the scope manage or the administrator. */
  readonly isAudited?: boolean
  /** Of an act on an operator: whether only the administrator's audit log has it. */
  readonly isHiddenFromOperator?: boolean
  /** In addition to those that follow from the fields above. */
  readonly errors?: readonly ErrorCode[]
}

const rateLimitHeaders = {
  'RateLimit-Limit': {
    type: 'integer',
    description: 'The cost of requests that the limit allows at once. Most requests cost 1.',
  },
  'RateLimit-Remaining': {
    type: 'integer',
    description: 'What is left of it; 0 also while an excess is being paid off.',
  },
  'RateLimit-Reset': { type: 'integer', description: 'Seconds until the limit is fully restored.' },
  'RateLimit-Policy': {
    type: 'string',
    description:
      'The name of the limit (`orders`, `cancels`, `requests` or `public`), its quota and its ' +
      'window in seconds: `"orders";q=5000;w=1`.',
  },
  RateLimit: {
    type: 'string',
    description: 'What is left, and when it is restored: `"orders";r=4999;t=1`.',
  },
}
const requestIdHeader = {
  'X-Request-Id': {
    type: 'string',
    description: `Your own id, of up to ${requestIdMax} printable ASCII characters, or a new one.`,
  },
}
const replayHeader = {
  'Idempotent-Replayed': {
    type: 'string',
    description: 'true if the request was already carried out; nothing was done again.',
  },
}
const retryHeader = {
  'Retry-After': { type: 'integer', description: 'Seconds to wait before the next attempt.' },
}

/** `scope` is the scope that admission requires; null if it requires none. */
export function describe(route: Description, access: Access, scope: Scope | null) {
  const params = paramsOf(route.path)
  const need = scope === null ? [] : [`Needs a key with the scope \`${scope}\`.`]
  const sentences = [route.description ?? [], need].flat()
  return {
    tags: [route.tag],
    operationId: route.name,
    summary: route.summary,
    ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
    ...securityOf(access, scope),
    ...(params === null ? {} : { params }),
    ...(route.query === undefined ? {} : { querystring: route.query }),
    ...(route.body === undefined ? {} : { body: named(route.body) }),
    response: { ...answersOf(route, access), ...failuresOf(route, errorsOf(route, access)) },
  }
}

export type KeyUse = 'TRANSACTION' | 'KEPT' | 'REFUSED' | 'IGNORED'

export function keyUseOf({ method, idempotencyKey, isRepeatable = false }: Description): KeyUse {
  if (method !== 'POST') return 'IGNORED'
  return idempotencyKey ?? (isRepeatable ? 'TRANSACTION' : 'KEPT')
}

function securityOf(access: Access, scope: Scope | null) {
  // Stated, because a linter takes a missing one for an oversight.
  if (!hasKey(access)) return { security: [] }
  const scheme = access === 'admin' ? 'AdminKey' : 'ApiKey'
  return { security: [{ [scheme]: scope === null ? [] : [scope] }] }
}

/** Of parameters that are no ids. */
const paramSchemas: Readonly<Record<string, TSchema>> = {
  playerId: PlayerId,
  shard: ShardNumber,
}

function paramsOf(path: string) {
  const names = path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []))
  if (names.length === 0) return null
  return Type.Object(Object.fromEntries(names.map((name) => [name, paramSchemas[name] ?? Id])))
}

const nextLink = {
  Link: {
    type: 'string',
    description:
      'With text/csv: the next page, as `<?query>; rel="next"`. Without it, this is the last page.',
  },
}

const csvContent = {
  schema: {
    type: 'string',
    description:
      'A line with the names of the fields, then one for each item; a field that is an object or ' +
      'an array is JSON, null is empty. A text that begins with =, +, -, @, a tab or a carriage ' +
      "return has a ' before it.",
  },
}

const descriptions = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.' } as const

function answersOf(route: Description, access: Access) {
  const { status = 200, answer, isRepeatable = false } = route
  const isKept = keyUseOf(route) === 'KEPT'
  const headers = {
    ...requestIdHeader,
    ...(isLimited(access) ? rateLimitHeaders : {}),
    ...(route.csv === undefined ? {} : nextLink),
  }
  const replayed = { ...headers, ...replayHeader }
  const first = {
    description: descriptions[status],
    headers: isKept || (isRepeatable && status === 200) ? replayed : headers,
    ...(route.csv === undefined
      ? success(answer)
      : {
          content: {
            'application/json': { schema: success(answer) },
            [csvType]: csvContent,
          },
        }),
  }
  if (!isRepeatable || status === 200) return { [status]: first }
  const again = {
    description: 'Already carried out; nothing was done again.',
    headers: replayed,
    ...success(answer),
  }
  return { 200: again, [status]: first }
}

function errorsOf(route: Description, access: Access): readonly ErrorCode[] {
  const isWrite = route.method !== 'GET'
  const codes: ErrorCode[] = []
  if (route.query !== undefined || isWrite) codes.push('VALIDATION_ERROR')
  if (hasKey(access)) codes.push('UNAUTHORIZED')
  if (access === 'operator') codes.push('FORBIDDEN')
  codes.push(...(route.errors ?? []))
  if (isWrite) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'COMMIT_UNKNOWN')
  if (keyUseOf(route) === 'KEPT') codes.push('IDEMPOTENCY_KEY_REUSED')
  if (hasKey(access) || isLimited(access)) codes.push('RATE_LIMITED')
  codes.push('INTERNAL_ERROR', 'UNAVAILABLE')
  return [...new Set(codes)]
}

/** The codes of orders stored as REJECTED: a repeated order gets the same response. */
const repeated: readonly ErrorCode[] = [
  'ORDER_OUTSIDE_BAND',
  'ORDER_WOULD_MATCH',
  'ORDER_NO_LIQUIDITY',
]

function failuresOf({ isRepeatable = false }: Description, codes: readonly ErrorCode[]) {
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `${code}: ${errorTable[code].when}`).join('\n\n'),
        headers: {
          ...requestIdHeader,
          ...(status === 429 || status === 503 ? retryHeader : {}),
          ...(status === 429 ? rateLimitHeaders : {}),
          ...(isRepeatable && group.some((code) => repeated.includes(code)) ? replayHeader : {}),
        },
        content: {
          'application/json': { schema: failure(group) },
          [problemType]: { schema: named(Problem) },
        },
      },
    ]),
  )
}

function hasKey(access: Access): boolean {
  return access === 'operator' || access === 'admin'
}

function isLimited(access: Access): boolean {
  return access === 'operator' || access === 'public'
}
