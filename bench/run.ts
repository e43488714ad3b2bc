// Runs every bench, or those named with --only, and prints a report; --save writes it to
// bench/results/ with the date, the commit and the machine. Each figure that a document names comes
// from such a file.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import os from 'node:os'
import { readOptions, refuseCall } from '../test/support/process/options.ts'
import type { CoreResults } from './core/core.ts'
import type { MemoryResult } from './core/memory.ts'
import { benchGrowth, usualGrowth } from './http/growth.ts'
import { benchHttp, usualOptions } from './http/http.ts'
import { benchLatency, usualLatency } from './http/latency.ts'
import { type FilledStore, fillStore, removeStore, trading } from './store/filled-store.ts'
import { benchLists, usualLists } from './store/lists.ts'
import { benchReplay } from './store/replay.ts'
import { benchStart, usualStart } from './store/start.ts'
import { benchFanOut, usualFanOut } from './stream/fan-out.ts'
import { benchGrpc, usualGrpc } from './stream/grpc.ts'
import { Plots } from './support/plots/plots.ts'
import {
  reportCore,
  reportFanOut,
  reportHttp,
  reportMemory,
  reportReplay,
} from './support/report.ts'
import { concludeGrowth, reportGrowth } from './support/reports/growth.ts'
import { reportGrpc } from './support/reports/grpc.ts'
import { concludeLatency, reportLatency } from './support/reports/latency.ts'
import { concludeLists, reportLists } from './support/reports/lists.ts'
import {
  concludeCore,
  concludeFanOut,
  concludeHttp,
  concludeMemory,
  plotCore,
  plotHttp,
} from './support/reports/rates.ts'
import { concludeStart, reportStart } from './support/reports/start.ts'

const here = import.meta.dirname
const partNames = [
  ...(['core', 'memory', 'http', 'grpc', 'replay'] as const),
  ...(['fan-out', 'latency', 'lists', 'growth', 'start'] as const),
]
type Part = (typeof partNames)[number]

const usage = `
Usage: npm run bench [-- --only PART --rounds N --seconds N --orders N --open-orders N --save]
PART is one of
  ${partNames.join(', ')};
--only may stand several times; without it all are run. CONTRIBUTING.md says which part takes what.
--save keeps the report in bench/results, --transaction-ids gives orders of http such ids, and with
--inlining V8 inlines further than the service lets it; see bench/core/inlining.ts.
`
const { values } = readOptions({
  usage,
  options: {
    save: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    orders: { type: 'string', default: `${usualLists.orders}` },
    'open-orders': { type: 'string', default: `${usualStart.openOrders}` },
    'transaction-ids': { type: 'boolean', default: false },
    inlining: { type: 'boolean', default: false },
  },
})
// Children find the code of this process there: none of them need turn TypeScript into JavaScript.
flushCompileCache()
for (const name of ['rounds', 'seconds', 'orders', 'open-orders'] as const) {
  if (values[name] === undefined || Number(values[name]) > 0) continue
  refuseCall(`--${name} takes a number above 0, not '${values[name]}'`)
}
// What was started or filled is cleaned up at the exit, which a signal alone would leave out.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

// Each part has its own idea of how long to measure, unless it is told.
const given = {
  ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
  ...(values.seconds === undefined ? {} : { measureMs: Number(values.seconds) * 1000 }),
}
const orders = Number(values.orders)
/** Full before anything is measured; used by several parts. */
let large: FilledStore | null = null

const parts: Readonly<Record<Part, () => Promise<string[]>>> = {
  core: async () => {
    const { results, completeSets } = measureCore()
    say(concludeCore(results, completeSets))
    return [
      ...reportCore(results, completeSets),
      ...plots.add('core', 'Operations a second', plotCore(results)),
    ]
  },
  memory: async () => {
    say('Memory ...')
    const memory = measureMemory()
    say(concludeMemory(memory))
    return reportMemory(memory)
  },
  http: async () => {
    const hasTransactionIds = values['transaction-ids']
    const result = await benchHttp({ ...usualOptions, ...given, hasTransactionIds }, say)
    say(concludeHttp(result))
    return [...reportHttp(result), ...plots.add('http', 'Orders a second', plotHttp(result))]
  },
  grpc: async () => reportGrpc(await benchGrpc({ ...usualGrpc, ...given }, say)),
  replay: async () => {
    say('Replay ...')
    return reportReplay(await benchReplay())
  },
  'fan-out': async () => {
    const result = await benchFanOut({ ...usualFanOut, ...given }, say)
    say(concludeFanOut(result))
    return reportFanOut(result)
  },
  latency: async () => {
    const result = await benchLatency({ ...usualLatency, ...given }, say)
    say(concludeLatency(result))
    return reportLatency(result, plots)
  },
  lists: async () => {
    const result = await benchLists({ ...usualLists, orders }, await largeStore(), say)
    say(concludeLists(result))
    return reportLists(result, plots)
  },
  growth: async () => {
    const options = { ...usualGrowth, ...given, orders }
    const result = await benchGrowth(options, await largeStore(), say)
    say(concludeGrowth(result))
    return reportGrowth(result, plots)
  },
  start: async () => {
    const steps = await benchStart({ openOrders: Number(values['open-orders']) }, say)
    say(concludeStart(steps))
    return reportStart(steps, plots)
  },
}

const chosen = (values.only ?? partNames).map(partOf)
const stem = `${new Date().toISOString().slice(0, 10)}-${values.only?.join('-') ?? 'all'}`
const plots = new Plots(values.save ? stem : null)

const report = [
  `# Bench of ${new Date().toISOString().slice(0, 10)}`,
  '',
  `Commit ${commit()}, Node ${process.version}, ${os.cpus()[0]?.model ?? 'unknown processor'},`,
  `${os.availableParallelism()} cores, ${os.type()} ${os.arch()}.`,
  `Made by \`npm run bench -- ${process.argv.slice(2).join(' ')}\`.`,
  '',
]
const times: string[] = []
for (const name of chosen) {
  const start = performance.now()
  report.push(...(await linesOf(name)))
  times.push(`${name} ${Math.round((performance.now() - start) / 1000)} s`)
}
report.push(`It took: ${times.join(', ')}.`, '')
if (large !== null) removeStore(large)

console.log(report.join('\n'))
if (values.save) save(report.join('\n'))

function partOf(name: string): Part {
  return partNames.find((part) => part === name) ?? refuseCall(`There is no bench '${name}'`)
}

/** A part that fails does not take the others with it. */
async function linesOf(name: Part): Promise<string[]> {
  try {
    return await parts[name]()
  } catch (fault) {
    process.exitCode = 1
    const text = fault instanceof Error ? fault.message : String(fault)
    say(`The bench "${name}" failed: ${text}`)
    return [`## ${name}`, '', `Failed: ${text}`, '']
  }
}

async function largeStore(): Promise<FilledStore> {
  if (large === null) say(`Filling a store with ${orders} orders ...`)
  large ??= await fillStore(trading(orders))
  return large
}

function measureCore(): CoreResults {
  return resultOf(`${here}/core/core.ts`, ...(values.inlining ? ['--inlining'] : []))
}

function measureMemory(): MemoryResult {
  return resultOf('--expose-gc', `${here}/core/memory.ts`)
}

/** What a process of its own prints; what it has to say meanwhile is seen. */
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
