// The clock of the router's simulator: time passes from one scheduled event to the next.

type Scheduled = { readonly at: number; readonly order: number; readonly run: () => void }

export class SimClock {
  #now = 0
  #order = 0
  /** A binary heap, earliest first. */
  readonly #heap: Scheduled[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): void {
    this.at(this.#now + ms, run)
  }

  at(at: number, run: () => void): void {
    this.#order += 1
    const scheduled = { at: Math.max(at, this.#now), order: this.#order, run }
    const heap = this.#heap
    let place = heap.push(scheduled) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(scheduled, heap[parent]!)) break
      heap[place] = heap[parent]!
      place = parent
    }
    heap[place] = scheduled
  }

  /** Runs the next event; false if there is none until that time. */
  step(until: number): boolean {
    const first = this.#heap[0]
    if (first === undefined || first.at > until) return false
    this.#removeFirst()
    this.#now = first.at
    first.run()
    return true
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()!
    if (heap.length === 0) return
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1
      if (!isBefore(heap[child]!, last)) break
      heap[place] = heap[child]!
      place = child
    }
    heap[place] = last
  }
}

function isBefore(a: Scheduled, b: Scheduled): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
