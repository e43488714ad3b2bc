// Steps of a list.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRowsMax, nextStep } from './next-step.ts'

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ id: String(from + at), at: from + at }))

test('a few changes are shown at once, with what has changed of known rows', () => {
  const items = [...rows(100, 100 + newRowsMax), { id: '1', at: -1 }]
  assert.equal(nextStep(rows(0, 3), items), items)
  assert.equal(nextStep(items, items), items)
})

test('a list that is replaced has a few new rows in each step, from the top, and none more', () => {
  const items = rows(100, 150)
  let shown: readonly { id: string; at: number }[] = rows(0, 50)
  const added: number[] = []
  while (shown !== items) {
    const before = new Set(shown.map(({ id }) => id))
    shown = nextStep(shown, items)
    added.push(shown.filter(({ id }) => !before.has(id)).length)
    assert.equal(new Set(shown.map(({ id }) => id)).size, items.length)
    assert.deepEqual(shown[0], items[0])
  }
  assert.deepEqual(added, [12, 12, 12, 12, 2])
})

test('a shorter list is never longer on its way, and an empty one is shown at once', () => {
  assert.equal(nextStep(rows(0, 50), rows(100, 120)).length, 20)
  const none: { id: string; at: number }[] = []
  assert.equal(nextStep(rows(0, 50), none), none)
})
