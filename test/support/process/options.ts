// How programs that are run by hand read their options: --help tells how to call them, and a wrong
// call gets one line.

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

type Call<Options extends ParseArgsOptionsConfig> = {
  /** How to call it, in a few lines. */
  readonly usage: string
  readonly options: Options
  /** How many words it takes beside its options. */
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
    return extra === undefined ? { values, words } : refuseCall(`Unexpected argument '${extra}'`)
  } catch (error) {
    // What follows its first sentence is longer than the usage.
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split(/\.\s/)
    return refuseCall(sentence)
  }
}

export function wholeNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  return refuseCall(`${name} takes a whole number, not '${text}'`)
}

export function refuseCall(why: string): never {
  process.stderr.write(`${why}; --help tells how to call it.\n`)
  process.exit(2)
}
