// Handles in the order in which they fall due: a binary heap that also knows where each handle
// stands, so that one can be taken out again. Ties go by serial.

const none = -1

export class DueHeap {
  private handles: number[] = []
  private times: number[] = []
  private serials: number[] = []
  /** By handle: where it stands in the heap. */
  private readonly slots = new Map<number, number>()

  get size(): number {
    return this.handles.length
  }

  isDue(now: number): boolean {
    return this.times.length > 0 && this.times[0]! <= now
  }

  /** The handle that falls due first, or -1. */
  first(): number {
    return this.handles[0] ?? none
  }

  /** Calls back with every handle that is due, in no order. */
  eachDue(now: number, use: (handle: number) => void): void {
    // What is due stands together at the top of the heap.
    const slots = [0]
    for (let slot = slots.pop(); slot !== undefined; slot = slots.pop()) {
      if (slot >= this.times.length || this.times[slot]! > now) continue
      use(this.handles[slot]!)
      slots.push(slot * 2 + 1, slot * 2 + 2)
    }
  }

  add(handle: number, time: number, serial: number): void {
    this.handles.push(handle)
    this.times.push(time)
    this.serials.push(serial)
    this.slots.set(handle, this.handles.length - 1)
    this.rise(this.handles.length - 1)
  }

  /** Takes a handle out; one that is not in is left alone. */
  remove(handle: number): void {
    const slot = this.slots.get(handle)
    if (slot === undefined) return
    this.slots.delete(handle)
    const last = this.handles.length - 1
    if (slot !== last) this.move(last, slot)
    this.handles.pop()
    this.times.pop()
    this.serials.pop()
    if (slot === last) return
    this.rise(slot)
    this.sink(slot)
  }

  clear(): void {
    this.handles = []
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
      if (left < this.handles.length && this.isBefore(left, first)) first = left
      if (right < this.handles.length && this.isBefore(right, first)) first = right
      if (first === slot) return
      this.swap(slot, first)
      slot = first
    }
  }

  private swap(a: number, b: number): void {
    const handle = this.handles[a]!
    const time = this.times[a]!
    const serial = this.serials[a]!
    this.move(b, a)
    this.handles[b] = handle
    this.times[b] = time
    this.serials[b] = serial
    this.slots.set(handle, b)
  }

  private move(from: number, to: number): void {
    this.handles[to] = this.handles[from]!
    this.times[to] = this.times[from]!
    this.serials[to] = this.serials[from]!
    this.slots.set(this.handles[to]!, to)
  }
}
