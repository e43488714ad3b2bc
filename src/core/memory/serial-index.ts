// Finds rows by serial. Serials grow, and most open orders are recent: those are in pages, with one
// place for each serial, where no search is needed. When a page has nearly emptied, its last rows
// move into a hash index of old serials, so that no page is kept for a few.

import { HashIndex, hashOfSerial } from './hash-index.ts'

const none: number = -1
/** Serials of a page, a power of two. */
const perPage = 256
const pageBits = 8
/** An older page with fewer rows is given up. */
const fewest = 16
const firstPages = 8

export class SerialIndex<Row extends number> {
  /** The pages, one behind the other; a place without a row has -1. */
  private places = emptyPlaces(firstPages)
  /** By page: how many rows it has. */
  private counts = new Int32Array(firstPages)
  private readonly free: number[] = []
  private used = 0
  /** By serial / perPage, less that of the first: where its page begins, or -1. */
  private starts = emptyPlaces(1)
  private first = 0
  /** The last page that was begun: the one that new serials go to. */
  private newest = none
  private readonly old = new HashIndex<Row>()

  add(serial: number, row: Row): void {
    const number = Math.floor(serial / perPage)
    if (number > this.newest) this.begin(number)
    const start = this.startOf(number)
    if (start === none) {
      this.old.add(hashOfSerial(serial), row)
      return
    }
    this.places[start + (serial - number * perPage)] = row
    this.counts[start >> pageBits]! += 1
  }

  remove(serial: number, row: Row): void {
    const number = Math.floor(serial / perPage)
    const start = this.startOf(number)
    if (start === none) {
      this.old.remove(hashOfSerial(serial), row)
      return
    }
    this.places[start + (serial - number * perPage)] = none
    const left = this.counts[start >> pageBits]! - 1
    this.counts[start >> pageBits] = left
    if (left < fewest && number !== this.newest) this.giveUp(number)
  }

  /** The row of a serial, or -1; `serialOf` reads the serial of a row. */
  find(serial: number, serialOf: (row: Row) => number): Row {
    const number = Math.floor(serial / perPage)
    const start = this.startOf(number)
    if (start !== none) return this.places[start + (serial - number * perPage)] as Row
    return this.findOld(serial, serialOf)
  }

  clear(): void {
    this.places = emptyPlaces(firstPages)
    this.counts = new Int32Array(firstPages)
    this.free.length = 0
    this.used = 0
    this.starts = emptyPlaces(1)
    this.first = 0
    this.newest = none
    this.old.clear()
  }

  get bytes(): number {
    const pages = this.places.byteLength + this.counts.byteLength + this.starts.byteLength
    return pages + this.old.bytes
  }

  private startOf(number: number): number {
    const at = number - this.first
    return at >= 0 && at < this.starts.length ? this.starts[at]! : none
  }

  private findOld(serial: number, serialOf: (row: Row) => number): Row {
    const index = this.old
    const hash = hashOfSerial(serial)
    for (let slot = index.first(hash); slot >= 0; slot = index.after(slot, hash)) {
      const row = index.rowAt(slot)
      if (serialOf(row) === serial) return row
    }
    return none as Row
  }

  private begin(number: number): void {
    const before = this.newest
    this.newest = number
    const start = this.startOf(before)
    if (start !== none && this.counts[start >> pageBits]! < fewest) this.giveUp(before)
    if (number - this.first >= this.starts.length) this.reach(number)
    this.starts[number - this.first] = this.allocatePage()
  }

  private allocatePage(): number {
    const freed = this.free.pop()
    if (freed !== undefined) return freed
    if (this.used === this.counts.length) this.grow()
    this.used += 1
    return (this.used - 1) * perPage
  }

  private grow(): void {
    const places = emptyPlaces(this.counts.length * 2)
    const counts = new Int32Array(this.counts.length * 2)
    places.set(this.places)
    counts.set(this.counts)
    this.places = places
    this.counts = counts
  }

  // Pages at the front that were given up are dropped first.
  private reach(number: number): void {
    const used = this.starts.findIndex((start) => start !== none)
    const kept = used < 0 ? this.starts.subarray(0, 0) : this.starts.subarray(used)
    this.first = used < 0 ? number : this.first + used
    const needed = number - this.first + 1
    const starts = new Int32Array(Math.max(perPage, needed * 2)).fill(none)
    starts.set(kept)
    this.starts = starts
  }

  // Moves the last rows of a page into the index of old serials and frees the page.
  private giveUp(number: number): void {
    const start = this.startOf(number)
    for (let place = 0; place < perPage; place += 1) {
      const row = this.places[start + place] as Row
      if (row === none) continue
      this.places[start + place] = none
      this.old.add(hashOfSerial(number * perPage + place), row)
    }
    this.counts[start >> pageBits] = 0
    this.starts[number - this.first] = none
    this.free.push(start)
  }
}

function emptyPlaces(pages: number): Int32Array {
  return new Int32Array(pages * perPage).fill(none)
}
