// A frozen service whose database was taken over stores nothing when it wakes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresOrNot, quick } from '../../support/store/postgres-databases.ts'
import { runTakeover } from '../rounds/takeover.ts'

const rounds = 6

const server = await postgresOrNot('takeovers on PostgreSQL', quick)

if (server !== null) {
  after(() => server.stop())

  test('a service whose lease expired while frozen stores nothing when it wakes', async () => {
    assert.deepEqual(await runTakeover({ server }), [])
  })

  // A service that wakes may notice the lost lease before it sends a turn, so that the fence is not
  // needed in every round.
  test('the checks detect a store without a fence', async () => {
    let found: readonly string[] = []
    for (let round = 0; round < rounds && found.length === 0; round += 1) {
      found = await runTakeover({ server, hasNoFence: true })
    }
    assert.match(found.join('\n'), /stored orders: .*late/)
  })
}
