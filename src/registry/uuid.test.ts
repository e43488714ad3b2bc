// Ids of the registry's records.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newUuid } from './uuid.ts'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('an id', () => {
  test('is a version 7 UUID that starts with its time', () => {
    const now = Date.UTC(2026, 10, 15)
    for (let round = 0; round < 1_000; round += 1) {
      const id = newUuid(now)
      assert.match(id, form)
      assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), now)
    }
  })

  test('is unique', () => {
    const ids = Array.from({ length: 10_000 }, () => newUuid(0))
    assert.equal(new Set(ids).size, ids.length)
  })
})
