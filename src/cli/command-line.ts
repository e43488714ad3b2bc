// What the programs have in common: their exit codes, and one line of output for an expected error.

import { ConfigError } from '../config.ts'
import { makeFilesPrivate } from '../ops/private-files.ts'
import {
  BackupFailed,
  BackupFileExists,
  SetupProblem,
  StoreCannotOpen,
} from '../store/sqlite/sqlite-store.ts'

/** As in sysexits.h; the service uses the same codes. */
export const exitCodes = {
  fine: 0,
  violations: 1,
  usage: 64,
  cannot: 69,
  wrongSetting: 78,
} as const

/** Invalid arguments; the message is the usage line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Program = (args: string[]) => Promise<number>

/** Runs a program with its command line arguments and exits with the code that it returns. */
export async function runProgram(program: Program, usage: string): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    return
  }
  makeFilesPrivate()
  try {
    process.exitCode = await program(args)
  } catch (error) {
    const code = codeOf(error)
    const isExpected = code !== null && error instanceof Error
    process.stderr.write(`${isExpected ? error.message : String(stackOf(error))}\n`)
    process.exitCode = code ?? exitCodes.cannot
  }
}

function codeOf(error: unknown): number | null {
  if (error instanceof UsageError || error instanceof BackupFileExists) return exitCodes.usage
  if (error instanceof ConfigError || error instanceof SetupProblem) return exitCodes.wrongSetting
  if (error instanceof StoreCannotOpen || error instanceof BackupFailed) return exitCodes.cannot
  return null
}

function stackOf(error: unknown): unknown {
  return error instanceof Error ? (error.stack ?? error.message) : error
}
