// What a front end asks the process that writes before it reads.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { serial } from '../../../test/support/core/steps.ts'
import { onlyShard } from '../../../test/support/store/only-shard.ts'
import { prepare } from '../../../test/support/store/pending-turns.ts'
import type { RecordStore } from '../store.ts'
import { openSqliteFrontEnd } from './front-end-store.ts'

/** Stands in for the primary: a test answers each call. */
class FakePrimary {
  readonly calls: PromiseWithResolvers<void>[] = []

  untilReadable = (): Promise<void> => {
    const call = Promise.withResolvers<void>()
    this.calls.push(call)
    return call.promise
  }
}

function openFrontEnd(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-front-'))
  prepare(folder)
  const primary = new FakePrimary()
  const { untilReadable } = primary
  const onFatal = (cause: Error) => assert.fail(cause)
  const store = openSqliteFrontEnd({ folder, untilReadable, onFatal })
  context.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return { reads: onlyShard(store).reads, primary }
}

function readMany(reads: RecordStore): Promise<unknown[]> {
  return Promise.all(Array.from({ length: 100 }, () => reads.market(serial(1))))
}

test('reads of a front end that wait share a call to the primary', async (context) => {
  const { reads, primary } = openFrontEnd(context)
  const first = reads.market(serial(1))
  const later = readMany(reads)
  assert.equal(primary.calls.length, 1)
  primary.calls[0]!.resolve()
  await first
  await nextIteration()
  assert.equal(primary.calls.length, 2, 'they may need what was committed after the first call')
  primary.calls[1]!.resolve()
  await later
  const last = reads.market(serial(1))
  assert.equal(primary.calls.length, 3)
  primary.calls[2]!.resolve()
  await last
})

test('a call to the primary that fails fails only the reads that share it', async (context) => {
  const { reads, primary } = openFrontEnd(context)
  const first = assert.rejects(reads.market(serial(1)), /no answer/)
  const later = readMany(reads)
  primary.calls[0]!.reject(new Error('no answer'))
  await first
  await nextIteration()
  primary.calls[1]!.resolve()
  await later
})
