// Runs every bench, or those named with --only, and prints a report; --save writes it to
// bench/results/ with the date, the commit and the machine. Each figure that a document names comes
// from such a file. With --inlining V8 inlines further than the service lets it; see inlining.ts.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { benchCore } from './core.ts'
import { benchFanOut, usualFanOut } from './fan-out.ts'
import { benchHttp, usualOptions } from './http.ts'
import { inlineFurther } from './inlining.ts'
import type { MemoryResult } from './memory.ts'
import { benchReplay } from './replay.ts'
import { reportCore, reportFanOut, reportHttp, reportMemory, reportReplay } from './report.ts'

const here = import.meta.dirname
const { values } = parseArgs({
  options: {
    save: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: `${usualOptions.rounds}` },
    seconds: { type: 'string', default: `${usualOptions.measureMs / 1000}` },
    'transaction-ids': { type: 'boolean', default: false },
    inlining: { type: 'boolean', default: false },
  },
})
if (values.inlining) inlineFurther()

const parts: Readonly<Record<string, () => Promise<string[]>>> = {
  core: async () => {
    say('Core, one book ...')
    const oneBook = benchCore(1, 10_000)
    say('Core, 1,000 books ...')
    return reportCore([oneBook, benchCore(1_000, 100_000)])
  },
  memory: async () => {
    say('Memory ...')
    return reportMemory(measureMemory())
  },
  http: async () => {
    const given = { rounds: Number(values.rounds), measureMs: Number(values.seconds) * 1000 }
    const hasTransactionIds = values['transaction-ids']
    return reportHttp(await benchHttp({ ...usualOptions, ...given, hasTransactionIds }, say))
  },
  replay: async () => {
    say('Replay ...')
    return reportReplay(await benchReplay())
  },
  'fan-out': async () => {
    return reportFanOut(await benchFanOut({ ...usualFanOut, rounds: Number(values.rounds) }, say))
  },
}

const chosen = values.only ?? Object.keys(parts)
const unknown = chosen.find((name) => !Object.hasOwn(parts, name))
if (unknown !== undefined) {
  say(`There is no bench "${unknown}"; there are ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}

const report = [
  `# Bench of ${new Date().toISOString().slice(0, 10)}`,
  '',
  `Commit ${commit()}, Node ${process.version}, ${os.cpus()[0]?.model ?? 'unknown processor'},`,
  `${os.availableParallelism()} cores, ${os.type()} ${os.arch()}.`,
  `Made by \`npm run bench -- ${process.argv.slice(2).join(' ')}\`.`,
  '',
]
for (const name of chosen) report.push(...(await parts[name]!()))

console.log(report.join('\n'))
if (values.save) save(report.join('\n'))

function measureMemory(): MemoryResult {
  const output = execFileSync(process.execPath, ['--expose-gc', `${here}/memory.ts`])
  return JSON.parse(output.toString())
}

function save(text: string): void {
  const folder = `${here}/results`
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/${new Date().toISOString().slice(0, 10)}-${chosen.join('-')}.md`
  writeFileSync(file, text)
  say(`Written to ${file}.`)
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here }).toString().trim()
  } catch {
    return 'unknown'
  }
}

function say(text: string): void {
  console.error(text)
}
