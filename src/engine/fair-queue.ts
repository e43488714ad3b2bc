// Items that wait in one line per owner. Deficit round robin decides which is next: the owner at
// the front of the round is served until its credit is used up; it then gets new credit and goes to
// the end of the round. The cost of an item is known only after it was served, so an owner can be
// in debt. It is then passed over until the credit of later rounds has paid the debt off.

import { turnCostMax } from './cost.ts'
import { Fifo } from './fifo.ts'

/** What an owner may use up in one round: small, so that a round is short. */
const creditPerRound = 16
/** Owners that come while another one is served alone go first, but not for long. */
const aloneDebtMax = 2 * turnCostMax

type Line<Item> = {
  /** Served before the usual items of the same owner. */
  readonly urgent: Fifo<Item>
  readonly usual: Fifo<Item>
  /** Negative for a debt. */
  credit: number
}

export class FairQueue<Item> {
  readonly #lines = new Map<string, Line<Item>>()
  /** The owners of the lines in the order of service; the one at #at is being served. */
  readonly #round: string[] = []
  #at = 0
  #length = 0
  /** How many owners have an item in their line. */
  #waitingOwners = 0

  get length(): number {
    return this.#length
  }

  get waitingOwners(): number {
    return this.#waitingOwners
  }

  /** Whether only an owner waits whose last item cost more than a whole turn may. */
  get hasOnlyExpensive(): boolean {
    if (this.#waitingOwners !== 1) return false
    for (const line of this.#lines.values()) {
      if (lengthOf(line) > 0) return line.credit <= -turnCostMax
    }
    return false
  }

  /** The line of an owner; undefined if nothing of it waits and it has no debt. */
  line(owner: string): Readonly<Line<Item>> | undefined {
    return this.#lines.get(owner)
  }

  add(owner: string, item: Item, isUrgent = false): void {
    this.#lineForOneMore(owner, isUrgent).push(item)
  }

  /** Adds an item in front of all others of its owner that are as urgent. */
  putFirst(owner: string, item: Item, isUrgent = false): void {
    this.#lineForOneMore(owner, isUrgent).putFirst(item)
  }

  /** Removes and returns the next item. Call `charge` when its cost is known. */
  next(): Item | undefined {
    while (this.#length > 0) {
      const owner = this.#round[this.#at]!
      const line = this.#lines.get(owner)!
      const hasItem = lengthOf(line) > 0
      // A debt matters only while other owners wait.
      if (hasItem && this.#waitingOwners === 1) line.credit = creditPerRound
      if (hasItem && line.credit > 0) return this.#shift(line)
      if (line.credit > 0) {
        this.#remove(owner)
      } else {
        line.credit += creditPerRound
        this.#at = (this.#at + 1) % this.#round.length
      }
    }
    this.#forgetOwners()
    return undefined
  }

  /** Uses up an owner's credit. While no other owner waits, its debt is limited. */
  charge(owner: string, cost: number): void {
    const line = this.#lines.get(owner) ?? this.#addLine(owner)
    const othersWaiting = this.#waitingOwners - (lengthOf(line) > 0 ? 1 : 0)
    line.credit -= cost
    if (othersWaiting === 0) line.credit = Math.max(line.credit, -aloneDebtMax)
  }

  /** Empties the queue and returns every item that was in it, owner by owner. */
  clear(): Item[] {
    const items: Item[] = []
    for (const line of this.#lines.values()) {
      while (lengthOf(line) > 0) items.push(this.#shift(line))
    }
    this.#forgetOwners()
    return items
  }

  #lineForOneMore(owner: string, isUrgent: boolean): Fifo<Item> {
    const line = this.#lines.get(owner) ?? this.#addLine(owner)
    if (lengthOf(line) === 0) this.#waitingOwners += 1
    this.#length += 1
    return isUrgent ? line.urgent : line.usual
  }

  #addLine(owner: string): Line<Item> {
    const line = { urgent: new Fifo<Item>(), usual: new Fifo<Item>(), credit: creditPerRound }
    this.#lines.set(owner, line)
    this.#round.push(owner)
    return line
  }

  #shift(line: Line<Item>): Item {
    const item = line.urgent.length > 0 ? line.urgent.shift() : line.usual.shift()
    this.#length -= 1
    if (lengthOf(line) === 0) this.#waitingOwners -= 1
    return item!
  }

  #remove(owner: string): void {
    this.#lines.delete(owner)
    this.#round.splice(this.#at, 1)
    if (this.#at === this.#round.length) this.#at = 0
  }

  // Debts end when the queue is empty.
  #forgetOwners(): void {
    this.#lines.clear()
    this.#round.length = 0
    this.#at = 0
  }
}

function lengthOf({ urgent, usual }: Readonly<Line<unknown>>): number {
  return urgent.length + usual.length
}
