// Command-line options of test programs: --help prints the usage, and an invalid call prints one
// line and exits with 2.

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

type Call<Options extends ParseArgsOptionsConfig> = {
  /** Printed for --help. */
  readonly usage: string
  readonly options: Options
  /** The maximum number of positional arguments. */
  readonly wordsMax?: number
}

export function readOptions<const Options extends ParseArgsOptionsConfig>(call: Call<Options>) {
  const { usage, options, wordsMax = 0 } = call
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(`${usage.trim()}\n`)
    process.exit(0)
  }
  try {
    const { values, positionals: words } = parseArgs({ options, allowPositionals: true })
    const extra = words[wordsMax]
    return extra === undefined
      ? { values, words }
      : exitWithUsageError(`Unexpected argument '${extra}'`)
  } catch (error) {
    // The first sentence of Node's message is enough.
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split(/\.\s/)
    return exitWithUsageError(sentence)
  }
}

export function wholeNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  return exitWithUsageError(`${name} must be a whole number, got '${text}'`)
}

/** For sizes of a run: with 0 it would check nothing and report a success. */
export function positiveNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text)
  return exitWithUsageError(`${name} must be a whole number from 1 on, got '${text}'`)
}

export function exitWithUsageError(problem: string): never {
  process.stderr.write(`${problem}; see --help.\n`)
  process.exit(2)
}
