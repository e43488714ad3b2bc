// Sums past 2^53 are exact, whichever way they got there.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Random } from '../../../test/support/process/random.ts'
import { addToSum, Sum, setSum, sumAt } from './sum.ts'

/** Whole numbers of up to 52 bits and both signs, drawn so that the sum drifts far out. */
function* deltas(seed: number, drift: number): Generator<number> {
  const random = new Random(seed)
  for (let round = 0; round < 5_000; round += 1) {
    const size = random.whole(52)
    yield random.chance(drift) ? size : -size
  }
}

for (const [name, drift] of [
  ['upwards', 90],
  ['downwards', 10],
  ['back and forth', 50],
] as const) {
  test(`a sum that runs ${name} is exact at every step`, () => {
    const sum = new Sum()
    const columns = new Float64Array(4)
    let exact = 0n
    let farthest = 0n
    for (const delta of deltas(drift, drift)) {
      sum.add(delta)
      addToSum(columns, 1, delta)
      exact += BigInt(delta)
      const size = exact < 0n ? -exact : exact
      if (size > farthest) farthest = size
      assert.equal(sum.exact, exact)
      assert.equal(BigInt(sumAt(columns, 1)), exact)
    }
    assert(farthest > 2n ** 53n)
    assert.deepEqual([columns[0], columns[3]], [0, 0], 'its neighbours are left alone')
  })
}

describe('around every power of two', () => {
  const edges = [51n, 52n, 53n, 54n, 63n, 64n, 80n].flatMap((bits) => {
    const around = [-1n, 0n, 1n].map((step) => 2n ** bits + step)
    return [...around, ...around.map((value) => -value)]
  })

  test('a sum that was set is what it was set to', () => {
    const columns = new Float64Array(2)
    for (const value of edges) {
      const sum = new Sum()
      sum.set(value)
      setSum(columns, 0, value)
      assert.deepEqual([sum.exact, BigInt(sumAt(columns, 0))], [value, value])
    }
  })

  test('one more and one less are exact', () => {
    for (const value of edges) {
      const sum = new Sum()
      sum.set(value)
      sum.add(1)
      assert.equal(sum.exact, value + 1n)
      sum.add(-2)
      assert.equal(sum.exact, value - 1n)
    }
  })
})

test('a product that passes 2^53 is added exactly', () => {
  const random = new Random(7)
  const sum = new Sum()
  let exact = 0n
  for (let round = 0; round < 2_000; round += 1) {
    const shares = random.whole(53)
    const price = random.between(0, 10_000)
    sum.addProduct(shares, price)
    exact += BigInt(shares) * BigInt(price)
    assert.equal(sum.exact, exact)
  }
})
