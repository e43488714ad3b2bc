// Reads whose caller has gone end early, and the reads after them are whole.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { presentEngineVersion } from '../engine-version.ts'
import { openReader, Statements } from './connection.ts'
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
  const calls = readerCalls(new Statements(database), () => isAbandoned)
  const read = () => calls.read({ name: 'market', argument: serial(1) })
  assert.throws(read, { name: 'ReadAbandoned' })
  isAbandoned = false
  assert.equal(read(), null)
  database.close()
})

test('a thread whose read was abandoned serves the next one', async (context) => {
  const folder = newDatabase(context)
  const reader = new Reader({ folder, onFatal: (cause) => assert.fail(cause) })
  reader.abandon()
  assert.equal(await reader.read(0, 'market', serial(1)), null)
  await reader.close()
})
