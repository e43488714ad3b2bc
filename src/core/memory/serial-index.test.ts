// Finding by serial, as a slow and obvious map would.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../test/support/process/random.ts'
import { SerialIndex } from './serial-index.ts'

/** An index beside a map; the handle of a serial is its place among those that were added. */
class Pair {
  readonly index = new SerialIndex<number>()
  readonly map = new Map<number, number>()
  readonly #serials: number[] = []
  readonly #serialOf = (handle: number): number => this.#serials[handle]!

  add(serial: number): void {
    const handle = this.#serials.push(serial) - 1
    this.index.add(serial, handle)
    this.map.set(serial, handle)
  }

  remove(serial: number): void {
    this.index.remove(serial, this.map.get(serial)!)
    this.map.delete(serial)
  }

  find(serial: number): number {
    return this.index.find(serial, this.#serialOf)
  }

  check(upTo: number): void {
    for (let serial = 0; serial <= upTo; serial += 1) {
      assert.equal(this.find(serial), this.map.get(serial) ?? -1, `serial ${serial}`)
    }
  }
}

test('an empty index finds nothing', () => {
  const { index } = new Pair()
  for (const serial of [0, 1, 255, 256, 2 ** 40]) assert.equal(index.find(serial, Number), -1)
})

test('it finds what a map finds, while serials come and go', () => {
  for (const [seed, most] of [
    [1, 40],
    [2, 1_000],
    [3, 20_000],
  ] as const) {
    const random = new Random(seed)
    const pair = new Pair()
    let serial = 0
    for (let step = 0; step < 30_000; step += 1) {
      serial += random.between(1, 3)
      pair.add(serial)
      // The oldest goes, or one that came lately: pages empty from the front, and in places.
      const { map } = pair
      if (map.size > most) pair.remove(map.keys().next().value!)
      const any = serial - random.between(0, 300)
      if (map.has(any)) pair.remove(any)
    }
    pair.check(serial + 600)
  }
})

test('a removed serial can be added again, whether its page still exists or not', () => {
  const pair = new Pair()
  for (let serial = 1; serial <= 1_000; serial += 1) pair.add(serial)
  pair.remove(700)
  pair.add(700)
  for (let serial = 1; serial <= 250; serial += 1) pair.remove(serial)
  pair.add(40)
  pair.check(1_100)
})

test('large serials with wide gaps are found, and take little room', () => {
  const pair = new Pair()
  const serials = Array.from({ length: 20_000 }, (_, at) => 2 ** 41 + at * 5_000)
  for (const serial of serials) pair.add(serial)
  for (const serial of serials) assert.equal(pair.find(serial), pair.map.get(serial))
  for (const serial of serials) assert.equal(pair.find(serial + 1), -1)
  assert.ok(pair.index.bytes / serials.length < 64, `${pair.index.bytes} bytes`)
})

test('room is used again: many serials pass through, and few stay', () => {
  const pair = new Pair()
  for (let serial = 1; serial <= 300_000; serial += 1) {
    pair.add(serial)
    const old = serial - 2_000
    if (old > 0 && old % 1_000 !== 0) pair.remove(old)
  }
  assert.ok(pair.index.bytes < 100_000, `${pair.index.bytes} bytes`)
  pair.check(300_100)
})

test('a cleared index finds nothing and takes new ones', () => {
  const pair = new Pair()
  for (let serial = 1; serial <= 5_000; serial += 1) pair.add(serial)
  pair.index.clear()
  pair.map.clear()
  pair.add(77)
  pair.check(5_000)
})
