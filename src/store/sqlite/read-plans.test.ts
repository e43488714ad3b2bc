// Reads must stay fast with millions of rows: no statement may scan a large table or sort all of
// its rows. The test checks the query plans of SQLite.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { recordReads } from '../record-reads.ts'
import type { ReadArgument, ReadName } from '../sql/readings.ts'
import type { RecordStore } from '../store.ts'
import { openReader, openWriter, Statements } from './connection.ts'
import { readerCalls } from './reader-calls.ts'
import { prepareDatabase } from './start.ts'

/** Records every statement. */
class RecordedStatements extends Statements {
  readonly texts = new Set<string>()

  override get(text: string) {
    this.texts.add(text)
    return super.get(text)
  }
}

const paging = { operatorNumber: 1, after: 99, limit: 10 }
const noOrderFilter = {
  outcomeSerial: null,
  playerId: null,
  side: null,
  type: null,
  statuses: null,
  transactionId: null,
}
const orders = { ...paging, ...noOrderFilter, marketSerial: null }
const openOrders = {
  operatorNumber: 1,
  marketSerial: null,
  outcomeSerial: null,
  playerId: null,
  side: null,
  after: null,
  limit: 100,
}
const noTradeFilter = { marketSerial: null, outcomeSerial: null, orderSerial: null, playerId: null }
const trades = { ...paging, ...noTradeFilter }
const markets = { ...paging, categoryId: null, statuses: null, search: null, sharedIn: null }
const holdings = { ...paging, marketSerial: null, playerId: null }
const candles = {
  outcomeSerial: serial(1),
  interval: '1d',
  from: 0,
  to: 9e12,
  limit: 1_000,
} as const
const events = {
  operatorNumber: 1,
  since: 5,
  types: 3,
  marketSerial: serial(1),
  limit: 10,
  notBefore: 0,
}

const dailyTotals = {
  operatorNumber: 1,
  marketSerial: null,
  categoryId: null,
  firstDay: 0,
  lastDay: 9,
  tradesMax: 10,
}

const audit = {
  operatorId: null,
  keyId: null,
  action: null,
  targetId: null,
  from: 5,
  to: 9e12,
  after: '0198',
  limit: 10,
}

