// npm run backup: copies the database of the data folder, also while a service is running, and with
// --with-keys the key files.

import { chmodSync, constants, copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { BackupFailed, BackupFileExists, backupDatabase } from '../store/sqlite/sqlite-store.ts'
import { exitCodes, runProgram, UsageError } from './command-line.ts'
import { ProgressBar } from './progress-bar.ts'

const usage = 'Usage: npm run backup -- FILE [--with-keys FOLDER]; copies the database of DATA_DIR.'
const aboutPostgres =
  'DATABASE_URL is set, and npm run backup copies SQLite databases only; back up PostgreSQL with ' +
  'pg_dump, which copies every shard.'
/** A database is useless without its secrets.key, which encrypts secrets and peppers API keys. */
const keyNames = ['secrets.key', 'admin.key'] as const

async function makeBackup(args: string[]): Promise<number> {
  const { file, keyFolder } = parseOptions(args)
  const { dataDir, databaseUrl } = readConfig(process.env)
  if (databaseUrl !== null) throw new UsageError(aboutPostgres)
  if (keyFolder !== null) refuseToReplace(dataDir, keyFolder)
  const bar = new ProgressBar()
  const { bytes, commandSequence, now } = await backupDatabase({
    folder: dataDir,
    file,
    progress: ({ done, total }) => bar.show(total === 0 ? 1 : done / total, 'copied'),
  }).finally(() => bar.end())
  const size = `${bytes.toLocaleString('en-US')} bytes`
  const commands = commandSequence.toLocaleString('en-US')
  const time = new Date(now).toISOString()
  process.stdout.write(`Wrote ${size} to ${file}: all ${commands} commands up to ${time}.\n`)
  process.stdout.write(
    `${keyFolder === null ? aboutKeys(dataDir) : copyKeys(dataDir, keyFolder)}\n`,
  )
  return exitCodes.fine
}

function parseOptions(args: string[]): { file: string; keyFolder: string | null } {
  try {
    const options = { 'with-keys': { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [file, ...more] = positionals
    if (file && more.length === 0) return { file, keyFolder: values['with-keys'] ?? null }
  } catch {
    // The usage line is shorter than the message of parseArgs.
  }
  throw new UsageError(usage)
}

function keysIn(dataDir: string): string[] {
  return keyNames.filter((name) => existsSync(join(dataDir, name)))
}

function aboutKeys(dataDir: string): string {
  const names = keysIn(dataDir)
  if (names.length === 0) return 'Back up OUTCRY_SECRETS_KEY and ADMIN_API_KEY separately.'
  return `Back up ${names.map((name) => join(dataDir, name)).join(' and ')} separately.`
}

function refuseToReplace(dataDir: string, folder: string): void {
  for (const name of keysIn(dataDir)) {
    const target = join(folder, name)
    if (existsSync(target)) throw new BackupFileExists(target)
  }
}

function copyKeys(dataDir: string, folder: string): string {
  const names = keysIn(dataDir)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of names) {
      const target = join(folder, name)
      copyFileSync(join(dataDir, name), target, constants.COPYFILE_EXCL)
      chmodSync(target, 0o600)
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new BackupFailed(`The keys could not be copied to ${folder}: ${reason}.`, { cause })
  }
  if (names.length === 0) return `Copied no keys: there are none in ${dataDir}.`
  return `Copied ${names.join(' and ')} to ${folder}.`
}

await runProgram(makeBackup, usage)
