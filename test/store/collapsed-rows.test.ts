// The rows of several turns are collapsed to what writing them one after the other would leave.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { RowPacker, rowsOf } from '../../src/store/row-bytes.ts'
import { fieldsOf, kindNames } from '../../src/store/rows.ts'
import { CollapsedRows } from '../../src/store/sqlite/collapsed-rows.ts'
import { type Adding, rows } from './sample-rows.ts'

type Turns = readonly (readonly Adding[])[]

function groupsOf(turns: Turns) {
  const packed = turns.map((adding) => {
    const packer = new RowPacker()
    for (const add of adding) add(packer)
    return rowsOf(packer.bytes)
  })
  return [...new CollapsedRows(packed).groups()]
}

/** Of each turn, its rows. Returns those that are left, with their kinds and the fields named. */
function collapsed(turns: Turns, fields: readonly string[]) {
  return groupsOf(turns).flatMap(({ kind, count, parameters }) => {
    const names = fieldsOf[kindNames.indexOf(kind)]!.map(([name]) => name)
    return Array.from({ length: count }, (_, at) => {
      const row = parameters(at, 1)
      return [kind, ...fields.map((name) => row[names.indexOf(name)])]
    })
  })
}

suite('the rows of several turns', () => {
  test('a new order has the changes of later turns', () => {
    const turns = [
      [rows.newOrder({ serial: 10, shares: 50, price: 40 })],
      [rows.order({ serial: 10, filled: 20, status: 1, updatedAt: 7 })],
      [rows.amendedOrder({ serial: 10, shares: 30, price: 41, filled: 20, updatedAt: 8 })],
      [rows.order({ serial: 10, filled: 30, status: 2, updatedAt: 9 })],
    ]
    assert.deepEqual(collapsed(turns, ['serial', 'shares', 'price', 'filled', 'status']), [
      ['newOrder', 10, 30, 41, 30, 2],
    ])
  })

  test('an earlier order has its last change, and what was amended', () => {
    const turns = [
      [rows.order({ serial: 10, filled: 1 }), rows.order({ serial: 11, filled: 5 })],
      [rows.amendedOrder({ serial: 10, shares: 30, filled: 1 })],
      [rows.order({ serial: 10, filled: 2 })],
    ]
    assert.deepEqual(collapsed(turns, ['serial', 'shares', 'filled']), [
      ['order', 11, undefined, 5],
      ['amendedOrder', 10, 30, 2],
    ])
  })

  test('a position has the last shares and the latest time', () => {
    const turns = [
      [rows.position({ serial: 30, shares: 5, updatedAt: 9 })],
      [rows.position({ serial: 30, shares: 6, updatedAt: 0 })],
    ]
    assert.deepEqual(collapsed(turns, ['serial', 'shares', 'updatedAt']), [['position', 30, 6, 9]])
  })

  test('candles of a minute and counts are added up, by both parts of their keys', () => {
    const candle = (minute: number, price: number) =>
      rows.candle({
        outcomeSerial: 3,
        minute,
        open: price,
        high: price,
        low: price,
        close: price,
        shares: 2,
        trades: 1,
      })
    const turns = [
      [candle(1, 40), rows.tally({ operatorNumber: 1, marketSerial: 0, orders: 2, trades: 1 })],
      [candle(1, 45), candle(2, 30)],
      [candle(1, 35), rows.tally({ operatorNumber: 1, marketSerial: 0, orders: 1, trades: 0 })],
    ]
    assert.deepEqual(collapsed(turns, ['minute', 'open', 'high', 'low', 'close', 'trades']), [
      ['candle', 1, 40, 45, 35, 35, 3],
      ['candle', 2, 30, 30, 30, 30, 1],
      ['tally', undefined, undefined, undefined, undefined, undefined, 1],
    ])
  })

  test('texts of several turns keep their rows', () => {
    const turns = [
      [rows.newOrder({ serial: 10, playerId: 'ann', transactionId: null })],
      [rows.newOrder({ serial: 11, playerId: 'bob', transactionId: 'key' })],
    ]
    assert.deepEqual(collapsed(turns, ['serial', 'playerId', 'transactionId']), [
      ['newOrder', 10, 'ann', null],
      ['newOrder', 11, 'bob', 'key'],
    ])
  })

  test('rows that are neither new nor keyed stay in their order', () => {
    const turns = [
      [rows.market({ serial: 1, status: 1 })],
      [rows.market({ serial: 1, status: 2 }), rows.market({ serial: 1, status: 3 })],
    ]
    assert.deepEqual(collapsed(turns, ['status']), [
      ['market', 1],
      ['market', 2],
      ['market', 3],
    ])
  })

  test('consecutive rows of one kind are written together', () => {
    const turns = [
      [rows.settlement({ serial: 1 }), rows.settlement({ serial: 2 })],
      [rows.settlement({ serial: 3 }), rows.settlementNote({ serial: 3 })],
      [rows.settlement({ serial: 3 })],
    ]
    const groups = groupsOf(turns).filter(({ count }) => count > 0)
    assert.deepEqual(
      groups.map(({ kind, count }) => [kind, count]),
      [
        ['settlement', 3],
        ['settlementNote', 1],
        ['settlement', 1],
      ],
    )
  })
})
