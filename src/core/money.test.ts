// Quantities read, written and divided: never a hair more or less.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Random } from '../../test/support/process/random.ts'
import {
  averageOf,
  decimals,
  numberOf,
  overHalfUp,
  sharesCeiling,
  stepsOf,
  stepsOfText,
  textOf,
  timesOverHalfUp,
} from './money.ts'

describe('a JSON number', () => {
  const read: readonly (readonly [value: number, places: number, steps: number | null])[] = [
    [0.1 + 0.2, decimals.price, 3_000],
    [0.55, decimals.price, 5_500],
    [0.29 * 100, decimals.shares, 2_900],
    [1.005 * 1_000, decimals.shares, 100_500],
    [0.30001, decimals.price, null],
    [0.3 + 9e-10, decimals.price, 3_000],
    [0.3 + 2e-9, decimals.price, null],
    [10.001, decimals.shares, null],
    [10.01, decimals.shares, 1_001],
    [-0.5, decimals.price, -5_000],
    [-0, decimals.price, 0],
    [1e300, decimals.shares, null],
    [Number.NaN, decimals.shares, null],
    [Number.POSITIVE_INFINITY, decimals.shares, null],
  ]

  for (const [value, places, expected] of read) {
    test(`${value} with ${places} decimals is ${expected ?? 'off the step'}`, () => {
      assert.equal(stepsOf(value, places), expected)
    })
  }

  test('of any order comes back as it was sent', () => {
    const random = new Random(101)
    for (let round = 0; round < 20_000; round += 1) {
      const places = random.pick([decimals.price, decimals.shares, decimals.feeRate])
      const steps = random.between(-sharesCeiling, sharesCeiling)
      assert.equal(stepsOf(numberOf(steps, places), places), steps)
    }
  })

  test('half a step off is rejected', () => {
    const random = new Random(102)
    for (let round = 0; round < 20_000; round += 1) {
      const steps = random.between(0, sharesCeiling)
      assert.equal(stepsOf((steps + 0.5) / 100, decimals.shares), null)
    }
  })
})

describe('decimal text', () => {
  const written: readonly (readonly [steps: number | bigint, places: number, text: string])[] = [
    [5_500, decimals.price, '0.55'],
    [10_000, decimals.shares, '100'],
    [150, decimals.shares, '1.5'],
    [0, decimals.money, '0'],
    [-0, decimals.money, '0'],
    [1, decimals.fee, '0.0000000001'],
    [-1, decimals.money, '-0.000001'],
    [-1_500_000, decimals.money, '-1.5'],
    [10n ** 30n, decimals.money, '1000000000000000000000000'],
    [2n ** 64n, decimals.fee, '1844674407.3709551616'],
  ]

  for (const [steps, places, expected] of written) {
    test(`of ${steps} steps with ${places} decimals is ${expected}`, () => {
      assert.equal(textOf(steps, places), expected)
    })
  }

  test('is canonical: no exponent, no needless zero, no minus before nothing', () => {
    const random = new Random(103)
    const canonical = /^(?:0|-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?)$/
    for (let round = 0; round < 20_000; round += 1) {
      const steps = random.between(-(10 ** random.between(0, 15)), 10 ** random.between(0, 15))
      const text = textOf(steps, random.pick(Object.values(decimals)))
      assert.match(text, canonical)
      assert.notEqual(text, '-0')
    }
  })

  test('is read back to the steps it was written from', () => {
    const random = new Random(104)
    for (let round = 0; round < 20_000; round += 1) {
      const steps = random.between(-(10 ** random.between(0, 15)), 10 ** random.between(0, 15))
      const places = random.pick(Object.values(decimals))
      assert.equal(stepsOfText(textOf(steps, places), places), steps)
    }
  })

  const rejected = ['', '.5', '5.', '1e3', '+1', ' 1', '1 ', '0x1', '1,5', '--1', '1.00001', 'NaN']
  for (const text of rejected) {
    test(`"${text}" is none with four decimals`, () => {
      assert.equal(stepsOfText(text, decimals.price), null)
    })
  }

  test('may have zeros beyond its decimals, and in front', () => {
    assert.equal(stepsOfText('01.500000', decimals.price), 15_000)
    assert.equal(stepsOfText('-0.000', decimals.price), 0)
    assert.equal(stepsOfText(`0.3${'0'.repeat(99)}`, decimals.price), 3_000)
    assert.equal(stepsOfText(`0.3${'0'.repeat(99)}1`, decimals.price), null)
  })

  test('is rejected where its steps would not be exact', () => {
    assert.equal(stepsOfText('900719925474.0991', decimals.price), Number.MAX_SAFE_INTEGER)
    assert.equal(stepsOfText('900719925474.0992', decimals.price), null)
    assert.equal(stepsOfText('9'.repeat(400), decimals.price), null)
  })
})

