// Token buckets, one for each key. A bucket fills steadily and each request takes one token out; a
// bucket that is full again is the same as none, so it is forgotten: memory is bounded by what was
// asked within the time that a bucket takes to fill.

type Bucket = { tokens: number; filledAt: number }

/** What a request was told; the object is used again for the next one. */
export type Verdict = {
  isTaken: boolean
  /** How many a bucket holds. */
  limit: number
  /** Whole tokens left. */
  remaining: number
  /** Seconds until the bucket is full. */
  resetSeconds: number
  /** Seconds until a token is there; 0 if one was. */
  retrySeconds: number
}

const sweepAtLeast = 1_024

export class TokenBuckets {
  readonly capacity: number
  readonly #perMs: number
  readonly #buckets = new Map<string, Bucket>()
  readonly #verdict: Verdict
  #sweepAt = sweepAtLeast

  constructor({ capacity, perSecond }: { capacity: number; perSecond: number }) {
    this.capacity = capacity
    this.#perMs = perSecond / 1_000
    const none = { remaining: 0, resetSeconds: 0, retrySeconds: 0 }
    this.#verdict = { isTaken: true, limit: capacity, ...none }
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#buckets.size
  }

  take(key: string, now: number): Verdict {
    const bucket = this.#buckets.get(key) ?? this.#add(key, now)
    this.#fill(bucket, now)
    const isTaken = bucket.tokens >= 1
    if (isTaken) bucket.tokens -= 1
    const verdict = this.#verdict
    verdict.isTaken = isTaken
    verdict.remaining = Math.floor(bucket.tokens)
    verdict.resetSeconds = this.#secondsFor(this.capacity - bucket.tokens)
    verdict.retrySeconds = isTaken ? 0 : this.#secondsFor(1 - bucket.tokens)
    return verdict
  }

  #add(key: string, now: number): Bucket {
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now)
    const bucket = { tokens: this.capacity, filledAt: now }
    this.#buckets.set(key, bucket)
    return bucket
  }

  #fill(bucket: Bucket, now: number): void {
    // A clock that was set back gives nothing and takes nothing.
    const elapsedMs = Math.max(0, now - bucket.filledAt)
    bucket.tokens = Math.min(this.capacity, bucket.tokens + elapsedMs * this.#perMs)
    bucket.filledAt = now
  }

  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      this.#fill(bucket, now)
      if (bucket.tokens >= this.capacity) this.#buckets.delete(key)
    }
    // Twice what is left: the work of sweeping stays in proportion to what was added.
    this.#sweepAt = Math.max(sweepAtLeast, this.#buckets.size * 2)
  }

  #secondsFor(tokens: number): number {
    return Math.ceil(tokens / this.#perMs / 1_000)
  }
}
