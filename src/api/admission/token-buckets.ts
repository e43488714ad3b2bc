// Token buckets, one per key. A bucket fills steadily, and a request consumes one token, or as many
// as it costs. A bucket that is full again is dropped, so memory is bounded by the keys that were
// used within the time a bucket needs to fill.

type Bucket = { tokens: number; filledAt: number }

/** The state after a request; the object is reused for the next request. */
export type Verdict = {
  isAllowed: boolean
  /** The name of the limit; null if it is not shown to callers. */
  readonly name: string | null
  /** The limit as the header RateLimit-Policy shows it: its name, quota and window. */
  readonly policy: string
  /** The capacity of a bucket. */
  limit: number
  /** Whole tokens left; 0 for a debt, too. */
  remaining: number
  /** Seconds until the bucket is full. */
  resetSeconds: number
  /** Seconds until enough tokens are available; 0 if the request was allowed. */
  retrySeconds: number
}

const removeFullAtLeast = 1_024

export type TokenBucketsOptions = {
  readonly capacity: number
  readonly perSecond: number
  readonly name?: string
  /** Called with what a request has consumed; 0 if it was refused. */
  readonly onConsumed?: (key: string, count: number) => void
}

export class TokenBuckets {
  readonly capacity: number
  readonly #perMs: number
  readonly #buckets = new Map<string, Bucket>()
  readonly #verdict: Verdict
  readonly #onConsumed: TokenBucketsOptions['onConsumed']
  #removeFullAt = removeFullAtLeast

  constructor(options: TokenBucketsOptions) {
    const { capacity, perSecond, name = null, onConsumed } = options
    this.#onConsumed = onConsumed
    this.capacity = capacity
    this.#perMs = perSecond / 1_000
    const none = { remaining: 0, resetSeconds: 0, retrySeconds: 0 }
    const policy = name === null ? '' : `"${name}";q=${capacity};w=${capacity / perSecond}`
    this.#verdict = { isAllowed: true, name, policy, limit: capacity, ...none }
  }

  /** The number of buckets that are kept. */
  get size(): number {
    return this.#buckets.size
  }

  /** Whole tokens left, 0 for a debt; consumes nothing. */
  remaining(key: string, now: number): number {
    // Other nodes may have consumed some: the answer to what is noted here says how many.
    this.#onConsumed?.(key, 0)
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return this.capacity
    this.#fill(bucket, now)
    return Math.max(0, Math.floor(bucket.tokens))
  }

  /** Whether a request that costs so much would be allowed; consumes nothing. */
  allows(key: string, now: number, count: number): boolean {
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return true
    this.#fill(bucket, now)
    return bucket.tokens >= Math.min(count, this.capacity)
  }

  /**
   * The state for a request that `allows` did not allow. Tokens that have returned since then do
   * not change the decision; consumes nothing.
   */
  refuse(key: string, now: number, count: number): Verdict {
    const atLeast = Math.min(count, this.capacity)
    const verdict = this.#consume(key, now, { count: 0, atLeast })
    verdict.isAllowed = false
    verdict.retrySeconds = Math.max(1, verdict.retrySeconds)
    return verdict
  }

  consume(key: string, now: number): Verdict {
    return this.#consume(key, now, { count: 1, atLeast: 1 })
  }

  /**
   * Further tokens for a request that has consumed one, and `consumed` of the count. A count above
   * the capacity is allowed if the bucket was full before the request; the debt is paid off before
   * the next request is allowed.
   */
  consumeMore(key: string, now: number, count: number, consumed = 0): Verdict {
    const atLeast = Math.min(count, this.capacity - 1) - consumed
    return this.#consume(key, now, { count: count - consumed, atLeast })
  }

  /**
   * Tokens for what a request has cost beyond what it consumed before. It is never refused, since
   * the work is done: the bucket may go into debt.
   */
  consumeAfter(key: string, now: number, count: number): Verdict {
    return this.#consume(key, now, { count, atLeast: Number.NEGATIVE_INFINITY })
  }

  /** Counts what was consumed elsewhere, and returns what is left; negative for a debt. */
  settle(key: string, now: number, count: number): number {
    const bucket = this.#buckets.get(key) ?? this.#add(key, now)
    this.#fill(bucket, now)
    bucket.tokens -= count
    return bucket.tokens
  }

  /** Continues with so many tokens. */
  setTokens(key: string, now: number, tokens: number): void {
    const bucket = this.#buckets.get(key) ?? this.#add(key, now)
    this.#fill(bucket, now)
    bucket.tokens = Math.min(this.capacity, tokens)
  }

  #consume(
    key: string,
    now: number,
    { count, atLeast }: { count: number; atLeast: number },
  ): Verdict {
    const bucket = this.#buckets.get(key) ?? this.#add(key, now)
    this.#fill(bucket, now)
    const isAllowed = bucket.tokens >= atLeast
    if (isAllowed) bucket.tokens -= count
    this.#onConsumed?.(key, isAllowed ? count : 0)
    const verdict = this.#verdict
    verdict.isAllowed = isAllowed
    verdict.remaining = Math.max(0, Math.floor(bucket.tokens))
    verdict.resetSeconds = this.#secondsFor(this.capacity - bucket.tokens)
    verdict.retrySeconds = isAllowed ? 0 : this.#secondsFor(atLeast - bucket.tokens)
    return verdict
  }

  #add(key: string, now: number): Bucket {
    if (this.#buckets.size >= this.#removeFullAt) this.#removeFull(now)
    const bucket = { tokens: this.capacity, filledAt: now }
    this.#buckets.set(key, bucket)
    return bucket
  }

  #fill(bucket: Bucket, now: number): void {
    // A clock that was set back changes nothing.
    const elapsedMs = Math.max(0, now - bucket.filledAt)
    bucket.tokens = Math.min(this.capacity, bucket.tokens + elapsedMs * this.#perMs)
    bucket.filledAt = now
  }

  #removeFull(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      this.#fill(bucket, now)
      if (bucket.tokens >= this.capacity) this.#buckets.delete(key)
    }
    // Twice what is left, so that the work of removing is proportional to what was added.
    this.#removeFullAt = Math.max(removeFullAtLeast, this.#buckets.size * 2)
  }

  #secondsFor(tokens: number): number {
    return Math.ceil(tokens / this.#perMs / 1_000)
  }
}
