// Reads whose caller has gone end early, and the reads after them are whole. Reads wait for what
// they must see.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { serial } from '../../../test/support/core/steps.ts'
import { presentEngineVersion } from '../engine-version.ts'
import { StoreUnavailable } from '../store.ts'
import { openReader, Statements } from './connection.ts'
import { DerivedProgress } from './derived-progress.ts'
import { Reader } from './reader.ts'
import { readerCalls } from './reader-calls.ts'
import { prepareDatabase } from './start.ts'

function newDatabase(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-reader-'))
  context.after(() => rmSync(folder, { recursive: true }))
  prepareDatabase({ folder, shard: 0, engineVersion: presentEngineVersion })
  return folder
}

test('an abandoned read ends before its next statement, the next read does not', (context) => {
  const database = openReader(newDatabase(context))
  let isAbandoned = true
  const calls = readerCalls(new Statements(database), { isAbandoned: () => isAbandoned })
  const read = () => calls.read({ number: 1, name: 'market', argument: serial(1), mustSee: 0 })
  assert.throws(read, { name: 'ReadAbandoned' })
  isAbandoned = false
  assert.equal(read(), null)
  database.close()
})

/** Ends with the test. */
function newReader(context: TestContext, progress = new DerivedProgress()): Reader {
  const folder = newDatabase(context)
  const reader = new Reader({ folder, progress, onFatal: (cause) => assert.fail(cause) })
  context.after(() => reader.close())
  return reader
}

test('a thread whose read was abandoned serves the next one', async (context) => {
  const progress = new DerivedProgress()
  const reader = newReader(context, progress)
  const reads = [5, 6, 7].map((mustSee) => reader.read(0, 'market', serial(1), mustSee))
  reader.abandon(reads[1]!)
  progress.setDerived(7)
  const outcomes = await Promise.allSettled(reads)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('a read waits until the tables have what it must see', async (context) => {
  const progress = new DerivedProgress()
  const reader = newReader(context, progress)
  assert.equal(await reader.read(0, 'market', serial(1)), null)
  let isDone = false
  const read = reader.read(0, 'market', serial(1), 5).finally(() => {
    isDone = true
  })
  progress.setDerived(4)
  await delay(100)
  assert.equal(isDone, false)
  progress.setDerived(5)
  assert.equal(await read, null)
})

test('a read that waits fails if the tables cannot be derived, or ends if abandoned', async (t) => {
  const progress = new DerivedProgress()
  const reader = newReader(t, progress)
  assert.equal(await reader.read(0, 'market', serial(1)), null)
  const failed = assert.rejects(reader.read(0, 'market', serial(1), 5), StoreUnavailable)
  await delay(100)
  progress.setFailed()
  await failed
  const read = reader.read(0, 'market', serial(1), 5)
  const abandoned = assert.rejects(read, /abandoned/)
  await delay(100)
  reader.abandon(read)
  await abandoned
})

test('a thread closes after reads that wait for what is never derived', async (context) => {
  const progress = new DerivedProgress()
  const reader = newReader(context, progress)
  const reads = [5, 6].map((mustSee) => reader.read(0, 'market', serial(1), mustSee))
  const failed = reads.map((read) => assert.rejects(read, StoreUnavailable))
  // The thread has not begun them, so it can only find it afterwards.
  progress.setClosed()
  await reader.close()
  await Promise.all(failed)
})
