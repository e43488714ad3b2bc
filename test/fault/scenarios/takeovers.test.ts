// A frozen service loses its database to another, and stores nothing when it wakes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresOrNot, quick } from '../../support/store/postgres-databases.ts'
import { runTakeover } from '../rounds/takeover.ts'

const rounds = 6

const server = await postgresOrNot('takeovers on PostgreSQL', quick)

if (server !== null) {
  after(() => server.stop())

  test('a service that was frozen past its lease stores nothing when it wakes', async () => {
    assert.deepEqual(await runTakeover({ server }), [])
  })

  // Whoever wakes asks for its lease first, and now and then hears that it is lost before it sends
  // anything that a fence would have to stop.
  test('the checks catch a store without a fence', async () => {
    let found: readonly string[] = []
    for (let round = 0; round < rounds && found.length === 0; round += 1) {
      found = await runTakeover({ server, isFenceless: true })
    }
    assert.match(found.join('\n'), /stored are .*late/)
  })
}
