// Finding by hash, as slow and obvious maps would.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../test/support/process/random.ts'
import { HashIndex, hashOfPair } from './hash-index.ts'

/** Every handle under that hash. */
function candidates(index: HashIndex<number>, hash: number): number[] {
  const found: number[] = []
  for (let slot = index.first(hash); slot >= 0; slot = index.after(slot, hash)) {
    found.push(index.rowAt(slot))
  }
  return found.sort((a, b) => a - b)
}

test('an empty index finds nothing', () => {
  assert.deepEqual(candidates(new HashIndex<number>(), 7), [])
})

test('several handles of one hash are all found', () => {
  const index = new HashIndex<number>()
  for (const handle of [3, 1, 2]) index.add(-5, handle)
  assert.deepEqual(candidates(index, -5), [1, 2, 3])
})

test('removing one leaves the others of its hash', () => {
  const index = new HashIndex<number>()
  for (const handle of [1, 2, 3]) index.add(9, handle)
  index.remove(9, 2)
  assert.deepEqual(candidates(index, 9), [1, 3])
})

test('a cleared index finds nothing and takes new ones', () => {
  const index = new HashIndex<number>()
  for (let handle = 0; handle < 1_000; handle += 1) index.add(handle, handle)
  index.clear()
  assert.deepEqual(candidates(index, 5), [])
  index.add(5, 8)
  assert.deepEqual(candidates(index, 5), [8])
})

// Few different hashes collide all the time; many grow the index; neighbours form long runs.
for (const [name, hashes] of [
  ['few hashes', (random: Random) => random.between(-3, 3)],
  ['many hashes', (random: Random) => random.between(-(2 ** 31), 2 ** 31 - 1)],
  ['hashes side by side', (random: Random) => random.between(0, 300)],
  ['hashes at the end of the table', (random: Random) => random.between(0, 40) * 4_096 - 1],
] as const) {
  test(`it agrees with a map over 20,000 additions and removals of ${name}`, () => {
    const random = new Random(41)
    const index = new HashIndex<number>()
    const handlesOf = new Map<number, Set<number>>()
    const live: (readonly [hash: number, handle: number])[] = []
    for (let handle = 0; handle < 20_000; handle += 1) {
      if (live.length > 0 && random.chance(live.length > 400 ? 60 : 40)) {
        const at = random.between(0, live.length - 1)
        const [hash, gone] = live[at]!
        live[at] = live.at(-1)!
        live.pop()
        index.remove(hash, gone)
        handlesOf.get(hash)!.delete(gone)
      } else {
        const hash = hashes(random)
        index.add(hash, handle)
        live.push([hash, handle])
        handlesOf.set(hash, (handlesOf.get(hash) ?? new Set()).add(handle))
      }
      const asked = random.chance(50) && live.length > 0 ? random.pick(live)[0] : hashes(random)
      const expected = [...(handlesOf.get(asked) ?? [])].sort((a, b) => a - b)
      assert.deepEqual(candidates(index, asked), expected)
    }
  })
}

test('neighbouring pairs get hashes that lie far apart', () => {
  const slots = new Set<number>()
  for (let book = 0; book < 64; book += 1) {
    for (let player = 0; player < 64; player += 1) slots.add(hashOfPair(book, player) & 0x3fff)
  }
  // 4,096 pairs in 16,384 slots: chance alone would fill about 3,624.
  assert(slots.size > 3_400)
})
