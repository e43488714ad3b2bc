// Whether a request is admitted: by its API key, and by the rate limit of its operator or address.
// All interfaces share one admission, so that an operator has one limit over all of them.

import type { KeyUses } from '../../registry/key-uses.ts'
import type { Keys } from '../../registry/keys.ts'
import type { OperatorRow } from '../../store/store.ts'
import { Refusal } from '../errors.ts'
import type { Scope } from '../schemas/operator.ts'
import { type Caller, callerOf } from './caller.ts'
import type { OperatorLimits } from './shared-limits.ts'
import { TokenBuckets, type TokenBucketsOptions, type Verdict } from './token-buckets.ts'

/** The cost allowed per second, in the unit of engine/cost.ts; 0 for no limit. */
export type Limits = {
  /** Orders, mints and redemptions of an operator; its cancels have as many of their own. */
  readonly orders: number
  /** All other requests of an operator. */
  readonly requests: number
  /** Requests of one address without a key. */
  readonly public: number
}

export type BucketName = 'orders' | 'cancels' | 'requests'
/** By address: `pages` are the metrics, the documents and the console. */
export type AddressBucket = 'public' | 'pages'

/** Those that responses show to callers. */
export const limitNames = ['orders', 'cancels', 'requests', 'public'] as const

export type LimitState = {
  readonly name: (typeof limitNames)[number]
  /** 0 for no limit. */
  readonly perSecond: number
  /** null where there is no limit. */
  readonly remaining: number | null
}

/**
 * Pages have tokens of their own, so that Prometheus or a browser is not refused because its
 * address reads market data. They have at least this many: the console consists of several files.
 */
const pagesMin = 100

type AdmissionOptions = {
  readonly keys: Pick<Keys, 'authenticate'>
  /** Notes each key that was accepted. */
  readonly keyUses?: Pick<KeyUses, 'note'>
  readonly limits: Limits
  /** Unix milliseconds. */
  readonly now: () => number
  /** Whether this node knows every key that was revoked; always, unless it is part of a cluster. */
  readonly isInTouch?: () => boolean
  /** The limits of operators over all nodes of a cluster; null for a process that is alone. */
  readonly shared?: OperatorLimits | null
}

export const outOfTouch = new Refusal(
  'UNAVAILABLE',
  'This node has lost touch with the others and cannot check keys now. Try again later.',
)
export const tooMany = new Refusal('RATE_LIMITED', 'Too many requests; try again later.')

export class Admission {
  readonly #options: AdmissionOptions
  readonly #buckets: Readonly<Record<BucketName | AddressBucket, TokenBuckets | null>>

  constructor(options: AdmissionOptions) {
    this.#options = options
    const { limits, shared } = options
    const ofOperators = (name: BucketName, perSecond: number) =>
      bucketsOf(perSecond, {
        name,
        ...(shared && { onConsumed: (id, count) => shared.note(name, id, count) }),
      })
    const operators = {
      orders: ofOperators('orders', limits.orders),
      cancels: ofOperators('cancels', limits.orders),
      requests: ofOperators('requests', limits.requests),
    }
    shared?.use(operators)
    this.#buckets = {
      ...operators,
      public: bucketsOf(limits.public, { name: 'public' }),
      pages: bucketsOf(limits.public === 0 ? 0 : Math.max(limits.public, pagesMin)),
    }
  }

  /** Without it, every request with a key is refused, and private streams are closed. */
  get isInTouch(): boolean {
    return this.#options.isInTouch?.() ?? true
  }

  /** The operator and the key. Refused with UNAUTHORIZED, a caller counts as public. */
  authenticate(apiKey: unknown, scope: Scope | null): Caller | Refusal {
    if (apiKey !== undefined && !this.isInTouch) return outOfTouch
    const caller = callerOf(this.#options.keys, apiKey, scope)
    if (!(caller instanceof Refusal)) this.#options.keyUses?.note(caller.key.id)
    return caller
  }

  operatorOf(apiKey: unknown, scope: Scope): OperatorRow | Refusal {
    const caller = this.authenticate(apiKey, scope)
    return caller instanceof Refusal ? caller : caller.operator
  }

  /**
   * Consumes a token of an operator, or of an address; null where there is no limit.
   * A caller with a valid key does not count as public: many callers may share one address. Keys
   * are too long to be guessed at any rate.
   */
  consume(bucket: BucketName | AddressBucket, who: string): Verdict | null {
    return this.#buckets[bucket]?.consume(who, this.#options.now()) ?? null
  }

  /** The limits of an operator, and that of requests without a key from its address. */
  limitsOf(operatorId: string, address: string): readonly LimitState[] {
    const now = this.#options.now()
    return limitNames.map((name) => {
      const buckets = this.#buckets[name]
      const who = name === 'public' ? address : operatorId
      if (buckets === null) return { name, perSecond: 0, remaining: null }
      return { name, perSecond: buckets.capacity, remaining: buckets.remaining(who, now) }
    })
  }

  /** Whether a request that costs so much would be allowed. */
  allows(bucket: BucketName, who: string, count: number): boolean {
    return this.#buckets[bucket]?.allows(who, this.#options.now(), count) ?? true
  }

  /** The state of a limit for a request that it does not allow; consumes nothing. */
  refuse(bucket: BucketName, who: string, count: number): Verdict | null {
    return this.#buckets[bucket]?.refuse(who, this.#options.now(), count) ?? null
  }

  /**
   * Consumes further tokens for a request that has consumed its first, and `consumed` of them, and
   * costs more.
   */
  consumeMore(
    bucket: BucketName | AddressBucket,
    who: string,
    more: number,
    consumed = 0,
  ): Verdict | null {
    return this.#buckets[bucket]?.consumeMore(who, this.#options.now(), more, consumed) ?? null
  }

  /** Consumes the tokens that a request has cost beyond those that it consumed before. */
  consumeAfter(bucket: BucketName, who: string, more: number): Verdict | null {
    if (more <= 0) return null
    return this.#buckets[bucket]?.consumeAfter(who, this.#options.now(), more) ?? null
  }
}

function bucketsOf(
  perSecond: number,
  options: Pick<TokenBucketsOptions, 'name' | 'onConsumed'> = {},
): TokenBuckets | null {
  return perSecond === 0 ? null : new TokenBuckets({ capacity: perSecond, perSecond, ...options })
}
