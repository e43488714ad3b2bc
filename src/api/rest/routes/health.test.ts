// The metrics are kept for a second.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testServer } from '../../../../test/support/http/rest-server.ts'

test('the metrics are made at most once a second, and again after a failure', async () => {
  let made = 0
  let fails = true
  const text = async () => {
    made += 1
    if (fails) throw new Error('a bug')
    return `outcry_made ${made}\n`
  }
  const app = testServer({ metrics: { request() {}, text, contentType: 'text/plain' } })
  assert.equal((await app.inject('/metrics')).statusCode, 500)
  fails = false
  const bodies = await Promise.all([1, 2, 3].map(async () => (await app.inject('/metrics')).body))
  assert.deepEqual(bodies, Array(3).fill('outcry_made 2\n'))
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  assert.equal((await app.inject('/metrics')).body, 'outcry_made 3\n')
})
