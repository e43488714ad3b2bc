// What each player holds of each outcome: one row per position, found by book and player. A
// position remains when its shares reach zero, and is dropped when its market has ended.

import { assert } from '../assert.ts'
import type { Serial } from '../ids.ts'
import { overHalfUp, timesOverHalfUp } from '../money.ts'
import { HashIndex, hashOfPair } from './hash-index.ts'
import { none, type PositionRow, Table } from './memory.ts'
import type { BookHandle, PlayerHandle } from './slots.ts'
import { addToSum, isLarge, setSum, sumAt } from './sum.ts'

// Where the fields of a row are, in words from its start. Those that a trade changes come first.
const field = {
  /** Words. */
  book: 0,
  player: 1,
  /** Reals. Cost and profit are sums of two reals each. */
  shares: 2,
  reserved: 4,
  cost: 6,
  profit: 10,
  /** A word. */
  next: 14,
  /** Reals. */
  serial: 16,
  createdAt: 18,
} as const
const width = 20

export type NewPosition = {
  readonly book: BookHandle
  readonly player: PlayerHandle
  readonly serial: Serial
  readonly createdAt: number
}

export class Positions extends Table {
  private readonly byHolder = new HashIndex<PositionRow>()
  size = 0

  /** The position of that player in that book's outcome, or none. */
  find(book: BookHandle, player: PlayerHandle): PositionRow {
    const hash = hashOfPair(book, player)
    for (let slot = this.byHolder.first(hash); slot >= 0; slot = this.byHolder.after(slot, hash)) {
      const position = this.byHolder.rowAt(slot)
      if (this.book(position) === book && this.player(position) === player) return position
    }
    return none
  }

  add({ book, player, serial, createdAt }: NewPosition): PositionRow {
    const { memory } = this
    const position = memory.allocate(width) as PositionRow
    this.words[position + field.book] = book
    this.words[position + field.player] = player
    this.words[position + field.next] = none
    this.reals[(position + field.serial) >> 1] = serial
    this.reals[(position + field.createdAt) >> 1] = createdAt
    this.reals[(position + field.reserved) >> 1] = 0
    this.restore(position, { shares: 0, cost: 0n, profit: 0n })
    this.byHolder.add(hashOfPair(book, player), position)
    this.size += 1
    return position
  }

  drop(position: PositionRow): void {
    this.byHolder.remove(hashOfPair(this.book(position), this.player(position)), position)
    this.memory.free(position, width)
    this.size -= 1
  }

  /** Sets what a new position holds, for one that is loaded. */
  restore(
    position: PositionRow,
    { shares, cost, profit }: { shares: number; cost: bigint; profit: bigint },
  ): void {
    this.reals[(position + field.shares) >> 1] = shares
    setSum(this.reals, sumOf(position, field.cost), cost)
    setSum(this.reals, sumOf(position, field.profit), profit)
  }

  clear(): void {
    this.byHolder.clear()
    this.size = 0
  }

  get indexBytes(): number {
    return this.byHolder.bytes
  }

  /** Adds shares that were bought or minted for that value in micro-units. */
  receive(position: PositionRow, shares: number, value: number): void {
    this.reals[(position + field.shares) >> 1] = this.shares(position) + shares
    addToSum(this.reals, sumOf(position, field.cost), value)
  }

  /**
   * Removes shares that were sold or redeemed for that value in micro-units. The cost shrinks in
   * proportion; the difference between it and the value is profit.
   */
  give(position: PositionRow, shares: number, value: number): void {
    const held = this.shares(position)
    assert(shares <= held, 'a position never gives more than it holds')
    const { reals } = this
    const costAt = sumOf(position, field.cost)
    if (isLarge(reals, costAt)) {
      this.giveLarge(position, shares, value)
      return
    }
    const cost = reals[costAt]!
    const costGiven = shares === held ? cost : timesOverHalfUp(cost, shares, held)
    this.reals[(position + field.shares) >> 1] = held - shares
    reals[costAt] = cost - costGiven
    addToSum(reals, sumOf(position, field.profit), value - costGiven)
  }

  /** The same for shares that an open SELL order had reserved. */
  giveReserved(position: PositionRow, shares: number, value: number): void {
    this.release(position, shares)
    this.give(position, shares, value)
  }

  // The same for a cost past 2^52.
  private giveLarge(position: PositionRow, shares: number, value: number): void {
    const held = this.shares(position)
    const cost = this.cost(position)
    const costGiven = shares === held ? cost : overHalfUp(cost * BigInt(shares), BigInt(held))
    this.restore(position, {
      shares: held - shares,
      cost: cost - costGiven,
      profit: this.profit(position) + BigInt(value) - costGiven,
    })
  }

  /** Reserves shares for an open SELL order. */
  reserve(position: PositionRow, shares: number): void {
    const reserved = this.reserved(position) + shares
    assert(reserved <= this.shares(position), 'only held shares are reserved')
    this.reals[(position + field.reserved) >> 1] = reserved
  }

  /** Releases shares that an open SELL order had reserved. */
  release(position: PositionRow, shares: number): void {
    const reserved = this.reserved(position) - shares
    assert(reserved >= 0, 'no more shares are released than were reserved')
    this.reals[(position + field.reserved) >> 1] = reserved
  }

  /** Held shares that no open SELL order has reserved. */
  available(position: PositionRow): number {
    return this.shares(position) - this.reserved(position)
  }

  serial(position: PositionRow): Serial {
    return this.reals[(position + field.serial) >> 1] as Serial
  }

  createdAt(position: PositionRow): number {
    return this.reals[(position + field.createdAt) >> 1]!
  }

  shares(position: PositionRow): number {
    return this.reals[(position + field.shares) >> 1]!
  }

  reserved(position: PositionRow): number {
    return this.reals[(position + field.reserved) >> 1]!
  }

  /** What the held shares cost, in micro-units. */
  cost(position: PositionRow): bigint {
    return BigInt(this.compactCost(position))
  }

  /** What past sales brought beyond their cost, in micro-units. */
  profit(position: PositionRow): bigint {
    return BigInt(this.compactProfit(position))
  }

  /** The same as a number, or as a bigint where it may pass 2^53. */
  compactCost(position: PositionRow): number | bigint {
    return sumAt(this.reals, sumOf(position, field.cost))
  }

  compactProfit(position: PositionRow): number | bigint {
    return sumAt(this.reals, sumOf(position, field.profit))
  }

  book(position: PositionRow): BookHandle {
    return this.words[position + field.book] as BookHandle
  }

  player(position: PositionRow): PlayerHandle {
    return this.words[position + field.player] as PlayerHandle
  }

  /** The position of the same market that was made after it, or none. */
  next(position: PositionRow): PositionRow {
    return this.words[position + field.next] as PositionRow
  }

  setNext(position: PositionRow, next: PositionRow): void {
    this.words[position + field.next] = next
  }
}

// Where a sum is among the reals.
function sumOf(position: PositionRow, sum: number): number {
  return (position + sum) >> 1
}
