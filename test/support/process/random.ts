// Seeded randomness: the small fast counter generator sfc32. The same seed gives
// the same numbers on every machine.

export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number) {
    this.#a = seed >>> 0
    this.#b = Math.floor(seed / 2 ** 32) >>> 0
    this.#c = 0x9e3779b9
    // Similar seeds would produce similar first numbers without some rounds of mixing.
    for (let round = 0; round < 15; round++) this.#word()
  }

  /** From 0 up to but not including 1. */
  fraction(): number {
    return this.#word() / 2 ** 32
  }

  /** A whole number between the two, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1))
  }

  /** A whole number of at most so many bits, up to 53; short ones are as likely as long ones. */
  whole(bitsMax: number): number {
    const high = this.#word() % 2 ** 21
    return (high * 2 ** 32 + this.#word()) % 2 ** this.between(0, bitsMax)
  }

  /** True with this probability. */
  chance(percent: number): boolean {
    return this.fraction() * 100 < percent
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)]!
  }

  /** One of the names, with a probability in proportion to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries<number>(weights) as [Name, number][]
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return entries.at(-1)![0]
  }

  #word(): number {
    const word = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + word
    return word >>> 0
  }
}
