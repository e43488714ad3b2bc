// Data of an earlier version, put back where a service finds it, and the service that is started on
// it: of this version, at the time at which the data was left, or later.

import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { auditPostgres } from '../../../src/cli/audit-postgres.ts'
import { auditFolder } from '../../../src/store/sqlite/audit/audit.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { clockAt } from '../../support/process/clock-at.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { type DatabaseServer, query } from '../../support/store/postgres-databases.ts'
import { insecure } from '../../support/webhooks/webhook-fixture.ts'
import { type Callers, stillTheSame } from './answers.ts'
import type { Expected } from './expected.ts'
import { unpack } from './packed.ts'
import type { Operators } from './scene.ts'

export type Restored = {
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  readonly expected: Expected
  /** Changes it by a statement in words of the version that wrote it; before it is opened. */
  readonly change: (text: string) => Promise<void>
  /** What is wrong with the records. */
  readonly violations: () => Promise<readonly string[]>
}

/** In a folder of its own, on SQLite. */
export async function restoreSqlite(folder: URL): Promise<Restored> {
  const { dataDir, expected } = await restoreFolder(folder)
  const file = join(dataDir, 'outcry.db')
  await writeFile(file, await unpack(new URL('outcry.db.br', folder)))
  return {
    dataDir,
    env: {},
    expected,
    change: async (text) => {
      const database = new DatabaseSync(file)
      database.exec(text)
      database.close()
    },
    violations: async () => (await auditFolder(dataDir)).violations,
  }
}

/** In a database of its own. */
export async function restorePostgres(folder: URL, server: DatabaseServer): Promise<Restored> {
  const { dataDir, expected } = await restoreFolder(folder)
  const { url } = await server.newDatabase()
  await query(url, (await unpack(new URL('outcry.sql.br', folder))).toString())
  return {
    dataDir,
    env: { DATABASE_URL: url },
    expected,
    change: async (text) => void (await query(url, text)),
    violations: async () => (await auditPostgres(url)).violations,
  }
}

async function restoreFolder(folder: URL) {
  const dataDir = await newFolder()
  for (const file of ['secrets.key', 'admin.key']) {
    await copyFile(new URL(file, folder), join(dataDir, file))
  }
  const packed = await unpack(new URL('expected.json.br', folder))
  const expected: Expected = JSON.parse(packed.toString())
  const answers = stillTheSame(expected.answers, expected.ids)
  return { dataDir, expected: { ...expected, answers } }
}

export type Opened = Operators & { readonly service: Service; readonly callers: Callers }

/** So long after the data was left. The administrator's key is the one in the folder. */
export async function open(restored: Restored, laterMs: number): Promise<Opened> {
  const { dataDir, expected } = restored
  const { ids, keys, leftAt } = expected
  const env = { ...insecure, ...restored.env, ...clockAt(leftAt + laterMs), ADMIN_API_KEY: '' }
  const service = await Service.start({ dataDir, env })
  const client = (name: 'harbour' | 'lagoon' | 'marsh') =>
    new OperatorClient(service, { id: ids[name], key: keys[name] })
  const operators = {
    harbour: client('harbour'),
    lagoon: client('lagoon'),
    marsh: client('marsh'),
  }
  return { ...operators, service, callers: { service, keys } }
}
