// Where does the time of a server's threads go under the load? Runs it with --cpu-prof and prints,
// for each thread, its self time by kind of work and its dearest functions.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOptions, refuseCall, wholeNumber } from '../../test/support/process/options.ts'
import { figuresOf, inBatches, usualOptions } from '../http/http.ts'
import {
  bareHttp,
  type ServerStarter,
  startOrderPerTransaction,
  startOutcry,
  startOutcryOnPostgres,
  startWithoutCommit,
} from '../http/servers-under-test.ts'
import { readProfiles, type ThreadProfile } from './profile-reader.ts'
import { count, figuresHead, rowOfFigures } from './report.ts'
import { runRound } from './run-load.ts'

const usage = `
Usage: npx node bench/support/profile.ts [SERVER] [--seconds 4] [--top 25] [--plain]
                                 [--transaction-ids] [--batch]
SERVER is outcry, on-postgres, without-commit, order-per-transaction or bare. --batch sends 100
orders a request; --plain shows rates only, without the profiler.
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

// Requests and answers of about the sizes that the service has.
const outcomeIds = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002']
const like = { port: 0, apiKey: 'k'.repeat(46), marketId: outcomeIds[0]!, outcomeIds }
const starts: Readonly<Record<string, ServerStarter>> = {
  outcry: startOutcry,
  'on-postgres': startOutcryOnPostgres,
  'without-commit': startWithoutCommit,
  'order-per-transaction': startOrderPerTransaction,
  bare: bareHttp(870, like),
}

const name = words[0] ?? 'outcry'
const start = starts[name]
if (start === undefined) refuseCall(`There is no '${name}'`)
const seconds = wholeNumber('--seconds', values.seconds)
const top = wholeNumber('--top', values.top)
const folder = mkdtempSync(join(tmpdir(), 'outcry-profile-'))
try {
  const lastMs = await measure(start)
  for (const thread of readProfiles(folder, lastMs)) show(thread)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** How long before its end the server began to prepare for the load. */
async function measure(startServerUnderTest: ServerStarter): Promise<number> {
  const nodeOptions = values.plain ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
  const server = await startServerUnderTest({ rounds: 1, nodeOptions })
  const began = performance.now()
  try {
    const measureMs = seconds * 1000
    const hasTransactionIds = values['transaction-ids']
    const shape = values.batch ? inBatches : { hasTransactionIds }
    const round = { ...usualOptions, measureMs, ...shape, seed: 1 }
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
  console.log(`\n${title}, ${busy}; parts of the busy time:\n`)
  for (const [group, ms] of groups) console.log(`${percent(ms)}  ${group}`)
  console.log('')
  for (const { label, ms } of functions.slice(0, top)) {
    console.log(`${percent(ms)}  ${label}`)
  }
}
