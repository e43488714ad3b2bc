// npm run migrate: copies the records of a data folder from SQLite to an empty PostgreSQL database
// and compares the two states. The folder does not change.

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
import type { ShardSchema } from '../store/postgres/shard-schema.ts'
import { withReadableTables } from '../store/sqlite/derived-copy.ts'
import { loadShard as loadFromSqlite } from '../store/sqlite/load-shard.ts'
import { openTables } from '../store/sqlite/table-rows.ts'
import { StoreCannotOpen } from '../store/start-errors.ts'
import { exitCodes, runProgram, UsageError } from './command-line.ts'
import { ProgressBar } from './progress-bar.ts'

const usage =
  'Usage: npm run migrate; copies the SQLite database of DATA_DIR to the empty DATABASE_URL.'
const shard = 0

async function migrate(args: string[]): Promise<number> {
  const { config, url } = parseOptions(args)
  const folder = config.dataDir
  const lock = lockFolder(folder)
  try {
    const { counts, copied } = await withReadableTables(folder, shard, async (tables) => {
      const done = await copy(tables, folder, url)
      await compare(config, tables, url, done)
      return done
    })
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const written = rows.toLocaleString('en-US')
    const place = `shard ${copied.shard} (schema ${copied.schema})`
    process.stdout.write(
      `Copied ${written} rows to PostgreSQL, into ${place}; both states are the same.\n`,
    )
    process.stdout.write(`Keep ${folder}: the service still needs its keys.\n`)
    return exitCodes.fine
  } finally {
    lock.release()
  }
}

function parseOptions(args: string[]): { config: Config; url: string } {
  const config = readConfig(process.env)
  try {
    parseArgs({ args })
  } catch {
    throw new UsageError(usage)
  }
  if (config.databaseUrl === null) throw new UsageError(usage)
  return { config, url: config.databaseUrl }
}

type Counts = ReadonlyMap<string, number>

type Copy = { readonly counts: Counts; readonly copied: ShardSchema }

/** Reads from `from`, which is the folder or a copy of it. */
async function copy(from: string, folder: string, url: string): Promise<Copy> {
  const tables = openTables(from)
  const bar = new ProgressBar()
  try {
    const counts = new Map(filledTables.map((table) => [table, tables.count(table)]))
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const { name: owner, place } = ownerIn(folder)
    const start = { url, shardCount: 1, engineVersion: presentEngineVersion, owner, place }
    const onProgress = (done: number, table: string) => bar.show(done / total, table)
    return { counts, copied: await fillDatabase(start, tables, onProgress) }
  } finally {
    bar.end()
    tables.close()
  }
}

/** Throws if the two differ; the database must not be used then. */
async function compare(
  config: Config,
  from: string,
  url: string,
  { copied, counts }: Copy,
): Promise<void> {
  for (const [table, count] of await countRows(url, copied)) {
    if (count === counts.get(table)) continue
    throw new StoreCannotOpen(`Copied ${count} of ${counts.get(table)} rows of ${table}.`)
  }
  const before = loadFromSqlite({ folder: from, shard, keysFrom: 0 })
  const after = await loadFromPostgres({ url, shard: copied, keysFrom: 0 })
  if (hashIn(config, before.records) === hashIn(config, after.records)) return
  throw new StoreCannotOpen('The state in PostgreSQL differs from the state in DATA_DIR.')
}

function hashIn({ rules }: Config, records: Records): string {
  const exchange = new Exchange(rules, new Ids({ shard, key: [1, 2] }))
  load(exchange, records)
  return hashOf(exchange)
}

await runProgram(migrate, usage)
