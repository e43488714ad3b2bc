// The service is killed when it is about to write to a file of the store or to sync it.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { newFolder, Service, type ServiceOptions } from '../../support/process/outcry-process.ts'
import { Clients } from '../support/clients.ts'
import { hasStrace, type StoreFile, traced } from '../support/fault-injection.ts'
import { serviceOptions, standbyOptions, withPragmas } from '../support/process-options.ts'
import { verify } from '../support/record-checks.ts'
import { createTradingFixture } from '../support/trading-fixture.ts'

type Moment = { readonly file: StoreFile; readonly calls: string; readonly when: number }

/** Counted by thread. The low numbers are during the start, or at a first checkpoint. */
const moments: readonly Moment[] = [
  { file: 'outcry.db-turns-wal', calls: 'fsync,fdatasync', when: 9 },
  { file: 'outcry.db-turns', calls: 'pwrite64', when: 1 },
  { file: 'outcry.db-turns-wal', calls: 'pwrite64', when: 75 },
  { file: 'outcry.db-turns', calls: 'fsync,fdatasync', when: 1 },
  { file: 'outcry.db-wal', calls: 'fsync,fdatasync', when: 2 },
  { file: 'outcry.db-wal', calls: 'pwrite64', when: 75 },
  { file: 'outcry.db', calls: 'pwrite64', when: 3 },
  { file: 'outcry.db', calls: 'fsync,fdatasync', when: 1 },
]
/** Pages in the log of each database between checkpoints, so that a short run has some. */
const checkpoints = ['outcry.db:wal_autocheckpoint=60', 'outcry.db-turns:wal_autocheckpoint=16']
const waitMs = 60_000

test('kills at chosen writes and syncs lose nothing and repeat nothing', async (t) => {
  if (!hasStrace(t)) return
  const dataDir = await newFolder()
  const output = '/dev/null'
  try {
    const first = await Service.start({ dataDir, ...serviceOptions() })
    const fixture = await createTradingFixture(first)
    await first.stop()
    const clients = new Clients(fixture, { count: 8, seed: 5 })
    let kills = 0
    for (const { file, calls, when } of moments) {
      const inject = `signal=SIGKILL:when=${when}`
      const under = traced(`${dataDir}/${file}`, { calls, inject, output })
      const options = { dataDir, ...withPragmas(checkpoints, serviceOptions()), under }
      assert.ok(await isKilled(clients, options), `killed at ${calls} ${when} of ${file}`)
      kills += 1
    }
    const last = await Service.start({ dataDir, ...serviceOptions() })
    await clients.finish(last)
    t.diagnostic(`${kills} kills, ${clients.history.count('done')} done`)
    assert.deepEqual(await verify(last, fixture, clients.history), [])
    await last.stop()
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** Whether the process was killed, under load or while starting. */
async function isKilled(clients: Clients, options: ServiceOptions): Promise<boolean> {
  const prepared = await Service.prepare(options)
  let service: Service
  try {
    service = await prepared.begin()
  } catch (error) {
    return /ended while starting:\s*$/.test(String(error))
  }
  const ended = once(service.process, 'exit')
  const load = clients.run(service)
  await Promise.race([ended, clients.answers(400, waitMs)])
  clients.stop()
  await load
  const { signalCode } = service.process
  await service.kill()
  return signalCode === 'SIGKILL'
}

test('a second process on a data folder fails to start until the first one is killed', async () => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir, ...serviceOptions() })
  try {
    const second = await Service.prepare({ dataDir, ...standbyOptions() })
    await assert.rejects(second.begin(), /is in use by another process/)
    assert.equal((await first.request('GET', '/ready')).status, 200)
    await first.kill()
    const third = await Service.start({ dataDir, ...serviceOptions() })
    assert.equal((await third.request('GET', '/ready')).status, 200)
    await third.stop()
  } finally {
    await first.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
})
