// Who may ask, and how often, whatever the interface: REST and gRPC share one gate, so that an
// operator has one limit and not one for each way in.

import type { Keys } from '../../registry/keys.ts'
import type { OperatorRow } from '../../store/store.ts'
import { Refusal } from '../errors.ts'
import type { Scope } from '../schemas/operator.ts'
import { TokenBuckets, type Verdict } from './token-buckets.ts'

/** Per second; 0 for none. */
export type Limits = {
  /** Orders, mints and redemptions of an operator; its cancels have as many of their own. */
  readonly orders: number
  /** Everything else an operator asks. */
  readonly requests: number
  /** What one address asks without a key. */
  readonly public: number
}

export type BucketName = 'orders' | 'cancels' | 'requests'

type AdmissionOptions = {
  readonly keys: Pick<Keys, 'authenticate'>
  readonly limits: Limits
  /** Unix milliseconds. */
  readonly now: () => number
}

const missingKey = new Refusal('UNAUTHORIZED', 'The key is missing; send it as X-Api-Key.')
const unknownKey = new Refusal('UNAUTHORIZED', 'The key in X-Api-Key is not valid.')
const inactive = new Refusal('FORBIDDEN', 'The operator is not active.')
const outOfScope: Readonly<Record<Scope, Refusal>> = {
  read: new Refusal('FORBIDDEN', 'The key does not have the scope "read".'),
  trade: new Refusal('FORBIDDEN', 'The key does not have the scope "trade".'),
  manage: new Refusal('FORBIDDEN', 'The key does not have the scope "manage".'),
}
export const tooMany = new Refusal('RATE_LIMITED', 'Too many requests; try again a little later.')

export class Admission {
  readonly #options: AdmissionOptions
  readonly #buckets: Readonly<Record<BucketName | 'public', TokenBuckets | null>>

  constructor(options: AdmissionOptions) {
    this.#options = options
    const { limits } = options
    this.#buckets = {
      orders: bucketsOf(limits.orders),
      cancels: bucketsOf(limits.orders),
      requests: bucketsOf(limits.requests),
      public: bucketsOf(limits.public),
    }
  }

  /** Whose key it is. UNAUTHORIZED says that the caller is a stranger. */
  callerOf(apiKey: unknown, scope: Scope): OperatorRow | Refusal {
    if (apiKey === undefined) return missingKey
    const found = typeof apiKey === 'string' ? this.#options.keys.authenticate(apiKey) : null
    if (found === null) return unknownKey
    if (!found.operator.isActive) return inactive
    return found.key.scopes.includes(scope) ? found.operator : outOfScope[scope]
  }

  /**
   * Takes a token of an operator, or of an address with `public`; null where there is no limit.
   * Whoever has no key counts as the public. A right key always passes: behind one address there
   * may be many callers. Keys are too long to be guessed at any rate.
   */
  consume(bucket: BucketName | 'public', who: string): Verdict | null {
    return this.#buckets[bucket]?.consume(who, this.#options.now()) ?? null
  }

  /** Takes further tokens for the parts of a request that took its first already. */
  consumeMore(bucket: BucketName, who: string, more: number): Verdict | null {
    return this.#buckets[bucket]?.consumeMore(who, this.#options.now(), more) ?? null
  }
}

function bucketsOf(perSecond: number): TokenBuckets | null {
  return perSecond === 0 ? null : new TokenBuckets({ capacity: perSecond, perSecond })
}
