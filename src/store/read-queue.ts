// Waiting reads, in round robin: one read of each operator in each round, and one of all callers
// without a key together, because many addresses must not outweigh the operators. Among callers
// without a key, the addresses are served in round robin, too.

import type { ReadParty } from './store.ts'

export type WaitingRead = {
  readonly party: ReadParty
  /** Milliseconds of the clock of the lane. */
  readonly since: number
}

export type QueueLimits = {
  /** How many reads one operator, or all callers without a key together, may have waiting. */
  readonly waitingMax: number
  /** How many of them one address may have waiting. */
  readonly waitingOfAddressMax: number
  /** While the oldest read of a party has waited this long, its further reads are refused. */
  readonly waitMsMax: number
}

const withoutKey = 'without a key'

/** An operator, or all callers without a key. */
export type ShareKey = number | typeof withoutKey

/** The waiting reads of an operator, or of all callers without a key. */
type Share<Read> = {
  readonly key: ShareKey
  /** By operator or address, in the order of service; none is empty. */
  readonly lines: Map<ReadParty, Set<Read>>
  waiting: number
  running: number
}

export class ReadQueue<Read extends WaitingRead> {
  readonly #limits: QueueLimits
  readonly #shares = new Map<ShareKey, Share<Read>>()
  /** The shares with waiting reads, in the order of service. */
  readonly #order = new Set<Share<Read>>()
  #waiting = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Whether a party may add a read; if not, why. */
  refusal(party: ReadParty, now: number): 'full' | 'slow' | null {
    const { waitingMax, waitingOfAddressMax, waitMsMax } = this.#limits
    const share = this.#shares.get(keyOf(party))
    const line = share?.lines.get(party)
    if (share === undefined) return null
    if (share.waiting >= waitingMax) return 'full'
    if (line === undefined) return null
    if (share.key === withoutKey && line.size >= waitingOfAddressMax) return 'full'
    return now - firstOf(line).since >= waitMsMax ? 'slow' : null
  }

  add(read: Read): void {
    const key = keyOf(read.party)
    const share = this.#shares.get(key) ?? { key, lines: new Map(), waiting: 0, running: 0 }
    this.#shares.set(key, share)
    const line = share.lines.get(read.party) ?? new Set()
    share.lines.set(read.party, line)
    line.add(read)
    share.waiting += 1
    this.#waiting += 1
    this.#order.add(share)
  }

  /**
   * Removes the next read for which there is a reader, and returns both; the read then counts as
   * running. null if there is none.
   */
  next<Reader>(readerFor: (key: ShareKey) => Reader | null): { read: Read; reader: Reader } | null {
    for (const share of this.#order) {
      const reader = readerFor(share.key)
      if (reader === null) continue
      const [party, line] = firstOf(share.lines)
      const read = firstOf(line)
      this.#remove(share, line, read)
      // Share and line go to the end of the round.
      this.#order.delete(share)
      if (share.waiting > 0) this.#order.add(share)
      share.lines.delete(party)
      if (line.size > 0) share.lines.set(party, line)
      share.running += 1
      return { read, reader }
    }
    return null
  }

  /** A read that was returned by `next` has ended. */
  end({ party }: Read): void {
    const share = this.#shares.get(keyOf(party))!
    share.running -= 1
    this.#forget(share)
  }

  /** Removes a read; false if it is not waiting. */
  delete(read: Read): boolean {
    const share = this.#shares.get(keyOf(read.party))
    const line = share?.lines.get(read.party)
    if (share === undefined || line?.has(read) !== true) return false
    this.#remove(share, line, read)
    if (line.size === 0) share.lines.delete(read.party)
    if (share.waiting === 0) this.#order.delete(share)
    this.#forget(share)
    return true
  }

  *all(): Generator<Read> {
    for (const { lines } of this.#order) for (const line of lines.values()) yield* line
  }

  #remove(share: Share<Read>, line: Set<Read>, read: Read): void {
    line.delete(read)
    share.waiting -= 1
    this.#waiting -= 1
  }

  #forget(share: Share<Read>): void {
    if (share.waiting === 0 && share.running === 0) this.#shares.delete(share.key)
  }
}

export function keyOf(party: ReadParty): ShareKey {
  return typeof party === 'number' ? party : withoutKey
}

function firstOf<Item>(items: Iterable<Item>): Item {
  const [first] = items
  return first!
}
