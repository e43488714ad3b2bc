// npm run migrate: moves the records of a data folder from SQLite into an empty PostgreSQL database
// and proves that they are the same there. The folder stays as it is.

import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { Ids } from '../core/ids.ts'
import { load } from '../core/snapshot/load.ts'
import type { Records } from '../core/snapshot/records.ts'
import { hashOf } from '../core/snapshot/save.ts'
import { Exchange } from '../core/state/exchange.ts'
import { presentEngineVersion } from '../store/engine-version.ts'
import { lockFolder } from '../store/folder-lock.ts'
import { countRows, fillDatabase, filledTables } from '../store/postgres/fill.ts'
import { loadShard as loadFromPostgres } from '../store/postgres/load-shard.ts'
import { ownerIn } from '../store/postgres/owner.ts'
import { loadShard as loadFromSqlite } from '../store/sqlite/load-shard.ts'
import { openTables } from '../store/sqlite/table-rows.ts'
import { StoreCannotOpen } from '../store/start-errors.ts'
import { exitCodes, runProgram, UsageError } from './command-line.ts'
import { ProgressBar } from './progress-bar.ts'

const usage =
  'Usage: npm run migrate; DATA_DIR has the SQLite database, DATABASE_URL is an empty database.'
const shard = 0

async function migrate(words: string[]): Promise<number> {
  const { config, url } = readWords(words)
  const folder = config.dataDir
  const lock = lockFolder(folder)
  try {
    const counts = await move(folder, url)
    await prove(config, url, counts)
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const written = rows.toLocaleString('en-US')
    process.stdout.write(`${written} rows are in PostgreSQL, and the state is the same.\n`)
    process.stdout.write(`Keep ${folder}: its keys are still needed.\n`)
    return exitCodes.fine
  } finally {
    lock.release()
  }
}

function readWords(words: string[]): { config: Config; url: string } {
  const config = readConfig(process.env)
  try {
    parseArgs({ args: words })
  } catch {
    throw new UsageError(usage)
  }
  if (config.databaseUrl === null) throw new UsageError(usage)
  return { config, url: config.databaseUrl }
}

async function move(folder: string, url: string): Promise<Map<string, number>> {
  const tables = openTables({ folder, shard, engineVersion: presentEngineVersion })
  const bar = new ProgressBar()
  try {
    const counts = new Map(filledTables.map((table) => [table, tables.count(table)]))
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const { name: owner, place } = ownerIn(folder)
    const start = { url, shard, engineVersion: presentEngineVersion, owner, place }
    await fillDatabase(start, tables, (done, table) => bar.show(done / total, table))
    return counts
  } finally {
    bar.end()
    tables.close()
  }
}

/** Throws where the two differ: then the database is of no use. */
async function prove(config: Config, url: string, counts: Map<string, number>): Promise<void> {
  for (const [table, count] of await countRows(url)) {
    if (count === counts.get(table)) continue
    throw new StoreCannotOpen(`Of ${counts.get(table)} rows of ${table}, ${count} are there.`)
  }
  const before = loadFromSqlite({ folder: config.dataDir, shard, keysFrom: 0 })
  const after = await loadFromPostgres({ url, shard, keysFrom: 0 })
  if (hashIn(config, before.records) === hashIn(config, after.records)) return
  throw new StoreCannotOpen('The state in PostgreSQL is not the one of the folder.')
}

function hashIn({ rules }: Config, records: Records): string {
  const exchange = new Exchange(rules, new Ids({ shard, key: [1, 2] }))
  load(exchange, records)
  return hashOf(exchange)
}

await runProgram(migrate, usage)
