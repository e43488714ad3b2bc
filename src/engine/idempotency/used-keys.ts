// The transactionIds that may have been used: a set of 53-bit hashes, each with the serial of its
// market, 16 bytes per key, so that millions fit. As with a Bloom filter, a miss is certain and a
// hit has to be confirmed by the store.

import { randomInt } from 'node:crypto'
import type { Serial } from '../../core/ids.ts'

const firstCapacity = 1_024
const empty = 0
/** In place of a serial: keys of several markets have this hash. No serial is 0. */
const several = 0

export class UsedKeys {
  // Random, so that clients cannot choose transactionIds that collide.
  readonly #seed = [randomInt(2 ** 32), randomInt(2 ** 32)] as const
  #hashes = new Float64Array(firstCapacity)
  /** The serial of the market of each hash, at the same index. */
  #marketSerials = new Float64Array(firstCapacity)
  #size = 0
  /** While more keys are being loaded, every key may have been used. */
  isComplete = true

  get size(): number {
    return this.#size
  }

  add(operatorNumber: number, transactionId: string, marketSerial: Serial): void {
    if (this.#size * 2 >= this.#hashes.length) this.#rebuild(this.#hashes.length * 2, () => true)
    this.#insert(this.#hashOf(operatorNumber, transactionId), marketSerial)
  }

  has(operatorNumber: number, transactionId: string): boolean {
    if (!this.isComplete) return true
    return this.#hashes[this.#slotOf(this.#hashOf(operatorNumber, transactionId))] !== empty
  }

  /** Removes the keys of all other markets. */
  keep(isKept: (marketSerial: Serial) => boolean): void {
    let kept = 0
    this.#each((_, marketSerial) => {
      if (marketSerial === several || isKept(marketSerial)) kept += 1
    })
    if (kept === this.#size) return
    let capacity = firstCapacity
    while (capacity < kept * 2) capacity *= 2
    this.#rebuild(capacity, (marketSerial) => marketSerial === several || isKept(marketSerial))
  }

  clear(): void {
    this.#hashes = new Float64Array(firstCapacity)
    this.#marketSerials = new Float64Array(firstCapacity)
    this.#size = 0
  }

  #hashOf(operatorNumber: number, transactionId: string): number {
    return hashOfTexts([String(operatorNumber), transactionId], this.#seed)
  }

  #insert(hash: number, marketSerial: Serial): void {
    const slot = this.#slotOf(hash)
    if (this.#hashes[slot] === hash) {
      // Two keys may have the same hash: removing one of the markets must not remove the other key.
      if (this.#marketSerials[slot] !== marketSerial) this.#marketSerials[slot] = several
      return
    }
    this.#hashes[slot] = hash
    this.#marketSerials[slot] = marketSerial
    this.#size += 1
  }

  // The slot of the hash, or the free slot where it belongs.
  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1
    let slot = (hash % 2 ** 31) & mask
    while (this.#hashes[slot] !== empty && this.#hashes[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  #rebuild(capacity: number, isKept: (marketSerial: Serial) => boolean): void {
    const [hashes, marketSerials] = [this.#hashes, this.#marketSerials]
    this.#hashes = new Float64Array(capacity)
    this.#marketSerials = new Float64Array(capacity)
    this.#size = 0
    for (const [slot, hash] of hashes.entries()) {
      const marketSerial = marketSerials[slot] as Serial
      if (hash !== empty && isKept(marketSerial)) this.#insert(hash, marketSerial)
    }
  }

  #each(use: (hash: number, marketSerial: Serial) => void): void {
    for (const [slot, hash] of this.#hashes.entries()) {
      if (hash !== empty) use(hash, this.#marketSerials[slot] as Serial)
    }
  }
}

type Seed = readonly [number, number]
/** For hashes that are stored. */
const fixedSeed: Seed = [0x243f6a88, 0x85a308d3]

/** 53 bits, never 0. Boundaries between the texts count: ['ab', 'c'] and ['a', 'bc'] differ. */
export function hashOfTexts(texts: readonly string[], seed = fixedSeed): number {
  let [a, b] = seed
  for (const text of texts) {
    for (let at = 0; at <= text.length; at += 1) {
      // Each text ends with a character that no text contains.
      const code = at < text.length ? text.charCodeAt(at) : 0x10000
      a = Math.imul(a ^ code, 0x9e3779b1) ^ (b >>> 13)
      b = Math.imul(b ^ (a >>> 15), 0x85ebca77) + code
    }
  }
  a = Math.imul(a ^ (a >>> 16), 0x7feb352d)
  b = Math.imul(b ^ (b >>> 15) ^ a, 0x846ca68b)
  const hash = ((a >>> 0) & 0x1fffff) * 2 ** 32 + ((b ^ (b >>> 16)) >>> 0)
  return hash === empty ? 1 : hash
}
