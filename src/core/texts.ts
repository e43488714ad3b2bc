// Texts that rows refer to by number, because a row holds only numbers.

const none = -1

export class Texts {
  readonly #texts: (string | null)[] = []
  readonly #free: number[] = []

  /** The number of a text, or -1 for none. */
  keep(text: string | null): number {
    if (text === null) return none
    const number = this.#free.pop() ?? this.#texts.length
    this.#texts[number] = text
    return number
  }

  at(number: number): string | null {
    return number === none ? null : this.#texts[number]!
  }

  free(number: number): void {
    if (number === none) return
    this.#texts[number] = null
    this.#free.push(number)
  }

  clear(): void {
    this.#texts.length = 0
    this.#free.length = 0
  }
}
