// Shares traded in the last 24 hours, in buckets of a minute.

const minuteMs = 60_000
const minutesKept = 24 * 60
const noMinute = -1

export type VolumeBucket = { readonly minute: number; readonly shares: number }

// One for all books without earlier buckets; it is replaced, never filled.
const noBuckets: VolumeBucket[] = []

export class Volume {
  /** The latest bucket; noMinute before the first trade. */
  private minute = noMinute
  private shares = 0
  /** The buckets before it, in order. */
  private earlier: VolumeBucket[] = noBuckets

  add(now: number, shares: number): void {
    const minute = Math.floor(now / minuteMs)
    if (minute !== this.minute) this.begin(minute)
    this.shares += shares
  }

  // A new minute is the moment to drop what is older than a day.
  private begin(minute: number): void {
    this.earlier = this.buckets.filter((bucket) => bucket.minute > minute - minutesKept)
    this.minute = minute
    this.shares = 0
  }

  total(now: number): number {
    const oldest = Math.floor(now / minuteMs) - minutesKept
    let shares = this.minute > oldest ? this.shares : 0
    for (const bucket of this.earlier) if (bucket.minute > oldest) shares += bucket.shares
    return shares
  }

  get buckets(): readonly VolumeBucket[] {
    if (this.minute === noMinute) return noBuckets
    return [...this.earlier, { minute: this.minute, shares: this.shares }]
  }

  restore(buckets: Iterable<VolumeBucket>): void {
    const all = Array.from(buckets, (bucket) => ({ ...bucket }))
    const latest = all.pop()
    this.earlier = all
    this.minute = latest?.minute ?? noMinute
    this.shares = latest?.shares ?? 0
  }
}
