// What the programs beside the service have in common: one line for whoever called them wrongly or
// in vain, and the code that they end with.

import { type Config, ConfigError, readConfig } from '../config.ts'
import { BackupFailed, BackupFileExists, StoreCannotOpen } from '../store/sqlite/sqlite-store.ts'

/** As sysexits.h has them, and as the service ends. */
export const exitCodes = {
  fine: 0,
  violations: 1,
  usage: 64,
  cannot: 69,
  wrongSetting: 78,
} as const

/** The call was wrong: one line that says how to call. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Program = (words: string[]) => Promise<number>

/** Runs a program to its end; it gets what was written behind its name, and gives its code. */
export async function runProgram(program: Program, usage: string): Promise<void> {
  const words = process.argv.slice(2)
  if (words.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    return
  }
  try {
    process.exitCode = await program(words)
  } catch (error) {
    const code = codeOf(error)
    const isExpected = code !== null && error instanceof Error
    process.stderr.write(`${isExpected ? error.message : String(stackOf(error))}\n`)
    process.exitCode = code ?? exitCodes.cannot
  }
}

/** The settings, where the records are in SQLite. */
export function readSqliteConfig(): Config {
  const config = readConfig(process.env)
  if (config.databaseUrl === null) return config
  throw new UsageError('DATABASE_URL is set; this is for the SQLite database in DATA_DIR only.')
}

function codeOf(error: unknown): number | null {
  if (error instanceof UsageError || error instanceof BackupFileExists) return exitCodes.usage
  if (error instanceof ConfigError) return exitCodes.wrongSetting
  if (error instanceof StoreCannotOpen || error instanceof BackupFailed) return exitCodes.cannot
  return null
}

function stackOf(error: unknown): unknown {
  return error instanceof Error ? (error.stack ?? error.message) : error
}
