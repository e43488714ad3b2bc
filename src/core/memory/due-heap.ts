// What falls due, earliest first: a binary heap that also knows the place of each entry, so that
// one can be removed early. Ties go by serial.

const none: number = -1

/** Of rows or handles. */
export class DueHeap<Entry extends number> {
  private entries: Entry[] = []
  private times: number[] = []
  private serials: number[] = []
  /** By entry: its place in the heap. */
  private readonly slots = new Map<Entry, number>()

  get size(): number {
    return this.entries.length
  }

  isDue(now: number): boolean {
    return this.times.length > 0 && this.times[0]! <= now
  }

  /** The entry that falls due first, or -1. */
  first(): Entry {
    return this.entries[0] ?? (none as Entry)
  }

  /** Calls back with every entry that is due, in no particular order. */
  eachDue(now: number, use: (entry: Entry) => void): void {
    // All that is due is together at the top of the heap.
    const slots = [0]
    for (let slot = slots.pop(); slot !== undefined; slot = slots.pop()) {
      if (slot >= this.times.length || this.times[slot]! > now) continue
      use(this.entries[slot]!)
      slots.push(slot * 2 + 1, slot * 2 + 2)
    }
  }

  add(entry: Entry, time: number, serial: number): void {
    this.entries.push(entry)
    this.times.push(time)
    this.serials.push(serial)
    this.slots.set(entry, this.entries.length - 1)
    this.rise(this.entries.length - 1)
  }

  /** Removes an entry, if it is there. */
  remove(entry: Entry): void {
    const slot = this.slots.get(entry)
    if (slot === undefined) return
    this.slots.delete(entry)
    const last = this.entries.length - 1
    if (slot !== last) this.move(last, slot)
    this.entries.pop()
    this.times.pop()
    this.serials.pop()
    if (slot === last) return
    this.rise(slot)
    this.sink(slot)
  }

  clear(): void {
    this.entries = []
    this.times = []
    this.serials = []
    this.slots.clear()
  }

  private isBefore(a: number, b: number): boolean {
    if (this.times[a] !== this.times[b]) return this.times[a]! < this.times[b]!
    return this.serials[a]! < this.serials[b]!
  }

  private rise(from: number): void {
    let slot = from
    while (slot > 0) {
      const parent = (slot - 1) >> 1
      if (!this.isBefore(slot, parent)) return
      this.swap(slot, parent)
      slot = parent
    }
  }

  private sink(from: number): void {
    let slot = from
    for (;;) {
      const left = slot * 2 + 1
      const right = left + 1
      let first = slot
      if (left < this.entries.length && this.isBefore(left, first)) first = left
      if (right < this.entries.length && this.isBefore(right, first)) first = right
      if (first === slot) return
      this.swap(slot, first)
      slot = first
    }
  }

  private swap(a: number, b: number): void {
    const entry = this.entries[a]!
    const time = this.times[a]!
    const serial = this.serials[a]!
    this.move(b, a)
    this.entries[b] = entry
    this.times[b] = time
    this.serials[b] = serial
    this.slots.set(entry, b)
  }

  private move(from: number, to: number): void {
    this.entries[to] = this.entries[from]!
    this.times[to] = this.times[from]!
    this.serials[to] = this.serials[from]!
    this.slots.set(this.entries[to]!, to)
  }
}
