// SIGTERM under load: the service ends in time, and everything answered is stored.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { assertDetected } from '../support/assert-detected.ts'
import { Clients } from '../support/clients.ts'
import type { Defect } from '../support/planted-defects.ts'
import { serviceOptions } from '../support/process-options.ts'
import { verify } from '../support/record-checks.ts'
import { createTradingFixture } from '../support/trading-fixture.ts'

const stopMax = 10_000

test('SIGTERM under load ends the service in time with code 0 and loses no answer', async (t) => {
  const { code, ms, violations, done } = await stopUnderLoad('none')
  t.diagnostic(`stopped in ${Math.round(ms)} ms, ${done} done`)
  assert.equal(code, 0)
  assert.ok(ms < stopMax)
  assert.deepEqual(violations, [])
})

test('the checks detect a service that answers before the commit', async () => {
  const run = async () => (await stopUnderLoad('answers before the commit')).violations
  await assertDetected(run, /is stored 0 times, expected 1 to 1/)
})

async function stopUnderLoad(defect: Defect) {
  const dataDir = await newFolder()
  try {
    const first = await Service.start({ dataDir, ...serviceOptions() })
    const fixture = await createTradingFixture(first)
    await first.stop()
    const clients = new Clients(fixture, { count: 16, seed: 8 })
    const service = await Service.start({ dataDir, ...serviceOptions(defect) })
    const load = clients.run(service)
    await clients.answers(150, 5_000)
    const startedAt = performance.now()
    const code = await service.stop()
    const ms = performance.now() - startedAt
    await load
    const again = await Service.start({ dataDir, ...serviceOptions() })
    // Unanswered requests are not repeated: only answered ones are checked.
    const violations = await verify(again, fixture, clients.history)
    await again.stop()
    return { code, ms, violations, done: clients.history.count('done') }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
