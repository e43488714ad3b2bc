// Runs every bench, or those named with --only, and prints a report; --save writes it to
// bench/results/ with the date, the commit and the machine. Every figure in the documentation comes
// from such a file.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import os from 'node:os'
import { exitWithUsageError, readOptions } from '../test/support/process/options.ts'
import { benchCluster, defaultCluster } from './cluster/cluster.ts'
import { type MeasurementName, measurementNames } from './cluster/measurement.ts'
import { benchCoreAgainst, defaultCorePairs } from './core/against-commit.ts'
import type { CoreResults } from './core/core.ts'
import type { MemoryResult } from './core/memory.ts'
import { benchAgainst, defaultPairs } from './http/against-commit.ts'
import { benchGrowth, defaultGrowth } from './http/growth.ts'
import { benchHttp, defaultOptions } from './http/http.ts'
import { benchLatency, defaultLatency } from './http/latency.ts'
import { benchOperatorLoad, defaultOperatorLoad } from './http/operator-load.ts'
import { type FilledStore, fillStore, removeStore, trading } from './store/filled-store.ts'
import { benchLists, defaultLists } from './store/lists.ts'
import { benchReplay } from './store/replay.ts'
import { benchStart, defaultStart } from './store/start.ts'
import { benchFanOut, defaultFanOut } from './stream/fan-out.ts'
import { benchGrpc, defaultGrpc } from './stream/grpc.ts'
import { Plots } from './support/plots/plots.ts'
import {
  reportAgainst,
  reportCoreAgainst,
  summarizeAgainst,
} from './support/reports/against-commit.ts'
import { reportCluster, summarizeCluster } from './support/reports/cluster.ts'
import { reportCore, summarizeCore } from './support/reports/core.ts'
import { reportFanOut, summarizeFanOut } from './support/reports/fan-out.ts'
import { reportGrowth, summarizeGrowth } from './support/reports/growth.ts'
import { reportGrpc } from './support/reports/grpc.ts'
import { reportHttp, summarizeHttp } from './support/reports/http.ts'
import { reportLatency, summarizeLatency } from './support/reports/latency.ts'
import { reportLists, summarizeLists } from './support/reports/lists.ts'
import { reportMemory, summarizeMemory } from './support/reports/memory.ts'
import { reportOperatorLoad, summarizeOperatorLoad } from './support/reports/operator-load.ts'
import { reportReplay } from './support/reports/replay.ts'
import { reportStart, summarizeStart } from './support/reports/start.ts'
import { commitOf } from './support/worktree.ts'

const here = import.meta.dirname
const partNames = [
  'core',
  'memory',
  'http',
  'grpc',
  'replay',
  'fan-out',
  'latency',
  'lists',
  'growth',
  'start',
  'cluster',
] as const
type Part = (typeof partNames)[number]

const usage = `
Usage: npm run bench [-- OPTIONS]

  --only PART         run this part only; may be repeated. PART is one of
                      ${partNames.join(', ')}
  --rounds N          rounds of each measurement
  --seconds N         seconds per round
  --orders N          stored orders (lists, growth; default ${defaultLists.orders})
  --open-orders N     open orders (start; default ${defaultStart.openOrders})
  --transaction-ids   give every order to the peers a transactionId (http)
  --against COMMIT    compare with an earlier commit instead of the peers (core, http)
  --measure NAME      measure only this (cluster); may be repeated. NAME is one of
                      ${measurementNames.join(', ')}
  --inlining          let V8 inline more than in the service (core); see bench/core/inlining.ts
  --save              write the report to bench/results

CONTRIBUTING.md lists the parts and the options of each.
`
const { values } = readOptions({
  usage,
  options: {
    save: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    orders: { type: 'string', default: `${defaultLists.orders}` },
    'open-orders': { type: 'string', default: `${defaultStart.openOrders}` },
    'transaction-ids': { type: 'boolean', default: false },
    against: { type: 'string' },
    measure: { type: 'string', multiple: true },
    inlining: { type: 'boolean', default: false },
  },
})
// Child processes reuse the compiled code of this one.
flushCompileCache()
for (const name of ['rounds', 'seconds', 'orders', 'open-orders'] as const) {
  if (values[name] === undefined || Number(values[name]) > 0) continue
  exitWithUsageError(`--${name} must be a number above 0, got '${values[name]}'`)
}
if (values.against !== undefined) assertCommit(values.against)
// Servers and stores are cleaned up on exit, which a signal alone would skip.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

// Each part has its own defaults for how long it measures.
const given = {
  ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
  ...(values.seconds === undefined ? {} : { measureMs: Number(values.seconds) * 1000 }),
}
const orders = Number(values.orders)
/** Filled when the first part needs it, and shared by several parts. */
let large: FilledStore | null = null

