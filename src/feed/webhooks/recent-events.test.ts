// Rows of recent events: when they answer in place of the store, and their bounds. A test of the
// stores compares their answers.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import type { EventQuery, OperatorEventRow } from '../../store/store.ts'
import { RecentEvents, rowsPerOperatorMax, sizeMax, sizePerOperatorMax } from './recent-events.ts'

/** Two events. */
function row(firstSequence: number, change: Partial<OperatorEventRow> = {}): OperatorEventRow {
  return {
    operatorNumber: 1,
    firstSequence,
    lastSequence: firstSequence + 1,
    createdAt: firstSequence,
    marketSerial: serial(1),
    marketCreatedAt: 0,
    types: 0b1,
    body: '[]',
    ...change,
  }
}

function recentOf(...rows: readonly OperatorEventRow[]): RecentEvents {
  const recent = new RecentEvents()
  for (const each of rows) recent.add(each)
  return recent
}

/** The first sequences of the page; null if the store has to be read. */
function firstsOf(
  recent: RecentEvents,
  { head = 0, ...change }: Partial<EventQuery> & { readonly head?: number },
): readonly number[] | null {
  const all = { operatorNumber: 1, types: null, marketSerial: null, notBefore: 0 }
  const page = recent.page({ ...all, since: 0, limit: 2_000, ...change }, head)
  return page === null ? null : page.rows.map(({ firstSequence }) => firstSequence)
}

describe('rows of recent events', () => {
  test('answer if they have every event from the position to the head', () => {
    const recent = recentOf(row(11), row(13), row(15))
    assert.deepEqual(firstsOf(recent, { since: 10, head: 16 }), [11, 13, 15])
    assert.deepEqual(firstsOf(recent, { since: 11, head: 16 }), [11, 13, 15])
    assert.deepEqual(firstsOf(recent, { since: 12, head: 16 }), [13, 15])
    assert.deepEqual(firstsOf(recent, { since: 16, head: 16 }), [])
    assert.equal(firstsOf(recent, { since: 9, head: 16 }), null)
  })

  test('do not answer if a stored event has not arrived yet', () => {
    assert.equal(firstsOf(recentOf(row(11)), { since: 10, head: 13 }), null)
    assert.deepEqual(firstsOf(recentOf(row(11), row(13)), { since: 10, head: 13 }), [11, 13])
  })

  test('start again after a gap', () => {
    const recent = recentOf(row(11), row(13), row(17), row(19))
    assert.equal(firstsOf(recent, { since: 12, head: 20 }), null)
    assert.deepEqual(firstsOf(recent, { since: 16, head: 20 }), [17, 19])
    assert.equal(recent.size, recentOf(row(17), row(19)).size)
  })

  test('have a limit, types and a market, as a page of the store has', () => {
    const other = { types: 0b110, marketSerial: serial(2) }
    const recent = recentOf(row(1), row(3, other), row(5), row(7, other))
    assert.deepEqual(firstsOf(recent, { types: 0b100 }), [3, 7])
    assert.deepEqual(firstsOf(recent, { types: 0b1000 }), [])
    assert.deepEqual(firstsOf(recent, { marketSerial: serial(1), since: 2 }), [5])
    const query = { operatorNumber: 1, since: 2, marketSerial: null, notBefore: 0 }
    const page = (limit: number) => recent.page({ ...query, types: 0b10, limit }, 8)
    assert.deepEqual([page(1)?.rows.length, page(1)?.hasMore], [1, true])
    assert.deepEqual([page(2)?.rows.length, page(2)?.hasMore], [2, false])
    assert.equal(page(1)?.lastSequence, 8)
  })

  test('answer without those that have expired', () => {
    const recent = recentOf(row(1), row(3), row(5))
    assert.equal(firstsOf(recent, { notBefore: 2, since: 1 }), null)
    assert.deepEqual(firstsOf(recent, { notBefore: 2, since: 2 }), [3, 5])
    assert.equal(firstsOf(recent, { notBefore: 6, since: 2 }), null)
    assert.equal(recent.size, 0)
    recent.add(row(7))
    assert.deepEqual(firstsOf(recent, { notBefore: 6, since: 6 }), [7])
  })

  test('are apart for each operator', () => {
    const recent = recentOf(row(1), row(1, { operatorNumber: 2 }), row(3))
    assert.deepEqual(firstsOf(recent, {}), [1, 3])
    recent.delete(1)
    assert.equal(firstsOf(recent, {}), null)
    assert.deepEqual(firstsOf(recent, { operatorNumber: 2 }), [1])
    recent.delete(2)
    assert.equal(recent.size, 0)
  })
})

describe('of an operator, the oldest rows are dropped', () => {
  test('beyond a number of rows', () => {
    const recent = new RecentEvents()
    for (let at = 0; at <= rowsPerOperatorMax; at += 1) recent.add(row(at * 2 + 1))
    assert.equal(firstsOf(recent, { since: 1 }), null)
    assert.equal(firstsOf(recent, { since: 2 })?.length, rowsPerOperatorMax)
  })

  test('beyond a size', () => {
    const body = 'x'.repeat(sizePerOperatorMax / 3)
    const recent = recentOf(row(1, { body }), row(3, { body }), row(5, { body }))
    assert.equal(firstsOf(recent, { since: 1 }), null)
    assert.deepEqual(firstsOf(recent, { since: 2 }), [3, 5])
    assert.ok(recent.size <= sizePerOperatorMax)
  })

  test('also if that is all of them', () => {
    const recent = recentOf(row(1), row(3, { body: 'x'.repeat(sizePerOperatorMax) }))
    assert.equal(recent.size, 0)
    assert.equal(firstsOf(recent, { since: 2 }), null)
    recent.add(row(5))
    assert.deepEqual(firstsOf(recent, { since: 4 }), [5])
  })
})

test('of all operators, those whose last event is the oldest lose their rows first', () => {
  const body = 'x'.repeat(sizePerOperatorMax / 2)
  const fitting = Math.floor(sizeMax / (sizePerOperatorMax / 2)) - 1
  const recent = new RecentEvents()
  for (let operatorNumber = 1; operatorNumber <= fitting; operatorNumber += 1) {
    recent.add(row(1, { operatorNumber, body }))
  }
  recent.add(row(3))
  recent.add(row(1, { operatorNumber: fitting + 1, body }))
  assert.ok(recent.size <= sizeMax)
  assert.equal(firstsOf(recent, { operatorNumber: 2 }), null)
  for (const kept of [1, 3, fitting + 1]) {
    assert.ok(firstsOf(recent, { operatorNumber: kept }), String(kept))
  }
})
