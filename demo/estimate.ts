// What everybody thinks of a market: probabilities that wander and always add up to one.

const stepSize = 0.06
const priceMin = 0.02
const priceMax = 0.97

export class Opinion {
  readonly #first: readonly number[]
  readonly #weights: number[]

  constructor(percents: readonly number[]) {
    this.#first = percents.map((percent) => Math.log(percent))
    this.#weights = [...this.#first]
  }

  /** News come in: every outcome seems somewhat more or less likely than before. */
  wander(): void {
    for (const [index, first] of this.#first.entries()) {
      const weight = this.#weights[index] ?? first
      // A pull towards where it began keeps long runs from ending at one or zero.
      const pull = (first - weight) * 0.01
      this.#weights[index] = weight + pull + (Math.random() + Math.random() - 1) * stepSize
    }
  }

  /** A price in whole cents, between the limits. */
  price(outcome: number): number {
    const all = this.#weights.map(Math.exp)
    const sum = all.reduce((total, each) => total + each, 0)
    return cents(Math.min(Math.max((all[outcome] ?? 0) / sum, priceMin), priceMax))
  }
}

export function cents(price: number): number {
  return Math.round(price * 100) / 100
}

export function between(least: number, most: number): number {
  return least + Math.floor(Math.random() * (most - least + 1))
}

export function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)]
}
