// What each player holds of each outcome: one row per position, found by book and player.
// A position stays when its shares reach zero; it goes when its market is forgotten.

import { assert } from './assert.ts'
import { HashIndex, hashOfPair } from './hash-index.ts'
import { type Journal, POSITION, positionFact } from './journal.ts'
import { overHalfUp, timesOverHalfUp } from './money.ts'
import { Rows } from './rows.ts'
import { addToSum, setSum, sumAt } from './sum.ts'

const width = 20
const realWidth = width / 2
// Cost and profit are sums: two reals each.
const real = {
  serial: 0,
  createdAt: 1,
  shares: 2,
  reserved: 3,
  cost: 4,
  profit: 6,
} as const
const word = { book: 16, player: 17, next: 18 } as const

// A local name, because V8 folds no imported constants.
const fact = positionFact

export class Positions extends Rows {
  readonly #byHolder = new HashIndex()

  constructor() {
    super(width)
  }

  /** The position of that player in that book's outcome, or -1. */
  find(book: number, player: number): number {
    const index = this.#byHolder
    const hash = hashOfPair(book, player)
    for (let slot = index.first(hash); slot >= 0; slot = index.after(slot, hash)) {
      const position = index.handleAt(slot)
      const at = position * width
      if (this.words[at + word.book] === book && this.words[at + word.player] === player) {
        return position
      }
    }
    return -1
  }

  add(book: number, player: number, serial: number, createdAt: number): number {
    const position = this.take()
    const at = position * realWidth
    this.reals.fill(0, at, at + realWidth)
    this.reals[at + real.serial] = serial
    this.reals[at + real.createdAt] = createdAt
    this.words[position * width + word.book] = book
    this.words[position * width + word.player] = player
    this.words[position * width + word.next] = -1
    this.#byHolder.add(hashOfPair(book, player), position)
    return position
  }

  drop(position: number): void {
    const hash = hashOfPair(this.book(position), this.player(position))
    this.#byHolder.remove(hash, position)
    this.free(position)
  }

  clear(): void {
    this.#byHolder.clear()
    this.freeAll()
  }

  /** Shares come in, for that many micro-units. */
  receive(position: number, shares: number, value: number): void {
    const at = position * realWidth
    this.reals[at + real.shares]! += shares
    addToSum(this.reals, at + real.cost, value)
  }

  /** Shares go out for that value: the cost shrinks in proportion, the difference is profit. */
  give(position: number, shares: number, value: number): void {
    const at = position * realWidth
    const held = this.reals[at + real.shares]!
    assert(shares <= held, 'a position never gives more than it holds')
    this.reals[at + real.shares] = held - shares
    const costLow = this.reals[at + real.cost]!
    if (this.reals[at + real.cost + 1] === 0) {
      const costGiven = shares === held ? costLow : timesOverHalfUp(costLow, shares, held)
      this.reals[at + real.cost] = costLow - costGiven
      addToSum(this.reals, at + real.profit, value - costGiven)
    } else {
      this.#giveLarge(position, { shares, held, value })
    }
  }

  /** The same for shares that an open SELL order had reserved. */
  giveReserved(position: number, shares: number, value: number): void {
    const at = position * realWidth + real.reserved
    this.reals[at]! -= shares
    assert(this.reals[at]! >= 0, 'no more is sold than was reserved')
    this.give(position, shares, value)
  }

  // The same for a cost past 2^52.
  #giveLarge(position: number, sale: { shares: number; held: number; value: number }): void {
    const at = position * realWidth
    const cost = sumAt(this.reals, at + real.cost)
    const costGiven =
      sale.shares === sale.held ? cost : overHalfUp(cost * BigInt(sale.shares), BigInt(sale.held))
    setSum(this.reals, at + real.cost, cost - costGiven)
    const profit = sumAt(this.reals, at + real.profit)
    setSum(this.reals, at + real.profit, profit + BigInt(sale.value) - costGiven)
  }

  /** Sets shares aside for an open SELL order, or releases them (negative). */
  reserve(position: number, shares: number): void {
    const at = position * realWidth
    const reserved = this.reals[at + real.reserved]! + shares
    assert(reserved >= 0, 'no more is released than was reserved')
    assert(reserved <= this.reals[at + real.shares]!, 'only held shares are reserved')
    this.reals[at + real.reserved] = reserved
  }

  /** Held shares that no open SELL order offers. */
  freeShares(position: number): number {
    const at = position * realWidth
    return this.reals[at + real.shares]! - this.reals[at + real.reserved]!
  }

  serial(position: number): number {
    return this.reals[position * realWidth + real.serial]!
  }

  createdAt(position: number): number {
    return this.reals[position * realWidth + real.createdAt]!
  }

  shares(position: number): number {
    return this.reals[position * realWidth + real.shares]!
  }

  reserved(position: number): number {
    return this.reals[position * realWidth + real.reserved]!
  }

  /** What the held shares cost, in micro-units. */
  cost(position: number): bigint {
    return sumAt(this.reals, position * realWidth + real.cost)
  }

  /** What past sales fetched beyond their cost, in micro-units. */
  profit(position: number): bigint {
    return sumAt(this.reals, position * realWidth + real.profit)
  }

  restore(position: number, kept: { shares: number; cost: bigint; profit: bigint }): void {
    const at = position * realWidth
    this.reals[at + real.shares] = kept.shares
    setSum(this.reals, at + real.cost, kept.cost)
    setSum(this.reals, at + real.profit, kept.profit)
  }

  book(position: number): number {
    return this.words[position * width + word.book]!
  }

  player(position: number): number {
    return this.words[position * width + word.player]!
  }

  /** The position of the same market that came after it, or -1. */
  next(position: number): number {
    return this.words[position * width + word.next]!
  }

  setNext(position: number, next: number): void {
    this.words[position * width + word.next] = next
  }

  /** Writes down a holding that has changed. */
  write(position: number, journal: Journal): void {
    const { reals } = this
    const realAt = position * realWidth
    const at = journal.add(POSITION)
    const { facts } = journal
    facts[at + fact.position] = position
    facts[at + fact.shares] = reals[realAt + real.shares]!
    facts[at + fact.costLow] = reals[realAt + real.cost]!
    facts[at + fact.costCarries] = reals[realAt + real.cost + 1]!
    facts[at + fact.profitLow] = reals[realAt + real.profit]!
    facts[at + fact.profitCarries] = reals[realAt + real.profit + 1]!
  }
}
