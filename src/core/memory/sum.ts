// Sums that may pass 2^53 and stay exact: two neighbours in a Float64Array, the lower part and how
// often 2^52 was carried out of it. The usual sum never carries and costs one addition.

const carry = 2 ** 52

/** Adds a whole number of magnitude below 2^52 to the sum at that place. */
export function addToSum(columns: Float64Array, at: number, delta: number): void {
  const low = columns[at]! + delta
  if (low < carry && low > -carry) {
    columns[at] = low
    return
  }
  const sign = low > 0 ? 1 : -1
  columns[at] = low - sign * carry
  columns[at + 1]! += sign
}

export function setSum(columns: Float64Array, at: number, value: bigint): void {
  columns[at] = Number(value % BigInt(carry))
  columns[at + 1] = Number(value / BigInt(carry))
}

/** Whether the sum has carried, so that its lower part is not all of it. */
export function isLarge(columns: Float64Array, at: number): boolean {
  return columns[at + 1] !== 0
}

/** The sum, exact: a number, or a bigint once it has carried. */
export function sumAt(columns: Float64Array, at: number): number | bigint {
  const carries = columns[at + 1]!
  return carries === 0 ? columns[at]! : exactSum(columns[at]!, carries)
}

function exactSum(low: number, carries: number): bigint {
  return BigInt(low) + BigInt(carries) * BigInt(carry)
}

/** A sum on its own. */
export class Sum {
  private low = 0
  private carries = 0

  add(delta: number): void {
    const low = this.low + delta
    if (low < carry && low > -carry) this.low = low
    else this.set(this.exact + BigInt(delta))
  }

  /** Adds a product of two whole numbers that may itself pass 2^53. */
  addProduct(a: number, b: number): void {
    if (a * b < carry) this.add(a * b)
    else this.set(this.exact + BigInt(a) * BigInt(b))
  }

  set(value: bigint): void {
    this.low = Number(value % BigInt(carry))
    this.carries = Number(value / BigInt(carry))
  }

  get exact(): bigint {
    return exactSum(this.low, this.carries)
  }
}
