// Writes data of the version that is checked out, for later versions to be tested with:
// npx node test/store/earlier-version/write.ts test/store/fixtures/version-0.2.0
// The service is left by a kill, by a clean stop, and at last amid two large pieces of work.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { killedAtCommitOptions } from '../../fault/support/process-options.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { clockAt } from '../../support/process/clock-at.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { quick, startDatabases } from '../../support/store/postgres-databases.ts'
import { Receiver, until } from '../../support/webhooks/receiver.ts'
import { insecure } from '../../support/webhooks/webhook-fixture.ts'
import { readAnswers } from './answers.ts'
import type { Expected } from './expected.ts'
import { dayOne, dayTwo, lastHour } from './moments.ts'
import { pack } from './packed.ts'
import { makeMarkets, makeOperators, makeRegistry, type Named, type Operators } from './scene.ts'
import { endBoth, makeCrowded } from './scene-crowd.ts'
import { playSecondDay, replayAll } from './scene-days.ts'
import { crossInTide } from './scene-trading.ts'

type Kept = {
  readonly name: 'sqlite' | 'postgres'
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  readonly packInto: (folder: string) => Promise<void>
}

/** Each is a turn of its own: by them it is known at which one the service dies. */
const ordersInLastHour = 6
/** Those of the half-done work that are stored; the whole of it takes eight. */
const turnsOfEnds = 3
/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9/hook'

const [target] = process.argv.slice(2)
assert(target !== undefined, 'Say in which folder it is to be kept.')
const server = await startDatabases(quick)
for (const kept of [await inSqlite(), await inPostgres()]) {
  await write(kept, join(target, kept.name))
}
await server.stop()

async function write(kept: Kept, folder: string): Promise<void> {
  const { dataDir, env } = kept
  const start = (time: number) => {
    return Service.start({ dataDir, env: { ...insecure, ...env, ...clockAt(time) } })
  }
  const receivers = { harbour: await Receiver.open(), lagoon: await Receiver.open() }
  const first = await start(dayOne)
  const operators = await makeOperators(first)
  const urls = { harbour: receivers.harbour.url, lagoon: receivers.lagoon.url }
  const named = await makeRegistry(first, operators, urls)
  Object.assign(named, await makeMarkets(operators, named), await makeCrowded(operators.marsh))
  await first.kill()

  const second = await start(dayTwo)
  const { harbour, lagoon } = on(second, operators)
  Object.assign(named, await playSecondDay({ harbour, lagoon }, named))
  const delivered = { harbour: await lastOf(harbour), lagoon: await lastOf(lagoon) }
  await until(() => receivers.harbour.sequences.includes(delivered.harbour))
  await until(() => receivers.lagoon.sequences.includes(delivered.lagoon))
  await second.stop()
  for (const receiver of Object.values(receivers)) await receiver.close()

  const expected = { ...(await leaveHalfDone(kept, operators, named)), delivered }
  await mkdir(folder, { recursive: true })
  await pack(join(folder, 'expected.json.br'), JSON.stringify(expected))
  for (const file of ['secrets.key', 'admin.key']) {
    await copyFile(join(dataDir, file), join(folder, file))
  }
  await kept.packInto(folder)
  await rm(dataDir, { recursive: true })
}

/** All that the service answers in the end, and what else a test must know. */
async function leaveHalfDone(
  { dataDir, env }: Kept,
  operators: Operators,
  named: Named,
): Promise<Omit<Expected, 'delivered'>> {
  const options = killedAtCommitOptions(ordersInLastHour + turnsOfEnds)
  // With an empty one it makes a key for the administrator, and keeps it in the folder.
  const ownKey = { ADMIN_API_KEY: '' }
  const service = await Service.start({
    ...options,
    dataDir,
    env: { ...options.env, ...insecure, ...env, ...clockAt(lastHour), ...ownKey },
  })
  const ended = once(service.process, 'exit')
  const { harbour, lagoon, marsh } = on(service, operators)
  await harbour.patch(`/webhooks/${named.hook.id}`, { url: nowhere })
  await lagoon.patch(`/webhooks/${named.otherHook.id}`, { url: nowhere })
  await crossInTide({ harbour, lagoon }, named.tide, { from: 60, to: 60 + ordersInLastHour })

  const admin = (await readFile(join(dataDir, 'admin.key'), 'utf8')).trim()
  const keys = { harbour: harbour.key, lagoon: lagoon.key, marsh: marsh.key, admin }
  const ids = { harbour: harbour.id, lagoon: lagoon.id, marsh: marsh.id }
  const replays = await replayAll(harbour, named)
  const answers = await readAnswers({ service, keys }, { harbour, lagoon })
  await endBoth(marsh, named)
  await ended
  assert.equal(service.process.signalCode, 'SIGKILL', service.printed())
  return { leftAt: lastHour, ids, keys, named, replays, answers }
}

async function lastOf(house: OperatorClient): Promise<number> {
  return (await house.events()).length
}

function on(service: Service, { harbour, lagoon, marsh }: Operators): Operators {
  const moved = (client: OperatorClient) => new OperatorClient(service, client)
  return { harbour: moved(harbour), lagoon: moved(lagoon), marsh: moved(marsh) }
}

async function inSqlite(): Promise<Kept> {
  const dataDir = await newFolder()
  const packInto = async (folder: string) => {
    const file = join(dataDir, 'outcry.db')
    const database = new DatabaseSync(file)
    database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    await pack(join(folder, 'outcry.db.br'), await readFile(file))
  }
  return { name: 'sqlite', dataDir, env: {}, packInto }
}

async function inPostgres(): Promise<Kept> {
  const { url } = await server.newDatabase()
  const packInto = async (folder: string) => {
    const words = ['--inserts', '--rows-per-insert=200', '--no-owner', '--no-privileges', url]
    const program = `/usr/lib/postgresql/${server.version}/bin/pg_dump`
    const dump = execFileSync(program, words, { encoding: 'utf8' })
    // Without settings of a session and orders to psql it runs on any server, by any client.
    const plain = dump.slice(dump.indexOf('\nCREATE ')).replace(/^\\unrestrict .*\n/m, '')
    await pack(join(folder, 'outcry.sql.br'), plain)
  }
  return { name: 'postgres', dataDir: await newFolder(), env: { DATABASE_URL: url }, packInto }
}
