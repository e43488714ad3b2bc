// Public ids: UUIDs that only the installation that made them can read back.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Random } from '../../test/support/process/random.ts'
import { Ids, type Serial, shardOfId } from './ids.ts'

const own = { shard: 5, key: [0x1234567, 0x89abcde] } as const
const ids = new Ids(own)
const now = Date.UTC(2026, 0, 1)
/** More records than any shard will have. */
const serialsMax = 2 ** 40

describe('an id', () => {
  test('gives back its serial, for serials and times of every size', () => {
    const random = new Random(21)
    for (let round = 0; round < 20_000; round += 1) {
      const serial = random.whole(53)
      const createdAt = random.whole(48)
      assert.equal(ids.serialOf(ids.textOf(serial as Serial, createdAt)), serial)
    }
  })

  test('gives back the smallest and the largest serial', () => {
    for (const serial of [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      for (const time of [0, now, 2 ** 48 - 1]) {
        assert.equal(ids.serialOf(ids.textOf(serial as Serial, time)), serial)
      }
    }
  })

  test('contains its shard, with every key', () => {
    for (const shard of [0, 1, 5, 4_095]) {
      for (const serial of [0, 1, 2 ** 40]) {
        const id = new Ids({ shard, key: [serial, shard] }).textOf(serial as Serial, now)
        assert.equal(shardOfId(id), shard)
        assert.equal(shardOfId(id.toUpperCase()), shard)
      }
    }
  })

  test('that is no UUID of version 7 has no shard', () => {
    const id = ids.textOf(1 as Serial, now)
    const others = ['', 'x', id.slice(1), `${id}0`, `${id.slice(0, 14)}4${id.slice(15)}`]
    for (const text of [...others, `${id.slice(0, 15)}x${id.slice(16)}`]) {
      assert.equal(shardOfId(text), null, text)
    }
  })

  test('is a UUID of version 7, with the variant bits of one', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (let serial = 0; serial < 5_000; serial += 1)
      assert.match(ids.textOf(serial as Serial, now), form)
  })

  test('starts with its creation time, so that later ones sort behind', () => {
    const time = Number.parseInt(
      ids
        .textOf(1 as Serial, now)
        .replaceAll('-', '')
        .slice(0, 12),
      16,
    )
    assert.equal(time, now)
    assert(ids.textOf(1 as Serial, now) < ids.textOf(0 as Serial, now + 1))
  })

  test('can be written in capitals', () => {
    assert.equal(ids.serialOf(ids.textOf(77 as Serial, now).toUpperCase()), 77)
  })

  test('of one moment is like no other of that moment', () => {
    const made = Array.from({ length: 50_000 }, (_, serial) => ids.textOf(serial as Serial, now))
    assert.equal(new Set(made).size, made.length)
  })

  test('with a tweak is another than without', () => {
    assert.notEqual(ids.textOf(1, now, 12_345), ids.textOf(1 as Serial, now))
    assert.notEqual(ids.textOf(1, now, 12_345), ids.textOf(1, now, 54_321))
  })

  test('does not show that two serials are neighbours', () => {
    const tailOf = (serial: number) => BigInt(`0x${ids.textOf(serial as Serial, now).slice(-12)}`)
    let bits = 0
    for (let serial = 0; serial < 1_000; serial += 1) {
      bits += (tailOf(serial) ^ tailOf(serial + 1)).toString(2).replaceAll('0', '').length
    }
    // Half of the 48 bits differ on average.
    assert(Math.abs(bits / 1_000 - 24) < 1)
  })
})

describe('nothing that exists is found by', () => {
  function isStray(reader: Ids, text: string): boolean {
    const serial = reader.serialOf(text)
    return serial === null || serial >= serialsMax
  }

  test('an id with one character changed', () => {
    const random = new Random(22)
    for (let round = 0; round < 300; round += 1) {
      const text = ids.textOf(random.between(1, 1_000_000) as Serial, now + round)
      for (let at = 0; at < text.length; at += 1) {
        for (const other of '0123456789abcdef-gG ') {
          if (other === text[at]) continue
          const flipped = text.slice(0, at) + other + text.slice(at + 1)
          assert(isStray(ids, flipped), `${text} as ${flipped}`)
        }
      }
    }
  })

  test('an id with the number of another shard in it, at that shard', () => {
    for (const shard of [0, 1, 6, 4_095]) {
      const other = new Ids({ ...own, shard })
      const digits = shard.toString(16).padStart(3, '0')
      for (let serial = 1; serial <= 1_000; serial += 1) {
        const id = ids.textOf(serial as Serial, now + serial)
        const forged = `${id.slice(0, 15)}${digits}${id.slice(18)}`
        assert(isStray(other, forged), `${id} as ${forged}`)
      }
    }
  })

  test('an id of another shard', () => {
    const other = new Ids({ ...own, shard: 6 })
    for (let serial = 0; serial < 2_000; serial += 1) {
      assert.equal(other.serialOf(ids.textOf(serial as Serial, now)), null)
    }
  })

  for (const key of [
    [0x1234567, 0x89abcdf],
    [0x1234566, 0x89abcde],
    [0x89abcde, 0x1234567],
  ] as const) {
    test(`an id made with another key than ${key.join(' and ')}`, () => {
      const other = new Ids({ ...own, key })
      for (let serial = 0; serial < 5_000; serial += 1) {
        assert(isStray(other, ids.textOf(serial as Serial, now)))
      }
    })
  }

  test('an id with a tweak, such as that of an event', () => {
    for (let serial = 0; serial < 5_000; serial += 1) {
      assert(isStray(ids, ids.textOf(serial, now, 12_345)))
    }
  })

  for (const text of [
    '',
    'x',
    `${ids.textOf(1 as Serial, now)}0`,
    ids.textOf(1 as Serial, now).slice(1),
  ]) {
    test(`"${text}"`, () => {
      assert.equal(ids.serialOf(text), null)
    })
  }

  test('text of the right length that is no UUID', () => {
    const text = ids.textOf(1 as Serial, now)
    assert.equal(ids.serialOf(text.replaceAll('-', 'a')), null)
    assert.equal(ids.serialOf('z'.repeat(36)), null)
    assert.equal(ids.serialOf(`${text.slice(0, -1)}é`), null)
  })
})

test('a shard has a number of twelve bits', () => {
  assert.throws(() => new Ids({ ...own, shard: 4_096 }), /BrokenInvariant/)
  assert.match(new Ids({ ...own, shard: 4_095 }).textOf(1 as Serial, now), /^.{14}7fff/)
})

test('a creation time has 48 bits', () => {
  assert.throws(() => ids.textOf(1 as Serial, 2 ** 48), /BrokenInvariant/)
  assert.throws(() => ids.textOf(1 as Serial, -1), /BrokenInvariant/)
})