const reads: Readonly<Record<string, (reads: RecordStore) => unknown>> = {
  'an order': (reads) => reads.order(1, serial(1)),
  'all orders': (reads) => reads.orders(orders),
  'orders of a market': (reads) => reads.orders({ ...orders, marketSerial: serial(1) }),
  'orders of a player': (reads) => reads.orders({ ...orders, playerId: 'ann' }),
  'open orders': (reads) => reads.orders({ ...orders, statuses: ['PENDING', 'PARTIAL'] }),
  'a page of the open orders of a player': (reads) =>
    reads.orders({ ...orders, playerId: 'ann', statuses: ['PENDING', 'PARTIAL'] }),
  'orders of a transactionId': (reads) => reads.orders({ ...orders, transactionId: 'tx' }),
  'a transactionId': (reads) => reads.byTransactionId(1, 'tx'),
  'a slice of the open orders of a player': (reads) =>
    reads.openOrders({ ...openOrders, playerId: 'ann', after: [1_000] }),
  'the trades of a placement': (reads) =>
    reads.placementTrades({ orderSerial: serial(1), limit: 10 }),
  'all trades': (reads) => reads.trades(trades),
  'trades of a market': (reads) => reads.trades({ ...trades, marketSerial: serial(1) }),
  'trades of an order': (reads) => reads.trades({ ...trades, orderSerial: serial(1) }),
  'trades of a player': (reads) => reads.trades({ ...trades, playerId: 'ann' }),
  'trades of a player in a market': (reads) =>
    reads.trades({ ...trades, playerId: 'ann', marketSerial: serial(1) }),
  'trades of a player and an order': (reads) =>
    reads.trades({ ...trades, playerId: 'ann', orderSerial: serial(1) }),
  'a trade': (reads) => reads.trade(1, serial(1)),
  'trades of an outcome': (reads) => reads.trades({ ...trades, outcomeSerial: serial(1) }),
  'the tape of an outcome': (reads) =>
    reads.tape({ outcomeSerial: serial(1), after: 99, limit: 10 }),
  'a year of days': (reads) => reads.candles(candles),
  'the latest minutes': (reads) => reads.candles({ ...candles, interval: '1m', from: null }),
  'own markets': (reads) => reads.markets(markets),
  'shared markets': (reads) => reads.markets({ ...markets, sharedIn: ['USD'] }),
  'a market': (reads) => reads.marketRecord(serial(1)),
  positions: (reads) => reads.positions(holdings),
  'positions of a market': (reads) => reads.positions({ ...holdings, marketSerial: serial(1) }),
  'positions of a player': (reads) => reads.positions({ ...holdings, playerId: 'ann' }),
  settlements: (reads) => reads.settlements(holdings),
  'settlements of a market': (reads) => reads.settlements({ ...holdings, marketSerial: serial(1) }),
  'settlements to acknowledge': (reads) =>
    reads.settlements({ ...holdings, isAcknowledged: false }),
  'settlements of a market to acknowledge': (reads) =>
    reads.settlements({ ...holdings, marketSerial: serial(1), isAcknowledged: false }),
  'acknowledged settlements': (reads) => reads.settlements({ ...holdings, isAcknowledged: true }),
  'acknowledged settlements of a market': (reads) =>
    reads.settlements({ ...holdings, marketSerial: serial(1), isAcknowledged: true }),
  'settlements of a player to acknowledge': (reads) =>
    reads.settlements({ ...holdings, playerId: 'ann', isAcknowledged: false }),
  'settlements of a player': (reads) => reads.settlements({ ...holdings, playerId: 'ann' }),
  'the totals of days': (reads) => reads.dailyTotals(dailyTotals),
  'the totals of days in a market': (reads) =>
    reads.dailyTotals({ ...dailyTotals, marketSerial: serial(1) }),
  'the totals of days in a category': (reads) =>
    reads.dailyTotals({ ...dailyTotals, categoryId: 'c' }),
  'all players': (reads) =>
    reads.players({ operatorNumber: 2, prefix: '', after: 'ann', limit: 10 }),
  'players by a prefix': (reads) =>
    reads.players({ operatorNumber: 2, prefix: 'an', after: null, limit: 10 }),
  'what a player uses of its limits': (reads) =>
    reads.usage({ operatorNumber: 1, playerId: 'ann' }),
  'the exposure of a player': (reads) => reads.exposure({ operatorNumber: 1, playerId: 'ann' }),
  events: (reads) => reads.events({ ...events, types: null, marketSerial: null }),
  'events of a type': (reads) => reads.events({ ...events, marketSerial: null }),
  'events of a market': (reads) => reads.events({ ...events, types: null }),
  'events of a type in a market': (reads) => reads.events(events),
  'all acts': (reads) => reads.auditEntries(audit),
  'acts of an operator': (reads) => reads.auditEntries({ ...audit, operatorId: 'o' }),
  'acts of an operator by action': (reads) =>
    reads.auditEntries({ ...audit, operatorId: 'o', action: 'a' }),
  'the attempts of a webhook': (reads) =>
    reads.webhookAttempts({ operatorNumber: 1, webhookId: 'w', before: 99, limit: 10 }),
  'the deliveries of a webhook': (reads) =>
    reads.webhookDeliveries({ operatorNumber: 1, webhookId: 'w', after: 9 }),
  'the end of the log of a webhook': (reads) =>
    reads.webhookLogStates({ webhookIds: ['w'], minute: 9 }),
}

/** An event, a trade and a position, because reads without them end early. */
const someRecords = `
  INSERT INTO positions (serial, created_at, updated_at, market_serial, outcome_serial,
    operator_number, player_id, shares, reserved, cost, profit)
  VALUES (6, 0, 0, 1, 2, 2, 'anna', 5, 0, 5, 0);
  INSERT INTO trades VALUES (5, 0, 1, 2, 3, 0, 4, 0, 1, 1, 5000, 100, 0, 0, 0, 0);
  INSERT INTO event_records VALUES (1, 1, 9, 0, 1, 0, 3, '[]');
  INSERT INTO event_sequences VALUES (1, 9)`

/** The query plan of each statement of a read, step by step. */
function plansOf(read: (reads: RecordStore) => unknown): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-plans-'))
  prepareDatabase({ folder, shard: 0, engineVersion: 1 })
  const writer = openWriter(folder)
  writer.exec(someRecords)
  writer.close()
  const database = openReader(folder)
  try {
    const recorded = new RecordedStatements(database)
    const calls = readerCalls(recorded)
    // The statements run before the promise is returned.
    const run = (name: ReadName, argument: ReadArgument<ReadName>) =>
      calls.read({ number: 1, name, argument, mustSee: 0 })
    void read(recordReads(async (name, argument) => run(name, argument) as never))
    const plan = (text: string) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all()
        .map(({ detail }) => String(detail))
    return new Map([...recorded.texts].map((text) => [text, plan(text)]))
  } finally {
    database.close()
    rmSync(folder, { recursive: true })
  }
}

