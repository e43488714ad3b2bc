// How long does a page of events take, early and late in a million events of one operator, and for
// a query that matches few of them? Measures the store alone, in a separate process: `npm run
// bench`.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert } from '../../src/core/assert.ts'
import type { Serial } from '../../src/core/ids.ts'
import { eventTypes } from '../../src/core/words.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { type EventQuery, RowPacker, type ShardStore } from '../../src/store/store.ts'

export type ReplayResult = {
  readonly events: number
  /** The median time of a page in milliseconds. */
  readonly pages: Readonly<Record<string, number>>
}

const events = 1_000_000
const eventsPerRow = 5
const rowsPerTurn = 1_000
const markets = 1_000
/** Half of all events are about this market. */
const busyMarket = 1 as Serial
/** One row in so many has a resolution as well. */
const rare = 50_000
const rounds = 9
const operator = 1
const startMs = Date.UTC(2026, 0, 1)
const common = 0b0011_1111_1000
const resolved = 1 << eventTypes.indexOf('MARKET_RESOLVED')
// About as long as the events of a resting order.
const body = JSON.stringify(Array.from({ length: 40 }, (_, field) => 10_000 + field))

export async function benchReplay(): Promise<ReplayResult> {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-replay-'))
  const fail = (cause: Error) => {
    throw cause
  }
  const store = await openSqliteStore({ folder, onFatal: fail })
  try {
    const [shard] = store.shards
    assert(shard !== undefined, 'a store has a shard')
    await fill(shard)
    return { events, pages: await measure(shard) }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

async function fill(shard: ShardStore): Promise<void> {
  const { epoch } = await shard.claim()
  for (let row = 0; row < events / eventsPerRow; row += rowsPerTurn) {
    const packer = new RowPacker()
    for (let next = row; next < row + rowsPerTurn; next += 1) addEventRecord(packer, next)
    packer.add('eventSequence', {
      operatorNumber: operator,
      eventSequence: (row + rowsPerTurn) * eventsPerRow,
    })
    const turn = row / rowsPerTurn
    const head = {
      epoch,
      batchId: `${turn}`,
      from: turn,
      to: turn + 1,
      lastSerial: 1,
      now: startMs,
    }
    await shard.commit({ ...head, rows: packer.bytes })
  }
}

function addEventRecord(packer: RowPacker, row: number): void {
  packer.add('eventRecord', {
    operatorNumber: operator,
    firstSequence: row * eventsPerRow + 1,
    lastSequence: (row + 1) * eventsPerRow,
    createdAt: startMs,
    marketSerial: row % 2 === 0 ? busyMarket : 1 + (row % markets),
    marketCreatedAt: startMs,
    types: row % rare === rare - 1 ? common | resolved : common,
    body,
  })
}

async function measure({ reads }: ShardStore): Promise<Readonly<Record<string, number>>> {
  const every: EventQuery = {
    operatorNumber: operator,
    since: 0,
    types: null,
    marketSerial: null,
    limit: 26,
    notBefore: 0,
  }
  const queries: Readonly<Record<string, EventQuery>> = {
    'the first page': every,
    'a page in the middle': { ...every, since: events / 2 },
    'the last page': { ...every, since: events - 100 },
    'one rare type': { ...every, types: resolved },
    'one type that nothing has': { ...every, types: 1 },
    'one market, from the start': { ...every, marketSerial: 500 as Serial },
    'one market, the last page': { ...every, marketSerial: 500 as Serial, since: events - 100_000 },
    'a market without events': { ...every, marketSerial: 5_000 as Serial },
    'one market and a rare type': { ...every, marketSerial: 500 as Serial, types: resolved },
    'the busiest market and a rare type': { ...every, marketSerial: busyMarket, types: resolved },
  }
  const pages: Record<string, number> = {}
  for (const [name, query] of Object.entries(queries)) {
    const taken: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now()
      await reads.events(query)
      taken.push(performance.now() - startedAt)
    }
    pages[name] = taken.sort((one, other) => one - other)[Math.floor(rounds / 2)]!
  }
  return pages
}
