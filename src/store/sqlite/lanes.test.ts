// The lanes and the threads together: a read that is dropped does not occupy its thread.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { presentEngineVersion } from '../engine-version.ts'
import { openLanes } from './lanes.ts'
import { prepareDatabase } from './start.ts'

test('a read whose caller has gone no longer waits for the tables', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-lanes-'))
  context.after(() => rmSync(folder, { recursive: true }))
  prepareDatabase({ folder, shard: 0, engineVersion: presentEngineVersion })
  // Nothing is derived here.
  let needed = 5
  const mustSee = () => needed
  const lanes = openLanes({ folder, mustSee, onFatal: (cause) => assert.fail(cause) })
  const readsFor = lanes.readsForCallers(0)
  let isGone = false
  const read = readsFor({ party: 1, isGone: () => isGone }).market(serial(1))
  isGone = true
  await assert.rejects(read, /has gone/)
  needed = 0
  // One operator has one thread, so it is the same.
  const next = readsFor({ party: 1, isGone: () => false }).market(serial(1))
  assert.equal(await next, null)
  await lanes.close()
})