suite('query plans', () => {
  for (const [title, read] of Object.entries(reads)) {
    test(`${title}: read by an index, in its order`, () => {
      const plans = plansOf(read)
      assert(plans.size > 0)
      for (const [text, steps] of plans) {
        // The rows of a subquery may be scanned.
        const isYielded = (step: string) => steps.includes(step.replace(/^SCAN/, 'CO-ROUTINE'))
        for (const step of steps) if (!isYielded(step)) assert.doesNotMatch(step, slow, text)
      }
    })
  }

  test('open orders are found by the index of their side, market and outcome', () => {
    const keys = 'is_sell,market_serial,outcome_serial,serial'
    const range = `(${keys})>(?,?,?,?) AND (${keys})<(?,?,?,?)`
    const key = `PRIMARY KEY (operator_number=? AND ${range})`
    const step = `SEARCH i USING ${key}`
    for (const filter of [{ side: 'BUY' }, { marketSerial: serial(1) }] as const) {
      const plans = plansOf((reads) => reads.openOrders({ ...openOrders, ...filter }))
      const found = [...plans].filter(([text]) => text.includes('open_orders_of_side'))
      assert.equal(found.length, 1)
      for (const [, steps] of found) {
        assert.ok(steps.includes(step), steps.join('\n'))
        // Only the rows that are too new for the index are sorted.
        assert.ok(steps.includes('SEARCH orders USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'))
      }
    }
  })

  test('no list counts all of its rows', () => {
    const lists: ((reads: RecordStore) => unknown)[] = [
      (reads) => reads.orders({ ...orders, side: 'BUY' }),
      (reads) => reads.trades({ ...trades, outcomeSerial: serial(1) }),
      (reads) => reads.trades({ ...trades, playerId: 'ann' }),
      (reads) => reads.markets({ ...markets, sharedIn: ['USD'] }),
      (reads) => reads.positions(holdings),
      (reads) => reads.settlements(holdings),
    ]
    for (const list of lists) {
      const counts = [...plansOf(list).keys()].filter((text) => text.includes('count(*)'))
      assert.equal(counts.length, 1)
      assert.match(counts[0]!, /LIMIT 10001\) AS found$/)
    }
  })

  test('a read without a total counts no rows', () => {
    for (const isCounted of [true, false]) {
      const plans = plansOf((reads) => reads.positions({ ...holdings, isCounted }))
      const counts = [...plans.keys()].filter((text) => text.includes('count(*)'))
      assert.equal(counts.length, isCounted ? 1 : 0)
    }
  })

  test('acts are found by the index of the filter with the fewest acts', () => {
    const indexOf = (filter: object) => {
      const plans = plansOf((reads) => reads.auditEntries({ ...audit, ...filter }))
      const found = [...plans].flatMap(([text, steps]) =>
        text.startsWith('SELECT *') ? steps : [],
      )
      return found.map((step) => step.replace(/ AND id.*|^SEARCH audit_entries USING INDEX /g, ''))
    }
    const [operatorId, keyId, action, targetId] = ['o', 'k', 'a', 't']
    const of = (name: string, condition: string) => [`audit_entries_of_${name} (${condition}`]
    assert.deepEqual(indexOf({ operatorId, targetId, action }), of('target', 'target_id=?'))
    assert.deepEqual(indexOf({ keyId, targetId }), of('target', 'target_id=?'))
    assert.deepEqual(indexOf({ operatorId, keyId }), of('key', 'key_id=?'))
    const both = 'key_id=? AND action=?'
    assert.deepEqual(indexOf({ operatorId, keyId, action }), of('key_action', both))
    const ofOperator = 'operator_id=? AND action=?'
    assert.deepEqual(indexOf({ operatorId, action }), of('operator_action', ofOperator))
    assert.deepEqual(indexOf({ action }), of('action', 'action=?'))
  })

  test('events of other types or markets are skipped by chunks and by an index', () => {
    const stepsOf = (change: object) => {
      const plans = plansOf((reads) => reads.events({ ...events, ...change }))
      return [...plans].find(([text]) => text.startsWith('SELECT e.*'))?.[1]
    }
    const chunks = 'SEARCH c USING PRIMARY KEY (operator_number=? AND chunk>?)'
    const range = 'first_sequence>? AND first_sequence<?'
    const ofMarket =
      'SEARCH e USING INDEX tellings_by_market (operator_number=? AND market_serial=? AND '
    assert.deepEqual(stepsOf({ marketSerial: null }), [
      chunks,
      `SEARCH e USING PRIMARY KEY (operator_number=? AND ${range})`,
    ])
    assert.deepEqual(stepsOf({}), [chunks, `${ofMarket}${range})`])
    assert.deepEqual(stepsOf({ types: null }), [`${ofMarket}first_sequence>?)`])
  })
})

// Only the rows that were found and short lists may be scanned, and only they may be grouped.
const slow = /TEMP B-TREE FOR (?!GROUP BY)|^SCAN (?!found$|CONSTANT ROW|json_each|\(subquery|\d)/
