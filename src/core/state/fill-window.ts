// What an order group has seen filled within its window, and the words for its state.

/** A deleted one exists until the orders are cancelled that were in it. */
export const orderGroupStatuses = ['ACTIVE', 'TRIGGERED', 'DELETED'] as const
export type OrderGroupStatus = (typeof orderGroupStatuses)[number]

/** All fills of one moment. The slot is the place at which they are stored. */
export type GroupFills = { readonly slot: number; readonly time: number; shares: number }

/** Past this, entries that have left the window are dropped from the front of the list. */
const droppedMax = 1_024

/**
 * What was filled within the last `windowMs`: at t, everything after t - windowMs. It has at most
 * as many entries as the window has milliseconds.
 */
export class FillWindow {
  readonly windowMs: number
  /** Raised when the window is emptied: entries that were stored before do not count. */
  generation = 0
  /** The oldest first. */
  private entries: GroupFills[] = []
  /** How many entries at the front have left the window, and what is in the others. */
  private dropped = 0
  private sum = 0
  private freeSlots: number[] = []
  private slots = 0

  constructor(windowMs: number) {
    this.windowMs = windowMs
  }

  /** Adds what was filled now, and returns what is in the window. */
  add(now: number, shares: number): number {
    this.expire(now)
    this.sum += shares
    const last = this.entries.at(-1)
    if (last?.time === now && this.entries.length > this.dropped) last.shares += shares
    else this.entries.push({ slot: this.freeSlot(), time: now, shares })
    return this.sum
  }

  /** Also at a later time than that of the last entry; changes nothing. */
  sharesAt(now: number): number {
    let shares = this.sum
    for (let at = this.dropped; at < this.entries.length; at += 1) {
      const entry = this.entries[at]!
      if (entry.time > now - this.windowMs) break
      shares -= entry.shares
    }
    return shares
  }

  /** The entries that count at that time. */
  entriesAt(now: number): readonly GroupFills[] {
    return this.entries.slice(this.dropped).filter(({ time }) => time > now - this.windowMs)
  }

  /** The entry of that time, if there is one. */
  entryOf(now: number): GroupFills | null {
    const last = this.entries.length > this.dropped ? this.entries.at(-1) : undefined
    return last?.time === now ? last : null
  }

  clear(): void {
    this.generation += 1
    this.entries = []
    this.dropped = 0
    this.sum = 0
    this.freeSlots = []
    this.slots = 0
  }

  /** The entries of a saved window, in the order of their times. */
  restore(generation: number, entries: readonly GroupFills[]): void {
    this.generation = generation
    this.entries = entries.map((entry) => ({ ...entry }))
    this.sum = entries.reduce((sum, { shares }) => sum + shares, 0)
    const used = new Set(entries.map(({ slot }) => slot))
    this.slots = entries.reduce((slots, { slot }) => Math.max(slots, slot + 1), 0)
    for (let slot = this.slots - 1; slot >= 0; slot -= 1) {
      if (!used.has(slot)) this.freeSlots.push(slot)
    }
  }

  private expire(now: number): void {
    for (; this.dropped < this.entries.length; this.dropped += 1) {
      const { slot, time, shares } = this.entries[this.dropped]!
      if (time > now - this.windowMs) break
      this.sum -= shares
      this.freeSlots.push(slot)
    }
    if (this.dropped <= droppedMax) return
    this.entries.splice(0, this.dropped)
    this.dropped = 0
  }

  private freeSlot(): number {
    const freed = this.freeSlots.pop()
    if (freed !== undefined) return freed
    this.slots += 1
    return this.slots - 1
  }
}
