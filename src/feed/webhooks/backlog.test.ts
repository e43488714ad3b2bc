// The backlog of a webhook: the order of its events, the filter, and expired events.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EventRows } from '../../../test/support/store/event-rows.ts'
import { Backlog, filterOf, rowsPerPageMax } from './backlog.ts'

function backlogOf(stored: EventRows, since = 0) {
  return new Backlog({ read: stored.read, expand: stored.expand, operatorNumber: 1, since })
}

/** The sequences of all events up to the head, page after page. */
async function readAll(backlog: Backlog, stored: EventRows, types: number | null = null) {
  const sequences: number[] = []
  for (;;) {
    for (let event = backlog.next(types); event !== null; event = backlog.next(types)) {
      sequences.push(event.sequence)
    }
    if (backlog.position >= stored.head) return sequences
    await backlog.load({ types, notBefore: 0, head: stored.head })
  }
}

describe('the backlog of a webhook', () => {
  test('returns every event once and in order, over many pages', async () => {
    const stored = new EventRows()
    for (let at = 0; at < rowsPerPageMax * 2 + 5; at += 1) {
      stored.publish(['ORDER_PLACED', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED'].slice(at % 3) as [])
    }
    const expected = Array.from({ length: stored.head }, (_, at) => at + 1)
    assert.deepEqual(await readAll(backlogOf(stored), stored), expected)
    assert.equal(stored.reads.length, 3)
  })

  test('can start in the middle of an event record', async () => {
    const stored = new EventRows()
    stored.publish(['ORDER_PLACED', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED'])
    stored.publish(['ORDER_PLACED'])
    assert.deepEqual(await readAll(backlogOf(stored, 2), stored), [3, 4])
  })

  test('skips other types, and its position moves past them', async () => {
    const stored = new EventRows()
    stored.publish(['ORDER_PLACED', 'ORDER_MATCHED', 'ORDER_MATCHED', 'PRICE_UPDATED'])
    stored.publish(['ORDER_PLACED'])
    stored.publish(['PRICE_UPDATED'])
    const backlog = backlogOf(stored)
    assert.deepEqual(await readAll(backlog, stored, filterOf(['ORDER_MATCHED'])), [2, 3])
    assert.equal(backlog.position, stored.head)
  })

  test('does not move its position past events that were loaded but not returned', async () => {
    const stored = new EventRows()
    stored.publish(['ORDER_PLACED', 'ORDER_MATCHED', 'PRICE_UPDATED'])
    const backlog = backlogOf(stored)
    await backlog.load({ types: null, notBefore: 0, head: stored.head })
    assert.equal(backlog.position, 0)
    assert.equal(backlog.next(null)?.sequence, 1)
    assert.equal(backlog.position, 1)
  })

  test('does not move its position past events that were stored during a read', async () => {
    const stored = new EventRows()
    stored.publish(['ORDER_PLACED'])
    const backlog = backlogOf(stored)
    const types = filterOf(['ORDER_MATCHED'])
    const head = stored.head
    const loading = backlog.load({ types, notBefore: 0, head })
    stored.publish(['ORDER_MATCHED'])
    await loading
    assert.equal(backlog.next(types), null)
    assert.equal(backlog.position, head)
  })

  test('counts events that expired before they could be delivered', async () => {
    const stored = new EventRows()
    stored.publish(['ORDER_PLACED', 'PRICE_UPDATED'], 100)
    stored.publish(['ORDER_PLACED'], 200)
    const backlog = backlogOf(stored)
    assert.equal(await backlog.load({ types: null, notBefore: 150, head: stored.head }), 2)
    assert.equal(backlog.next(null)?.sequence, 3)
    assert.equal(
      await backlogOf(stored, 1).load({ types: null, notBefore: 300, head: stored.head }),
      2,
    )
    assert.equal(
      await backlogOf(stored, 3).load({ types: null, notBefore: 300, head: stored.head }),
      0,
    )
  })

  test('reads a page again that it had loaded with another filter', async () => {
    const stored = new EventRows()
    stored.publish(['ORDER_PLACED'])
    stored.publish(['ORDER_MATCHED'])
    stored.publish(['ORDER_PLACED'])
    const backlog = backlogOf(stored)
    const placed = filterOf(['ORDER_PLACED'])
    await backlog.load({ types: placed, notBefore: 0, head: stored.head })
    assert.equal(backlog.next(placed)?.sequence, 1)
    backlog.discardPage()
    assert.deepEqual(await readAll(backlog, stored), [2, 3])
  })

  test('ignores a page whose read was running when the filter changed', async () => {
    const stored = new EventRows()
    stored.publish(['ORDER_MATCHED'])
    stored.publish(['ORDER_PLACED'])
    const backlog = backlogOf(stored)
    const types = filterOf(['ORDER_PLACED'])
    const loading = backlog.load({ types, notBefore: 0, head: stored.head })
    backlog.discardPage()
    await loading
    assert.deepEqual(await readAll(backlog, stored), [1, 2])
  })
})
