// When the position of a caller is not one of the present history.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rewoundAt } from './event-position.ts'

const historyId = '3f0a1e52-6a51-4c1e-9a58-1c2f0d7b9e66'
const other = '7c1d2b90-0f6e-4b7a-8b1e-5d2a3c4f6071'
const now = { latestSequence: 30, historyId, earliestSequence: 11 }

test('a position that the present events continue is accepted', () => {
  for (const since of [null, 0, 10, 30]) {
    assert.equal(rewoundAt({ since, historyId }, now), null)
    assert.equal(rewoundAt({ since, historyId: historyId.toUpperCase() }, now), null)
  }
})

test('without a history, no position is checked', () => {
  for (const since of [null, 30, 31]) assert.equal(rewoundAt({ since, historyId: null }, now), null)
})

test('another history and a since beyond the latest are refused, with the present events', () => {
  const positions = [
    { since: 31, historyId },
    { since: null, historyId: other },
    { since: 10, historyId: other },
    { since: 31, historyId: other },
  ]
  for (const position of positions) {
    const refusal = rewoundAt(position, now)
    assert.equal(refusal?.code, 'EVENTS_REWOUND')
    assert.deepEqual(refusal.details, now)
  }
})
