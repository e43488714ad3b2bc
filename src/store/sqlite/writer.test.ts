// What the thread that writes the tables makes of pending turns: when they are needed, when the
// shard is claimed, and when the thread is closed.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import {
  commandsIn,
  headOf,
  noTurns,
  prepare,
  smallTurn,
} from '../../../test/support/store/pending-turns.ts'
import { presentEngineVersion } from '../engine-version.ts'
import { RowPacker } from '../store.ts'
import { Committer } from './committer.ts'
import { openReader } from './connection.ts'
import { DerivedProgress } from './derived-progress.ts'
import { stepBytes } from './deriver.ts'
import { metaOf } from './start.ts'
import { TurnsFile } from './turns-file.ts'
import { Writer } from './writer.ts'

/** In a new folder with three pending turns, each of which has a text of that length. */
function newWriter(context: TestContext, textLength = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-writer-'))
  context.after(() => rmSync(folder, { recursive: true }))
  prepare(folder)
  const start = { folder, shard: 0, engineVersion: presentEngineVersion }
  const writer = new Writer(start, new DerivedProgress())
  const committer = new Committer(folder, () => false)
  committer.follow(noTurns)
  const packer = new RowPacker()
  packer.add('job', { marketSerial: 1, isDone: 1, job: 'x'.repeat(textLength) })
  for (const from of [0, 1, 2]) {
    const turn = { ...smallTurn(0, from), rows: packer.bytes, generation: 0 }
    committer.commit({ turn, derivedTo: 0 })
  }
  committer.close()
  return { folder, writer }
}

function isCleanStop(folder: string): boolean {
  const database = openReader(folder)
  const mark = metaOf(database, 'clean_stop')
  database.close()
  return mark === 1
}

suite('a writer', () => {
  test('derives in several steps for two calls at once', async (context) => {
    const { writer } = newWriter(context, stepBytes)
    const [first, second] = await Promise.all([writer.derive(2), writer.derive(3)])
    assert.ok(first >= 2, String(first))
    assert.equal(second, 3)
    writer.close()
  })

  test('claims the shard with everything that is committed', (context) => {
    const { writer } = newWriter(context)
    const { head, derived } = writer.claim()
    assert.deepEqual([head.commandSequence, head.batchId], [3, 'batch-2'])
    assert.deepEqual([derived.commandSequence, derived.epoch], [3, head.epoch])
    writer.close()
  })

  test('derives everything before it marks the stop as clean and empties the file', (context) => {
    const { folder, writer } = newWriter(context)
    writer.close()
    assert.equal(isCleanStop(folder), true)
    assert.equal(headOf(folder).commandSequence, 3)
    assert.deepEqual(commandsIn(folder), [])
  })

  test('does not mark the stop as clean if something cannot be derived', (context) => {
    const { folder, writer } = newWriter(context)
    const turns = TurnsFile.forWriter(folder)
    turns.database.exec('UPDATE turns SET hash = zeroblob(32) WHERE command_sequence_to = 2')
    turns.close()
    assert.throws(() => writer.close(), { name: 'CannotDerive' })
    assert.equal(isCleanStop(folder), false)
    assert.deepEqual(commandsIn(folder), [1, 2, 3])
  })
})
