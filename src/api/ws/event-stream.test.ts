// How a connection's events move from the store to live events, in cases that a running service
// meets only by chance.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { Ids } from '../../core/ids.ts'
import { joined, type Piece } from '../../feed/topic.ts'
import type { EventQuery, EventRecordRow } from '../../store/store.ts'
import { EventStream } from './event-stream.ts'

const now = Date.UTC(2026, 0, 1)
const operator = {
  id: '00000000-0000-7000-8000-000000000001',
  number: 1,
  shard: 0,
  name: 'operator',
  supportedCurrencies: ['USD'],
  feeRate: null,
  feeSchedule: null,
  isActive: true,
  createdAt: now,
  updatedAt: now,
}

/** One event each: the market goes from DRAFT to OPEN. */
function rowOf(sequence: number): EventRecordRow {
  const body = JSON.stringify([1, null, 0, 2, null])
  const about = { createdAt: now, marketSerial: serial(1), marketCreatedAt: now, types: 2, body }
  return { firstSequence: sequence, lastSequence: sequence, ...about }
}

class Client {
  readonly isOpen = true
  isSlow = false
  text = ''
  #wake: () => void = () => undefined

  isTooMuch(): boolean {
    return this.isSlow
  }

  /** The sequences that were sent; the frame of a live event is its number. */
  send(frame: Buffer): void {
    const text = frame.toString('latin1')
    const stored = [...text.matchAll(/"sequence":(\d+)/g)].map(([, number]) => `${number} `)
    this.text += stored.length > 0 ? stored.join('') : text
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  catchUp(): void {
    this.isSlow = false
    this.#wake()
  }
}

/** A store that has these sequences. */
function streamed({ since, first, last }: { since: number | null; first: number; last: number }) {
  const sendBuffer = new Client()
  const kept = { first, last, historyId: 'first' }
  let rewinds = 0
  const reads = {
    events: async ({ since: after, limit }: EventQuery) => {
      const rows: EventRecordRow[] = []
      for (let at = Math.max(after + 1, kept.first); at <= kept.last; at += 1) rows.push(rowOf(at))
      const hasMore = rows.length > limit
      const page = { rows: rows.slice(0, limit), hasMore }
      const { historyId } = kept
      return { ...page, historyId, earliestSequence: kept.first, lastSequence: kept.last }
    },
  }
  const ids = new Ids({ shard: 0, key: [1, 2] })
  const silent = () => undefined
  const log = { warn: silent }
  const times = { now: () => now, eventRetentionMs: 3_600_000 }
  const context = { ...times, log, reportFailure: silent }
  const shard = { ids, reads }
  const onRewound = () => {
    rewinds += 1
  }
  const stream = new EventStream({ context, shard, sendBuffer, operator, since, onRewound })
  const publish = (...numbers: number[]) => {
    const pieces: Piece[] = numbers.map((number) => {
      return { number, frame: Buffer.from(`${number} `) }
    })
    kept.last = Math.max(kept.last, ...numbers)
    stream.receive({ pieces, whole: joined(pieces) })
  }
  return { sendBuffer, kept, stream, publish, rewinds: () => rewinds }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('stored events after since come first, then live events', async () => {
  const { sendBuffer, stream, publish } = streamed({ since: 2, first: 1, last: 4 })
  stream.start()
  publish(5)
  await settle()
  publish(6, 7)
  assert.equal(sendBuffer.text, '3 4 5 6 7 ')
})

test('a since older than the stored events starts at the earliest, which is reported', async () => {
  const { sendBuffer, stream, publish } = streamed({ since: 2, first: 10, last: 12 })
  assert.equal((await stream.open()).earliestSequence, 10)
  stream.start()
  await settle()
  publish(13)
  assert.equal(sendBuffer.text, '10 11 12 13 ')
})

test('if no event is stored any more, live events follow', async () => {
  const { sendBuffer, stream, publish } = streamed({ since: 2, first: 10, last: 9 })
  assert.equal((await stream.open()).earliestSequence, 10)
  stream.start()
  await settle()
  publish(10)
  await settle()
  publish(11)
  assert.equal(sendBuffer.text, '10 11 ')
})

test('a since beyond the last event, as after a restore, gets the next events', async () => {
  const { sendBuffer, stream, publish } = streamed({ since: 5, first: 1, last: 3 })
  assert.equal((await stream.open()).latestSequence, 3)
  stream.start()
  await settle()
  publish(4, 5)
  publish(6)
  assert.equal(sendBuffer.text, '4 5 6 ')
})

test('a turn that was not published live is read from the store', async () => {
  const { sendBuffer, stream, publish } = streamed({ since: null, first: 1, last: 3 })
  stream.start()
  publish(4)
  publish(7)
  await settle()
  assert.equal(sendBuffer.text, '4 5 6 7 ')
})

test('where events may have been missed, they are read from the store', async () => {
  const { sendBuffer, kept, stream, publish } = streamed({ since: null, first: 1, last: 3 })
  await stream.open()
  stream.start()
  await settle()
  kept.last = 5
  stream.resync()
  await settle()
  assert.equal(sendBuffer.text, '4 5 ')
  publish(6)
  assert.equal(sendBuffer.text, '4 5 6 ')
})

test('events that are missed while the store is read are read after that', async () => {
  const { sendBuffer, kept, stream } = streamed({ since: 2, first: 1, last: 3 })
  stream.start()
  // The page that is being read has been made.
  await Promise.resolve()
  kept.last = 4
  stream.resync()
  await settle()
  assert.equal(sendBuffer.text, '3 4 ')
})

test('a slow client gets the remaining events from the store once it has read', async () => {
  const { sendBuffer, stream, publish } = streamed({ since: null, first: 1, last: 0 })
  stream.start()
  publish(1)
  sendBuffer.isSlow = true
  publish(2)
  publish(3)
  await settle()
  assert.equal(sendBuffer.text, '1 ')
  sendBuffer.catchUp()
  await settle()
  publish(4)
  assert.equal(sendBuffer.text, '1 2 3 4 ')
})

test('without since, events that are published before the start are sent after it', async () => {
  const { sendBuffer, stream, publish } = streamed({ since: null, first: 1, last: 3 })
  assert.equal((await stream.open()).latestSequence, 3)
  publish(4)
  stream.start()
  await settle()
  assert.equal(sendBuffer.text, '4 ')
})

test('a stream of which the history ends sends nothing more and says so', async () => {
  for (const change of ['history', 'sequences', 'published'] as const) {
    const { sendBuffer, kept, stream, publish, rewinds } = streamed({
      since: 0,
      first: 1,
      last: 3,
    })
    await stream.open()
    stream.start()
    await settle()
    publish(4)
    if (change === 'history') kept.historyId = 'second'
    else kept.last = 2
    if (change === 'published') publish(3)
    else stream.resync()
    await settle()
    publish(5)
    await settle()
    assert.equal(rewinds(), 1, change)
    assert.equal(sendBuffer.text, '1 2 3 4 ', change)
  }
})

test('a closed stream sends nothing', async () => {
  const { sendBuffer, stream, publish } = streamed({ since: 0, first: 1, last: 2 })
  stream.start()
  stream.close()
  publish(3)
  await settle()
  assert.equal(sendBuffer.text, '')
})