const parts: Readonly<Record<Part, () => Promise<string[]>>> = {
  core: async () => {
    const { against } = values
    if (against !== undefined) return measureCoreAgainst(against)
    const results = measureCore(here)
    log(summarizeCore(results))
    return reportCore(results, plots)
  },
  memory: async () => {
    log('Memory ...')
    const memory = measureMemory()
    log(summarizeMemory(memory))
    return reportMemory(memory)
  },
  http: async () => {
    const load = await benchOperatorLoad({ ...defaultOperatorLoad, ...given }, log)
    log(summarizeOperatorLoad(load))
    const { against } = values
    const others =
      against === undefined
        ? linesOf('http, peers', measurePeers)
        : linesOf('http, against', () => measureAgainst(against))
    return [...reportOperatorLoad(load, plots), ...(await others)]
  },
  grpc: async () => reportGrpc(await benchGrpc({ ...defaultGrpc, ...given }, log)),
  replay: async () => {
    log('Replay ...')
    return reportReplay(await benchReplay())
  },
  'fan-out': async () => {
    const result = await benchFanOut({ ...defaultFanOut, ...given }, log)
    log(summarizeFanOut(result))
    return reportFanOut(result)
  },
  latency: async () => {
    const result = await benchLatency({ ...defaultLatency, ...given }, log)
    log(summarizeLatency(result))
    return reportLatency(result, plots)
  },
  lists: async () => {
    const result = await benchLists({ ...defaultLists, orders }, await largeStore(), log)
    log(summarizeLists(result))
    return reportLists(result, plots)
  },
  growth: async () => {
    const options = { ...defaultGrowth, ...given, orders }
    const result = await benchGrowth(options, await largeStore(), log)
    log(summarizeGrowth(result))
    return reportGrowth(result, plots)
  },
  start: async () => {
    const steps = await benchStart({ openOrders: Number(values['open-orders']) }, log)
    log(summarizeStart(steps))
    return reportStart(steps, plots)
  },
  cluster: async () => {
    const names = (values.measure ?? measurementNames).map(measurementOf)
    const result = await benchCluster(names, { ...defaultCluster, ...given }, log)
    log(summarizeCluster(result))
    return reportCluster(result)
  },
}

const chosen = (values.only ?? partNames).map(partOf)
/** As `npm start` sets it for the service. */
const youngGeneration = '--max-semi-space-size=64'
const stem = `${new Date().toISOString().slice(0, 10)}-${values.only?.join('-') ?? 'all'}`
const plots = new Plots(values.save ? stem : null)

const report = [
  `# Bench results of ${new Date().toISOString().slice(0, 10)}`,
  '',
  `Commit ${commit()}, Node ${process.version}, ${os.cpus()[0]?.model ?? 'unknown processor'},`,
  `${os.availableParallelism()} cores, ${os.type()} ${os.arch()}.`,
  `Command: \`npm run bench -- ${process.argv.slice(2).join(' ')}\`.`,
  '',
]
const times: string[] = []
for (const name of chosen) {
  const start = performance.now()
  report.push(...(await linesOf(name, parts[name])))
  times.push(`${name} ${Math.round((performance.now() - start) / 1000)} s`)
}
report.push(`Duration: ${times.join(', ')}.`, '')
if (large !== null) removeStore(large)

console.log(report.join('\n'))
if (values.save) save(report.join('\n'))

function partOf(name: string): Part {
  return partNames.find((part) => part === name) ?? exitWithUsageError(`Unknown part '${name}'`)
}

function measurementOf(name: string): MeasurementName {
  const found = measurementNames.find((each) => each === name)
  return found ?? exitWithUsageError(`Unknown measurement '${name}'`)
}

function assertCommit(revision: string): void {
  try {
    commitOf(revision)
  } catch {
    exitWithUsageError(`--against must be a commit, got '${revision}'`)
  }
}

/** Runs a part. If it fails, the other parts still run. */
async function linesOf(name: string, run: () => Promise<string[]>): Promise<string[]> {
  try {
    return await run()
  } catch (fault) {
    process.exitCode = 1
    const text = fault instanceof Error ? fault.message : String(fault)
    log(`The bench "${name}" failed: ${text}`)
    return [`## ${name}`, '', `Failed: ${text}`, '']
  }
}

async function largeStore(): Promise<FilledStore> {
  if (large === null) log(`Filling a store with ${orders} orders ...`)
  large ??= await fillStore(trading(orders))
  return large
}

async function measurePeers(): Promise<string[]> {
  const hasTransactionIds = values['transaction-ids']
  const result = await benchHttp({ ...defaultOptions, ...given, hasTransactionIds }, log)
  log(summarizeHttp(result))
  return reportHttp(result, plots)
}

async function measureAgainst(commit: string): Promise<string[]> {
  const options = { ...defaultOperatorLoad, rounds: defaultPairs, ...given }
  const result = await benchAgainst(commit, options, log)
  log(summarizeAgainst(result))
  return reportAgainst(result)
}

function measureCore(bench: string): CoreResults {
  const inlining = values.inlining ? ['--inlining'] : []
  return resultOf(youngGeneration, `${bench}/core/core.ts`, ...inlining)
}

function measureCoreAgainst(commit: string): string[] {
  const measure = (root: string | null) => measureCore(root === null ? here : `${root}/bench`)
  const pairs = given.rounds ?? defaultCorePairs
  return reportCoreAgainst(benchCoreAgainst(commit, pairs, { measure, log }))
}

function measureMemory(): MemoryResult {
  return resultOf('--expose-gc', `${here}/core/memory.ts`)
}

/** Runs a script in a process of its own and parses what it prints; its log stays visible. */
function resultOf<Result>(...args: string[]): Result {
  const output = execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(output.toString())
}

function save(text: string): void {
  const folder = `${here}/results`
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/${stem}.md`
  writeFileSync(file, text)
  plots.save(folder)
  log(`Written to ${file}.`)
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here }).toString().trim()
  } catch {
    return 'unknown'
  }
}

function log(text: string): void {
  console.error(text)
}
