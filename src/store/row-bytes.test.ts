// Rows come back from their bytes as they were.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { RowPacker, rowsOf } from './row-bytes.ts'
import { kindNames, rowKinds, rowsVersion } from './rows.ts'
import { parametersOf, placesOf } from './unpack-rows.ts'

/** Rows with one number and one text each. */
function packed(numbers: readonly number[], texts: readonly string[] = []): Uint8Array {
  const packer = new RowPacker()
  for (let at = 0; at < Math.max(numbers.length, texts.length); at += 1) {
    packer.add('marketDescription', { serial: numbers[at] ?? 0, description: texts[at] ?? null })
  }
  return packer.bytes
}

function unpacked(bytes: Uint8Array) {
  const rows = rowsOf(bytes)
  const places = [...placesOf(rows)]
  return places.map((_, at) => parametersOf(rows, places, at, 1))
}

const expectedLayout = 'd5dbde16db62e9bbf49356590ed28b5e1910007a1cbfc121354d62a992a369ee'

/** Of one row of each kind, with the names of its fields: of everything that a reader must know. */
function layoutHash(): string {
  const packer = new RowPacker()
  const values = { number: -(2 ** 40), text: 'é', exact: 2n ** 70n }
  for (const kind of kindNames) {
    const fields = Object.entries(rowKinds[kind]).map(([name, type]) => [name, values[type]])
    packer.add(kind, Object.fromEntries(fields))
  }
  packer.add('marketMetadata', { serial: 7, metadata: null })
  return hash('sha256', Buffer.concat([Buffer.from(JSON.stringify(rowKinds)), packer.bytes]))
}

test('stored rows have another version if they are encoded otherwise', () => {
  const found = { rowsVersion, layout: layoutHash() }
  const expected = { rowsVersion: 6, layout: expectedLayout }
  assert.deepEqual(found, expected, `raise rowsVersion in rows.ts, and expect ${found.layout} here`)
})

describe('rows as bytes', () => {
  test('numbers of every size come back', () => {
    const powers = Array.from({ length: 53 }, (_, power) => 2 ** power)
    const numbers = [0, ...powers.flatMap((one) => [one - 1, one, one + 1]), 2 ** 53 - 1]
    const positive = numbers.filter((one) => one < 2 ** 53)
    const negative = positive.filter((one) => one > 0 && one <= 2 ** 52).map((one) => -one)
    for (const list of [positive, negative, []]) {
      const found = unpacked(packed(list))
      assert.deepEqual(
        found,
        list.map((one) => [one, null]),
      )
    }
  })

  test('small numbers take one byte', () => {
    const few = packed([0]).length
    assert.equal(packed([1]).length, few)
    assert.equal(packed([63]).length, few)
    assert.equal(packed([-64]).length, few)
    assert.equal(packed([64]).length, few + 1)
  })

  test('texts come back: empty ones, of several bytes a letter, and very long ones', () => {
    const texts = ['', 'a', 'é€😀', '', 'x'.repeat(300_000), 'ς']
    assert.deepEqual(
      unpacked(packed([], texts)).map(([, text]) => text),
      texts,
    )
    assert.deepEqual(rowsOf(packed([1])).texts, [])
  })

  test('half of a letter is replaced, and the next texts are not shifted', () => {
    assert.deepEqual(rowsOf(packed([], ['\ud800', 'next'])).texts, ['\ufffd', 'next'])
    assert.deepEqual(rowsOf(packed([], ['a\ud83d', '\ude00b'])).texts.join('').length, 4)
  })

  test('a number that is no safe integer is refused', () => {
    for (const wrong of [0.5, Number.NaN, Infinity, 2 ** 53, -(2 ** 53)]) {
      assert.throws(() => packed([1, wrong]), RangeError)
    }
  })

  test('as many rows as a turn may have', () => {
    const numbers = Array.from({ length: 100_000 }, (_, at) => at * 1_000_003)
    assert.deepEqual(
      unpacked(packed(numbers)).map(([number]) => number),
      numbers,
    )
  })
})