describe('an average', () => {
  test('is rounded half up to eight decimals', () => {
    assert.equal(averageOf(1_280_568, 256), 50_022_188)
    assert.equal(averageOf(1_000_000, 300), 33_333_333)
    assert.equal(averageOf(2_000_000, 300), 66_666_667)
  })

  test('of no shares is 0', () => {
    assert.equal(averageOf(0, 0), 0)
    assert.equal(averageOf(0n, 0), 0)
  })

  test('is the same from a number and from a BigInt', () => {
    const random = new Random(105)
    for (let round = 0; round < 20_000; round += 1) {
      const shares = random.between(1, 10 ** random.between(2, 11))
      const cost = Math.floor(shares * 10_000 * random.fraction())
      assert.equal(averageOf(cost, shares), averageOf(BigInt(cost), shares))
    }
  })
})

describe('a part of a sum, rounded half up,', () => {
  test('agrees with BigInt on 20,000 triples, the largest included', () => {
    const random = new Random(106)
    const edges = [0, 1, 2, 2 ** 51 - 1, 2 ** 51, 2 ** 52, Number.MAX_SAFE_INTEGER]
    let large = 0
    for (let round = 0; round < 20_000; round += 1) {
      const any = () => (random.chance(5) ? random.pick(edges) : random.whole(53))
      const whole = Math.max(1, any())
      const part = random.chance(50) ? Math.min(whole, any()) : whole - Math.min(whole, any())
      const value = Math.min(Number.MAX_SAFE_INTEGER, any())
      if (value * part >= 2 ** 53) large += 1
      const exact = (2n * BigInt(value) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole))
      assert.equal(BigInt(timesOverHalfUp(value, part, whole)), exact, `${value} ${part} ${whole}`)
    }
    assert(large > 5_000)
  })

  test('distinguishes the half by the last digit, however large the numbers', () => {
    const random = new Random(107)
    for (let round = 0; round < 20_000; round += 1) {
      const whole = random.whole(45) * 2 + 3
      const part = Math.max(1, Math.floor(whole * random.fraction()))
      for (const rest of [(whole - 1) / 2, (whole + 1) / 2]) {
        // The value whose part leaves that rest: one just below the half, one just above.
        const least = timesInverse(rest, part, whole)
        if (least === null) continue
        const most = Math.floor((Number.MAX_SAFE_INTEGER - least) / whole)
        const value = least + whole * Math.min(most, random.whole(20))
        const exact = (2n * BigInt(value) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole))
        assert.equal(
          BigInt(timesOverHalfUp(value, part, whole)),
          exact,
          `${value} ${part} ${whole}`,
        )
      }
    }
  })

  test('goes up from the half and down below it', () => {
    assert.equal(timesOverHalfUp(1, 1, 2), 1)
    assert.equal(timesOverHalfUp(1, 1, 3), 0)
    assert.equal(timesOverHalfUp(2 ** 53 - 1, 1, 2), 2 ** 52)
    assert.equal(overHalfUp(5n, 10n), 1n)
    assert.equal(overHalfUp(4n, 10n), 0n)
  })

  test('that is no safe integer is a bug and not an answer', () => {
    assert.throws(() => timesOverHalfUp(Number.MAX_SAFE_INTEGER, 3, 2), /BrokenInvariant/)
  })
})

/** The x for which x * part leaves that rest when divided by the whole, or null. */
function timesInverse(rest: number, part: number, whole: number): number | null {
  let [a, b] = [BigInt(part), BigInt(whole)]
  let [x, y] = [1n, 0n]
  while (b > 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  if (a !== 1n) return null
  const modulus = BigInt(whole)
  return Number((((x * BigInt(rest)) % modulus) + modulus) % modulus)
}
