// What each player holds of each outcome: one row per position, found by book and player.
// A position stays when its shares reach zero; it goes when its market is over.

import * as asserts from '../assert.ts'
import * as money from '../money.ts'
import { factSizes, type Journal, POSITION, positionFact } from '../state/journal.ts'
import * as hashes from './hash-index.ts'
import { positionField, positionWidth } from './layout.ts'
import type { Memory } from './memory.ts'
import * as sums from './sum.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const { fail } = asserts
const { hashOfPair } = hashes
const { timesOverHalfUp } = money
const { addToSum } = sums
const field = positionField
const width = positionWidth
const kind = POSITION
const size = factSizes[POSITION]!
const fact = positionFact

export class Positions {
  private readonly memory: Memory
  private readonly byHolder = new hashes.HashIndex()
  size = 0

  constructor(memory: Memory) {
    this.memory = memory
  }

  /** The position of that player in that book's outcome, or -1. */
  find(book: number, player: number): number {
    const index = this.byHolder
    const { words } = this.memory
    const hash = hashOfPair(book, player)
    for (let slot = index.first(hash); slot >= 0; slot = index.after(slot, hash)) {
      const position = index.handleAt(slot)
      if (words[(position + field.book) | 0] !== book) continue
      if (words[(position + field.player) | 0] === player) return position
    }
    return -1
  }

  add(book: number, player: number, serial: number, createdAt: number): number {
    const position = this.memory.take(width)
    const { reals, words } = this.memory
    words.fill(0, position, position + width)
    reals[(position + field.serial) >>> 1] = serial
    reals[(position + field.createdAt) >>> 1] = createdAt
    words[(position + field.book) | 0] = book
    words[(position + field.player) | 0] = player
    words[(position + field.next) | 0] = -1
    this.byHolder.add(hashOfPair(book, player), position)
    this.size += 1
    return position
  }

  drop(position: number): void {
    this.byHolder.remove(hashOfPair(this.book(position), this.player(position)), position)
    this.memory.free(position, width)
    this.size -= 1
  }

  clear(): void {
    this.byHolder.clear()
    this.size = 0
  }

  get indexBytes(): number {
    return this.byHolder.bytes
  }

  /** Shares come in, for that many micro-units. */
  receive(position: number, shares: number, value: number): void {
    const { reals } = this.memory
    reals[(position + field.shares) >>> 1]! += shares
    addToSum(reals, (position + field.cost) >>> 1, value)
  }

  /** Shares go out for that value: the cost shrinks in proportion, the difference is profit. */
  give(position: number, shares: number, value: number): void {
    const { reals } = this.memory
    const held = reals[(position + field.shares) >>> 1]!
    if (shares > held) fail('a position never gives more than it holds')
    const costAt = (position + field.cost) >>> 1
    if (reals[costAt + 1] !== 0) {
      this.giveLarge(position, shares, value)
      return
    }
    const cost = reals[costAt]!
    const costGiven = shares === held ? cost : timesOverHalfUp(cost, shares, held)
    reals[(position + field.shares) >>> 1] = held - shares
    reals[costAt] = cost - costGiven
    addToSum(reals, (position + field.profit) >>> 1, value - costGiven)
  }

  /** The same for shares that an open SELL order had reserved. */
  giveReserved(position: number, shares: number, value: number): void {
    const { reals } = this.memory
    const reserved = reals[(position + field.reserved) >>> 1]! - shares
    if (reserved < 0) fail('no more is sold than was reserved')
    reals[(position + field.reserved) >>> 1] = reserved
    this.give(position, shares, value)
  }

  // The same for a cost past 2^52.
  private giveLarge(position: number, shares: number, value: number): void {
    const { reals } = this.memory
    const held = this.shares(position)
    const cost = this.cost(position)
    const costGiven = shares === held ? cost : money.overHalfUp(cost * BigInt(shares), BigInt(held))
    const profit = this.profit(position) + BigInt(value) - costGiven
    reals[(position + field.shares) >>> 1] = held - shares
    sums.setSum(reals, (position + field.cost) >>> 1, cost - costGiven)
    sums.setSum(reals, (position + field.profit) >>> 1, profit)
  }

  /** Sets shares aside for an open SELL order, or releases them (negative). */
  reserve(position: number, shares: number): void {
    const { reals } = this.memory
    const reserved = reals[(position + field.reserved) >>> 1]! + shares
    if (reserved < 0) fail('no more is released than was reserved')
    const held = reals[(position + field.shares) >>> 1]!
    if (reserved > held) fail('only held shares are reserved')
    reals[(position + field.reserved) >>> 1] = reserved
  }

  /** Held shares that no open SELL order offers. */
  freeShares(position: number): number {
    const { reals } = this.memory
    return reals[(position + field.shares) >>> 1]! - reals[(position + field.reserved) >>> 1]!
  }

  /** Writes down a holding that has changed. */
  write(position: number, journal: Journal): void {
    const { reals } = this.memory
    const at = journal.addReady(kind, size)
    const { facts } = journal
    const costAt = (position + field.cost) >>> 1
    facts[at + fact.position] = position
    facts[at + fact.shares] = reals[(position + field.shares) >>> 1]!
    facts[at + fact.costLow] = reals[costAt]!
    facts[at + fact.costCarries] = reals[costAt + 1]!
    facts[at + fact.profitLow] = reals[costAt + 2]!
    facts[at + fact.profitCarries] = reals[costAt + 3]!
  }

  restore(position: number, kept: { shares: number; cost: bigint; profit: bigint }): void {
    const { reals } = this.memory
    reals[(position + field.shares) >>> 1] = kept.shares
    sums.setSum(reals, (position + field.cost) >>> 1, kept.cost)
    sums.setSum(reals, (position + field.profit) >>> 1, kept.profit)
  }

  serial(position: number): number {
    return this.memory.reals[(position + field.serial) >>> 1]!
  }

  createdAt(position: number): number {
    return this.memory.reals[(position + field.createdAt) >>> 1]!
  }

  shares(position: number): number {
    return this.memory.reals[(position + field.shares) >>> 1]!
  }

  reserved(position: number): number {
    return this.memory.reals[(position + field.reserved) >>> 1]!
  }

  /** What the held shares cost, in micro-units. */
  cost(position: number): bigint {
    return sums.sumAt(this.memory.reals, (position + field.cost) >>> 1)
  }

  /** What past sales fetched beyond their cost, in micro-units. */
  profit(position: number): bigint {
    return sums.sumAt(this.memory.reals, (position + field.profit) >>> 1)
  }

  book(position: number): number {
    return this.memory.words[(position + field.book) | 0]!
  }

  player(position: number): number {
    return this.memory.words[(position + field.player) | 0]!
  }

  /** The position of the same market that came after it, or -1. */
  next(position: number): number {
    return this.memory.words[(position + field.next) | 0]!
  }

  setNext(position: number, next: number): void {
    this.memory.words[(position + field.next) | 0] = next
  }
}
