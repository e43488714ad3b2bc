// A frozen service whose database was taken over stores nothing, and shows nothing old, when it
// wakes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresOrNot, quick } from '../../support/store/postgres-databases.ts'
import { runTakeover } from '../rounds/takeover.ts'

const rounds = 6

const server = await postgresOrNot('takeovers on PostgreSQL', quick)

if (server !== null) {
  after(() => server.stop())

  test('a service whose lease expired while frozen stores and shows nothing old', async () => {
    assert.deepEqual(await runTakeover({ server }), [])
    assert.deepEqual(await runTakeover({ server, isBusy: true, isAskedForBooks: true }), [])
  })

  // A service that wakes may notice the lost lease before it sends a turn or answers, so that
  // neither the fence nor the end of the lease is needed in every round.
  const defect = 'relies on no lease'
  for (const [what, options, violation] of [
    ['a store without a fence', { hasNoFence: true }, /stored orders: .*late/],
    ['old books', { isBusy: true, isAskedForBooks: true }, /old books were shown/],
  ] as const) {
    test(`the checks detect ${what}`, async () => {
      let found: readonly string[] = []
      for (let round = 0; round < rounds && !violation.test(found.join()); round += 1) {
        found = await runTakeover({ server, defect, ...options })
      }
      assert.match(found.join('\n'), violation)
    })
  }
}
