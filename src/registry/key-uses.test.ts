// Uses of keys: noted without the store, and stored together.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyUse } from '../store/store.ts'
import { KeyUses, noteEveryMs, usesPerWriteMax } from './key-uses.ts'

const startMs = 1_000_000

class Tested {
  now = startMs
  readonly writes: (readonly KeyUse[])[] = []
  readonly failures: unknown[] = []
  failsWith: Error | null = null
  readonly uses = new KeyUses({
    store: {
      save: async (uses) => {
        if (this.failsWith !== null) throw this.failsWith
        this.writes.push(uses)
      },
    },
    now: () => this.now,
    onFailure: (error) => this.failures.push(error),
  })

  /** The times that a list of keys shows. */
  async shown(keyIds: readonly string[], stored: readonly KeyUse[] = []) {
    return Object.fromEntries(await this.uses.of(keyIds, async () => stored))
  }
}

test('a key that is used all the time is written once in some minutes', async () => {
  const tested = new Tested()
  for (let ms = 0; ms < 3 * noteEveryMs; ms += noteEveryMs / 10) {
    tested.now = startMs + ms
    tested.uses.note('key')
    await tested.uses.write()
  }
  assert.deepEqual(
    tested.writes.map(([use]) => use),
    [0, 1, 2].map((times) => ({ keyId: 'key', usedAt: startMs + times * noteEveryMs })),
  )
})

test('a list has the latest use, here or as stored, and none of a key without one', async () => {
  const tested = new Tested()
  for (const keyId of ['here', 'both', 'elsewhere later', 'unlisted']) tested.uses.note(keyId)
  const stored = [
    { keyId: 'both', usedAt: startMs - 1 },
    { keyId: 'elsewhere later', usedAt: startMs + 1 },
    { keyId: 'elsewhere', usedAt: 5 },
  ]
  const listed = ['here', 'both', 'elsewhere later', 'elsewhere', 'never']
  assert.deepEqual(await tested.shown(listed, stored), {
    here: startMs,
    both: startMs,
    'elsewhere later': startMs + 1,
    elsewhere: 5,
  })
})

test('uses that could not be stored are stored with the next write, in parts', async () => {
  const tested = new Tested()
  const ids = Array.from({ length: usesPerWriteMax + 1 }, (_, count) => `key-${count}`)
  for (const keyId of ids) tested.uses.note(keyId)
  tested.failsWith = new Error('no disk')
  await tested.uses.write()
  assert.deepEqual(tested.failures, [tested.failsWith])
  tested.failsWith = null
  tested.now += 2 * noteEveryMs
  assert.deepEqual(await tested.shown(['key-0']), { 'key-0': startMs })
  await tested.uses.stop()
  assert.deepEqual(
    tested.writes.map(({ length }) => length),
    [usesPerWriteMax, 1],
  )
  assert.deepEqual(
    tested.writes.flat(),
    ids.map((keyId) => ({ keyId, usedAt: startMs })),
  )
  // What is stored and old takes no memory.
  assert.deepEqual(await tested.shown(['key-0']), {})
})
