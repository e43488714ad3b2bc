// npm run restored: gives a database that was restored another id of its history, so that callers
// who follow events notice.

import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { renewHistory as renewInPostgres } from '../store/postgres/history.ts'
import { renewHistory as renewInFolder } from '../store/sqlite/history.ts'
import { exitCodes, runProgram, UsageError } from './command-line.ts'

const usage =
  'Usage: npm run restored; gives the database of DATA_DIR, or of DATABASE_URL if it is set, a ' +
  'new historyId.'
const ofEarlierVersion =
  'The tables are of an earlier version, without a historyId; the next start makes a new one.'

async function markRestored(args: string[]): Promise<number> {
  try {
    parseArgs({ args })
  } catch {
    throw new UsageError(usage)
  }
  const { dataDir, databaseUrl } = readConfig(process.env)
  const id = databaseUrl === null ? renewInFolder(dataDir) : await renewInPostgres(databaseUrl)
  const about = id === null ? ofEarlierVersion : `The historyId is now ${id}.`
  process.stdout.write(`${about}\n`)
  return exitCodes.fine
}

await runProgram(markRestored, usage)
