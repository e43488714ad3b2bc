// Where do a server's threads spend their time under load? Runs the server with --cpu-prof and
// prints, for each thread, the self time by kind of work and the most expensive functions.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitWithUsageError, readOptions, wholeNumber } from '../../test/support/process/options.ts'
import { defaultOptions, figuresOf, inBatches } from '../http/http.ts'
import {
  bareHttp,
  type ServerStarter,
  startOrderPerTransaction,
  startOutcry,
  startOutcryOnPostgres,
  startWithoutCommit,
} from '../http/servers-under-test.ts'
import { readProfiles, type ThreadProfile } from './profile-reader.ts'
import { figuresHead, rowOfFigures } from './reports/http.ts'
import { count } from './reports/table.ts'
import { runRound } from './run-load.ts'

// Requests and answers of about the same size as the service's.
const outcomeIds = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002']
const target = { port: 0, apiKey: 'k'.repeat(46), marketId: outcomeIds[0]!, outcomeIds }
const starters: Readonly<Record<string, ServerStarter>> = {
  outcry: startOutcry,
  'on-postgres': startOutcryOnPostgres,
  'without-commit': startWithoutCommit,
  'order-per-transaction': startOrderPerTransaction,
  bare: bareHttp(870, target),
}

const usage = `
Usage: npx node bench/support/profile.ts [SERVER] [OPTIONS]

Profiles a server under the load of the http bench.

SERVER is one of ${Object.keys(starters).join(', ')}; the default is outcry.

  --seconds N         measure for N seconds (default 4)
  --top N             print the N most expensive functions of each thread (default 25)
  --batch             send 100 orders per request
  --transaction-ids   give every order a transactionId
  --plain             print rates only, without the profiler
`
const { values, words } = readOptions({
  usage,
  wordsMax: 1,
  options: {
    seconds: { type: 'string', default: '4' },
    top: { type: 'string', default: '25' },
    'transaction-ids': { type: 'boolean', default: false },
    batch: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
  },
})

const name = words[0] ?? 'outcry'
const start = starters[name]
if (start === undefined) exitWithUsageError(`Unknown server '${name}'`)
const seconds = wholeNumber('--seconds', values.seconds)
const top = wholeNumber('--top', values.top)
const folder = mkdtempSync(join(tmpdir(), 'outcry-profile-'))
try {
  const lastMs = await measure(start)
  for (const thread of readProfiles(folder, lastMs)) show(thread)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Returns how many milliseconds the server was under load, including its preparation. */
async function measure(startServer: ServerStarter): Promise<number> {
  const nodeOptions = values.plain ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
  const server = await startServer({ rounds: 1, nodeOptions })
  const began = performance.now()
  try {
    const measureMs = seconds * 1000
    const hasTransactionIds = values['transaction-ids']
    const shape = values.batch ? inBatches : { hasTransactionIds }
    const round = { ...defaultOptions, measureMs, ...shape, seed: 1 }
    const figures = figuresOf([await runRound(server, round)])
    console.log(
      `${name}: ${count(figures.perSecond)} orders/s${values.plain ? '' : ', profiled'}\n`,
    )
    console.log([...figuresHead, rowOfFigures(name, figures)].join('\n'))
    return performance.now() - began
  } finally {
    await server.stop()
  }
}

function show({ title, busyMs, totalMs, groups, functions }: ThreadProfile): void {
  const percent = (ms: number) => `${((100 * ms) / busyMs).toFixed(1).padStart(5)} %`
  const busy = `busy ${count(busyMs)} of ${count(totalMs)} ms`
  console.log(`\n${title}, ${busy}; shares of the busy time:\n`)
  for (const [group, ms] of groups) console.log(`${percent(ms)}  ${group}`)
  console.log('')
  for (const { label, ms } of functions.slice(0, top)) {
    console.log(`${percent(ms)}  ${label}`)
  }
}
