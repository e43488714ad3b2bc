// Finds rows by a 32-bit hash: one typed array with linear probing. Several keys may share a hash,
// so the caller compares the key itself and goes on to the next candidate. Removing shifts later
// entries back, so that no tombstones collect.

const none = -1
const fullest = 0.6
const smallest = 16
/** An entry is a hash and a row. */
const width = 2

export class HashIndex<Row extends number> {
  private entries = emptyEntries(smallest)
  private mask = smallest - 1
  /** How many more fit before it must grow. */
  private free = capacityOf(smallest)

  /** The slot of the first candidate, or -1. */
  first(hash: number): number {
    return this.from(hash & this.mask, hash)
  }

  /** The slot of the candidate after that one, or -1. */
  after(slot: number, hash: number): number {
    return this.from((slot + 1) & this.mask, hash)
  }

  rowAt(slot: number): Row {
    return this.entries[(slot << 1) | 1] as Row
  }

  add(hash: number, row: Row): void {
    if (this.free <= 0) this.grow()
    this.free -= 1
    this.put(hash, row)
  }

  remove(hash: number, row: Row): void {
    const entries = this.entries
    const mask = this.mask
    let gap = hash & mask
    while (entries[(gap << 1) | 1] !== row) gap = (gap + 1) & mask
    this.free += 1
    for (let slot = (gap + 1) & mask; ; slot = (slot + 1) & mask) {
      const mover = entries[(slot << 1) | 1]!
      if (mover === none) break
      const home = entries[slot << 1]! & mask
      // An entry may move into the gap unless its home is behind the gap.
      if (((slot - home) & mask) < ((slot - gap) & mask)) continue
      entries[gap << 1] = entries[slot << 1]!
      entries[(gap << 1) | 1] = mover
      gap = slot
    }
    entries[(gap << 1) | 1] = none
  }

  clear(): void {
    this.entries = emptyEntries(smallest)
    this.mask = smallest - 1
    this.free = capacityOf(smallest)
  }

  get bytes(): number {
    return this.entries.byteLength
  }

  private from(start: number, hash: number): number {
    const entries = this.entries
    for (let slot = start; entries[(slot << 1) | 1] !== none; slot = (slot + 1) & this.mask) {
      if (entries[slot << 1] === hash) return slot
    }
    return -1
  }

  private put(hash: number, row: number): void {
    const entries = this.entries
    let slot = hash & this.mask
    while (entries[(slot << 1) | 1] !== none) slot = (slot + 1) & this.mask
    entries[slot << 1] = hash
    entries[(slot << 1) | 1] = row
  }

  private grow(): void {
    const old = this.entries
    const slots = (this.mask + 1) * 2
    this.free += capacityOf(slots) - capacityOf(slots / 2)
    this.mask = slots - 1
    this.entries = emptyEntries(this.mask + 1)
    for (let at = 0; at < old.length; at += width) {
      if (old[at + 1] !== none) this.put(old[at]!, old[at + 1]!)
    }
  }
}

function capacityOf(slots: number): number {
  return Math.ceil(slots * fullest)
}

function emptyEntries(slots: number): Int32Array {
  return new Int32Array(slots * width).fill(none)
}

/** Spreads serials: as they are they would fill slots in long runs, and probing walks those. */
export function hashOfSerial(serial: number): number {
  const hash = Math.imul(serial | 0, 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

/** Spreads a pair: neighbours must land far apart, or probing turns into a walk. */
export function hashOfPair(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae3d)
  return hash ^ (hash >>> 13)
}
