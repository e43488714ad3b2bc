// Shares traded in the last 24 hours, in buckets of a minute.

const minuteMs = 60_000
const minutesKept = 24 * 60

export type VolumeBucket = { readonly minute: number; readonly shares: number }

type Bucket = { minute: number; shares: number }

// One for all books that never traded; it is replaced, never filled.
const noBuckets: Bucket[] = []

export class Volume {
  private kept: Bucket[] = noBuckets

  add(now: number, shares: number): void {
    const minute = Math.floor(now / minuteMs)
    const last = this.kept[this.kept.length - 1]
    if (last !== undefined && last.minute === minute) {
      last.shares += shares
      return
    }
    // A new minute is the moment to let go of what is older than a day.
    const oldest = this.kept.findIndex((bucket) => bucket.minute > minute - minutesKept)
    this.kept = oldest < 0 ? [] : this.kept.slice(oldest)
    this.kept.push({ minute, shares })
  }

  total(now: number): number {
    const oldest = Math.floor(now / minuteMs) - minutesKept
    let shares = 0
    for (const bucket of this.kept) if (bucket.minute > oldest) shares += bucket.shares
    return shares
  }

  get buckets(): readonly VolumeBucket[] {
    return this.kept
  }

  restore(buckets: Iterable<VolumeBucket>): void {
    this.kept = Array.from(buckets, (bucket) => ({ ...bucket }))
  }
}
