// Which transactionIds may have been used: a set of 53-bit hashes, eight bytes each, so that
// millions fit. A hit is a question to the store; a miss is certain.

const firstCapacity = 1_024
const empty = 0

export class UsedKeys {
  #hashes = new Float64Array(firstCapacity)
  #size = 0

  get size(): number {
    return this.#size
  }

  add(operator: number, transactionId: string): void {
    if (this.#size * 2 >= this.#hashes.length) this.#grow()
    this.#insert(hashOfKey(operator, transactionId))
  }

  has(operator: number, transactionId: string): boolean {
    return this.#hashes[this.#slotOf(hashOfKey(operator, transactionId))] !== empty
  }

  /** Of a key that the store knows nothing of any more. */
  delete(operator: number, transactionId: string): void {
    const slot = this.#slotOf(hashOfKey(operator, transactionId))
    if (this.#hashes[slot] === empty) return
    this.#hashes[slot] = empty
    this.#size -= 1
    this.#closeGap(slot)
  }

  clear(): void {
    this.#hashes = new Float64Array(firstCapacity)
    this.#size = 0
  }

  #insert(hash: number): void {
    const slot = this.#slotOf(hash)
    if (this.#hashes[slot] === hash) return
    this.#hashes[slot] = hash
    this.#size += 1
  }

  // Where the hash stands, or would.
  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1
    let slot = (hash % 2 ** 31) & mask
    while (this.#hashes[slot] !== empty && this.#hashes[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  // What stands behind a gap might be looked for before it: put it in anew.
  #closeGap(gap: number): void {
    const mask = this.#hashes.length - 1
    for (let slot = (gap + 1) & mask; this.#hashes[slot] !== empty; slot = (slot + 1) & mask) {
      const hash = this.#hashes[slot]!
      this.#hashes[slot] = empty
      this.#size -= 1
      this.#insert(hash)
    }
  }

  #grow(): void {
    const old = this.#hashes
    this.#hashes = new Float64Array(old.length * 2)
    this.#size = 0
    for (const hash of old) if (hash !== empty) this.#insert(hash)
  }
}

function hashOfKey(operator: number, transactionId: string): number {
  return hashOfTexts([String(operator), transactionId])
}

/** 53 bits, never 0; the texts are kept apart. */
export function hashOfTexts(texts: readonly string[]): number {
  let a = 0x243f6a88
  let b = 0x85a308d3
  for (const text of texts) {
    for (let at = 0; at <= text.length; at += 1) {
      // Past its end each text counts as one more character that no text has.
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
