// Finds handles by serial. Serials come in order, and most of what is open came lately: it stands
// in pages, one place a serial, where nothing need be searched. What is left of a page that has
// nearly emptied goes into an index of all that is old, so that no page is kept for a few.

import { HashIndex, hashOfSerial } from './hash-index.ts'

const none = -1
/** Serials of a page, a power of two. */
const perPage = 256
const pageBits = 8
/** With fewer, and no more to come, a page is given up. */
const fewest = 16
const firstPages = 8

export class SerialIndex {
  /** The pages, one behind the other; a place without a handle has -1. */
  private places = emptyPlaces(firstPages)
  /** By page: how many handles it has. */
  private counts = new Int32Array(firstPages)
  private readonly free: number[] = []
  private used = 0
  /** By serial / perPage, less that of the first: where its page begins, or -1. */
  private starts = emptyPlaces(1)
  private first = 0
  /** The last one that was begun. Only there new serials come. */
  private newest = none
  private readonly old = new HashIndex()

  add(serial: number, handle: number): void {
    const number = Math.floor(serial / perPage)
    if (number > this.newest) this.begin(number)
    const start = this.startOf(number)
    if (start === none) {
      this.old.add(hashOfSerial(serial), handle)
      return
    }
    this.places[start + (serial - number * perPage)] = handle
    this.counts[start >> pageBits]! += 1
  }

  /** Takes out what was added. */
  remove(serial: number, handle: number): void {
    const number = Math.floor(serial / perPage)
    const start = this.startOf(number)
    if (start === none) {
      this.old.remove(hashOfSerial(serial), handle)
      return
    }
    this.places[start + (serial - number * perPage)] = none
    const left = this.counts[start >> pageBits]! - 1
    this.counts[start >> pageBits] = left
    if (left < fewest && number !== this.newest) this.giveUp(number)
  }

  /** The handle of a serial, or -1; `serialOf` tells which of the old ones it is. */
  find(serial: number, serialOf: (handle: number) => number): number {
    const number = Math.floor(serial / perPage)
    const start = this.startOf(number)
    if (start !== none) return this.places[start + (serial - number * perPage)]!
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

  private findOld(serial: number, serialOf: (handle: number) => number): number {
    const index = this.old
    const hash = hashOfSerial(serial)
    for (let slot = index.first(hash); slot >= 0; slot = index.after(slot, hash)) {
      const handle = index.handleAt(slot)
      if (serialOf(handle) === serial) return handle
    }
    return none
  }

  private begin(number: number): void {
    const before = this.newest
    this.newest = number
    const start = this.startOf(before)
    if (start !== none && this.counts[start >> pageBits]! < fewest) this.giveUp(before)
    if (number - this.first >= this.starts.length) this.reach(number)
    this.starts[number - this.first] = this.takePage()
  }

  private takePage(): number {
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

  // Pages at the front that were given up make room first.
  private reach(number: number): void {
    const used = this.starts.findIndex((start) => start !== none)
    const kept = used < 0 ? this.starts.subarray(0, 0) : this.starts.subarray(used)
    this.first = used < 0 ? number : this.first + used
    const needed = number - this.first + 1
    const starts = new Int32Array(Math.max(perPage, needed * 2)).fill(none)
    starts.set(kept)
    this.starts = starts
  }

  // What is left of a page becomes old; the page is empty then, and may be used again.
  private giveUp(number: number): void {
    const start = this.startOf(number)
    for (let place = 0; place < perPage; place += 1) {
      const handle = this.places[start + place]!
      if (handle === none) continue
      this.places[start + place] = none
      this.old.add(hashOfSerial(number * perPage + place), handle)
    }
    this.counts[start >> pageBits] = 0
    this.starts[number - this.first] = none
    this.free.push(start)
  }
}

function emptyPlaces(pages: number): Int32Array {
  return new Int32Array(pages * perPage).fill(none)
}
