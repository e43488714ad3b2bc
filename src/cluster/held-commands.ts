// Commands of one shard that wait for its owner, in the order of their arrival. Their number is
// bounded, and one operator may have a quarter of it: its flood refuses no other operator.

import type { CommandKind } from '../engine/commands.ts'

/** Of one shard. */
const heldCommandsMax = 10_000
const heldCancelsMax = 20_000
/** The part of them that one operator may have; public queries together count as an operator. */
const operatorPart = 1 / 4

export type Holdable = {
  readonly kind: CommandKind
  readonly operatorId: string | null
  /** Commands of a shard are numbered in the order of their arrival. */
  readonly arrival: number
}

type Counts = { commands: number; cancels: number }

export class HeldCommands<Item extends Holdable> {
  #items: Item[] = []
  readonly #all: Counts = { commands: 0, cancels: 0 }
  readonly #byOperator = new Map<string | null, Counts>()

  get length(): number {
    return this.#items.length
  }

  /** Returns false if there are too many. */
  add(item: Item): boolean {
    const name = countOf(item)
    const max = name === 'cancels' ? heldCancelsMax : heldCommandsMax
    const own = this.#byOperator.get(item.operatorId) ?? { commands: 0, cancels: 0 }
    if (this.#all[name] >= max || own[name] >= max * operatorPart) return false
    this.#byOperator.set(item.operatorId, own)
    this.#all[name] += 1
    own[name] += 1
    this.#items.splice(this.#placeOf(item), 0, item)
    return true
  }

  /** Returns the removed ones, like the methods below. */
  removeFirst(atMost: number): Item[] {
    const removed = this.#items.splice(0, atMost)
    for (const item of removed) this.#uncount(item)
    return removed
  }

  /** The first one, and those that follow it and belong to it. */
  removeGroup(belongTogether: (first: Item, next: Item) => boolean): Item[] {
    const end = this.#items.findIndex((item) => !belongTogether(this.#items[0]!, item))
    return this.removeFirst(end < 0 ? this.#items.length : end)
  }

  removeIf(condition: (item: Item) => boolean): Item[] {
    const removed = this.#items.filter(condition)
    if (removed.length === 0) return removed
    const isRemoved = new Set(removed)
    this.#items = this.#items.filter((item) => !isRemoved.has(item))
    for (const item of removed) this.#uncount(item)
    return removed
  }

  // New commands go to the end. One that was sent and comes back has its place before those that
  // have arrived after it.
  #placeOf({ arrival }: Item): number {
    let low = 0
    let high = this.#items.length
    if (high === 0 || this.#items[high - 1]!.arrival < arrival) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#items[middle]!.arrival < arrival) low = middle + 1
      else high = middle
    }
    return low
  }

  #uncount(item: Item): void {
    const name = countOf(item)
    const own = this.#byOperator.get(item.operatorId)!
    this.#all[name] -= 1
    own[name] -= 1
    if (own.commands + own.cancels === 0) this.#byOperator.delete(item.operatorId)
  }
}

function countOf({ kind }: Holdable): keyof Counts {
  return kind === 'cancel' || kind === 'cancelMany' ? 'cancels' : 'commands'
}
