// The events that a webhook has still to be told: their order, the filter, and what expired.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EventRows } from '../../../test/support/store/event-rows.ts'
import { Backlog, filterOf, rowsPerPageMax } from './backlog.ts'

function backlogOf(told: EventRows, since = 0) {
  return new Backlog({ read: told.read, expand: told.expand, operator: 1, since })
}

/** All that can be taken, page after page, up to the head. */
async function takeAll(backlog: Backlog, told: EventRows, types: number | null = null) {
  const sequences: number[] = []
  for (;;) {
    for (let event = backlog.take(types); event !== null; event = backlog.take(types)) {
      sequences.push(event.sequence)
    }
    if (backlog.position >= told.head) return sequences
    await backlog.load({ types, notBefore: 0, head: told.head })
  }
}

describe('the backlog of a webhook', () => {
  test('gives every event once and in order, over many pages', async () => {
    const told = new EventRows()
    for (let at = 0; at < rowsPerPageMax * 2 + 5; at += 1) {
      told.publish(['ORDER_PLACED', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED'].slice(at % 3) as [])
    }
    const expected = Array.from({ length: told.head }, (_, at) => at + 1)
    assert.deepEqual(await takeAll(backlogOf(told), told), expected)
    assert.equal(told.reads.length, 3)
  })

  test('begins in the middle of a row where that is where the webhook stood', async () => {
    const told = new EventRows()
    told.publish(['ORDER_PLACED', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED'])
    told.publish(['ORDER_PLACED'])
    assert.deepEqual(await takeAll(backlogOf(told, 2), told), [3, 4])
  })

  test('leaves out other types, and stands behind them all the same', async () => {
    const told = new EventRows()
    told.publish(['ORDER_PLACED', 'ORDER_MATCHED', 'ORDER_MATCHED', 'PRICE_UPDATED'])
    told.publish(['ORDER_PLACED'])
    told.publish(['PRICE_UPDATED'])
    const backlog = backlogOf(told)
    assert.deepEqual(await takeAll(backlog, told, filterOf(['ORDER_MATCHED'])), [2, 3])
    assert.equal(backlog.position, told.head)
  })

  test('stands no further than what was taken', async () => {
    const told = new EventRows()
    told.publish(['ORDER_PLACED', 'ORDER_MATCHED', 'PRICE_UPDATED'])
    const backlog = backlogOf(told)
    await backlog.load({ types: null, notBefore: 0, head: told.head })
    assert.equal(backlog.position, 0)
    assert.equal(backlog.take(null)?.sequence, 1)
    assert.equal(backlog.position, 1)
  })

  test('does not stand behind events that were stored while it read', async () => {
    const told = new EventRows()
    told.publish(['ORDER_PLACED'])
    const backlog = backlogOf(told)
    const types = filterOf(['ORDER_MATCHED'])
    const head = told.head
    const loading = backlog.load({ types, notBefore: 0, head })
    told.publish(['ORDER_MATCHED'])
    await loading
    assert.equal(backlog.take(types), null)
    assert.equal(backlog.position, head)
  })

  test('counts what expired before it could be taken', async () => {
    const told = new EventRows()
    told.publish(['ORDER_PLACED', 'PRICE_UPDATED'], 100)
    told.publish(['ORDER_PLACED'], 200)
    const backlog = backlogOf(told)
    assert.equal(await backlog.load({ types: null, notBefore: 150, head: told.head }), 2)
    assert.equal(backlog.take(null)?.sequence, 3)
    assert.equal(await backlogOf(told, 1).load({ types: null, notBefore: 300, head: told.head }), 2)
    assert.equal(await backlogOf(told, 3).load({ types: null, notBefore: 300, head: told.head }), 0)
  })

  test('reads again what it had loaded by another filter', async () => {
    const told = new EventRows()
    told.publish(['ORDER_PLACED'])
    told.publish(['ORDER_MATCHED'])
    told.publish(['ORDER_PLACED'])
    const backlog = backlogOf(told)
    const placed = filterOf(['ORDER_PLACED'])
    await backlog.load({ types: placed, notBefore: 0, head: told.head })
    assert.equal(backlog.take(placed)?.sequence, 1)
    backlog.drop()
    assert.deepEqual(await takeAll(backlog, told), [2, 3])
  })

  test('forgets a page that was under way when the filter changed', async () => {
    const told = new EventRows()
    told.publish(['ORDER_MATCHED'])
    told.publish(['ORDER_PLACED'])
    const backlog = backlogOf(told)
    const types = filterOf(['ORDER_PLACED'])
    const loading = backlog.load({ types, notBefore: 0, head: told.head })
    backlog.drop()
    await loading
    assert.deepEqual(await takeAll(backlog, told), [1, 2])
  })
})
