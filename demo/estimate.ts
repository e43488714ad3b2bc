// The estimated probabilities of a market's outcomes: a random walk whose sum is always one.

const stepSize = 0.06
const priceMin = 0.02
const priceMax = 0.97

export class Estimate {
  readonly #first: readonly number[]
  readonly #weights: number[]

  constructor(percents: readonly number[]) {
    this.#first = percents.map((percent) => Math.log(percent))
    this.#weights = [...this.#first]
  }

  /** Moves the probability of every outcome a little. */
  move(): void {
    for (const [index, first] of this.#first.entries()) {
      const weight = this.#weights[index] ?? first
      // A pull towards the initial value keeps long runs away from zero and one.
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

export function between(min: number, max: number): number {
  return min + Math.floor(Math.random() * (max - min + 1))
}

export function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)]
}
