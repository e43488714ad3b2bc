// How fast are the rules, through the functions that the service calls? Outcry checks holdings,
// reserves shares, keeps positions, computes fees and adds every fact to the journal;
// nodejs-order-book matches only. Both run the same operations, in turns of a slice each so
// that a noisy machine disturbs both alike, and must report the same meetings of orders.
// A process of its own, which prints the results as JSON: `npm run bench`.

import { PeerRunner } from '../peers/nodejs-order-book.ts'
import { median } from '../support/percentiles.ts'
import { inlineFurther } from './inlining.ts'
import { makeWorkload } from './make-workload.ts'
import { OutcryRunner } from './outcry-runner.ts'
import type { Workload } from './workload.ts'

export type CoreResult = {
  readonly books: number
  readonly prefill: number
  readonly operations: number
  readonly trades: number
  /** Operations a second: the median over the slices. */
  readonly outcry: number
  /** With the answer to every placement, and the event records of every turn. */
  readonly outcryRecorded: number
  readonly peer: number
  /** The median over the slices of peer's time by Outcry's. */
  readonly ratio: number
  /** Microseconds per operation in the slowest of Outcry's slices. */
  readonly worstMicros: number
}

export type CoreResults = {
  readonly results: readonly CoreResult[]
  readonly completeSets: CompleteSetsResult
}

export type CompleteSetsResult = {
  /** Operations a second in both books of one market, without and with matching by sets. */
  readonly off: number
  readonly on: number
  /** The median over the slices. */
  readonly ratio: number
  readonly tradesOff: number
  readonly tradesOn: number
}

const seed = 20_261_115
const slices = 10
/** Slices at the start that do not count. */
const warmUp = 3
/** Commands that share a turn. */
const perTurn = 64
const perSlice = 800 * perTurn
const operations = slices * perSlice
/** Operations whose meetings of orders are compared one by one before anything is timed. */
const compared = 60_000

type Runner = Pick<OutcryRunner, 'prepare' | 'run'>

function benchCore(books: number, prefill: number): CoreResult {
  const shape = { seed, books, prefill, operations, hasCompleteSetMatching: false }
  const workload = makeWorkload(shape)
  compare(workload)
  // A service runs for weeks: what V8 does in the first second of a function counts for neither.
  for (const runner of [new OutcryRunner(workload), new PeerRunner(workload)]) {
    runAll(runner, workload.length)
  }
  const outcry = ready(new OutcryRunner(workload), workload)
  const peer = ready(new PeerRunner(workload), workload)
  const times = { outcry: [] as number[], recorded: [] as number[], peer: [] as number[] }
  for (const from of starts(prefill)) {
    times.outcry.push(timeOf(outcry, from))
    times.peer.push(timeOf(peer, from))
  }
  const recorded = ready(new OutcryRunner(workload), workload)
  for (const from of starts(prefill)) times.recorded.push(timeOf(recorded, from, true))
  return {
    books,
    prefill,
    operations,
    trades: tradesOf(outcry),
    outcry: rateOf(times.outcry),
    outcryRecorded: rateOf(times.recorded),
    peer: rateOf(times.peer),
    ratio: median(times.outcry.map((time, at) => times.peer[at]! / time).slice(warmUp)),
    worstMicros: (Math.max(...times.outcry.slice(warmUp)) / perSlice) * 1000,
  }
}

/** The same draw of orders, with the cancels of those that are open in each case. */
function benchCompleteSets(prefill: number): CompleteSetsResult {
  const [off, on] = [false, true].map((hasCompleteSetMatching) => {
    const workload = makeWorkload({ seed, books: 2, prefill, operations, hasCompleteSetMatching })
    return { runner: ready(new OutcryRunner(workload), workload), times: [] as number[] }
  }) as [Timed, Timed]
  for (const from of starts(prefill)) {
    for (const { runner, times } of [off, on]) times.push(timeOf(runner, from))
  }
  return {
    off: rateOf(off.times),
    on: rateOf(on.times),
    ratio: median(on.times.map((time, at) => off.times[at]! / time).slice(warmUp)),
    tradesOff: tradesOf(off.runner),
    tradesOn: tradesOf(on.runner),
  }
}

type Timed = { readonly runner: OutcryRunner; readonly times: number[] }

function rateOf(times: readonly number[]): number {
  return (perSlice / median(times.slice(warmUp))) * 1000
}

function tradesOf({ exchange }: OutcryRunner): number {
  return [...exchange.markets].reduce((sum, { tradeCount }) => sum + tradeCount, 0)
}

function compare(workload: Workload): void {
  const end = Math.min(workload.length, workload.prefill + compared)
  const ours = new OutcryRunner(workload).rows(0, end)
  const theirs = new PeerRunner(workload).rows(0, end)
  const at = ours.findIndex((row, number) => row !== theirs[number])
  if (at < 0 && ours.length === theirs.length) return
  throw new Error(`The matchers differ: Outcry "${ours[at]}", nodejs-order-book "${theirs[at]}".`)
}

function ready<Ready extends Runner>(runner: Ready, { prefill }: Workload): Ready {
  runAll(runner, prefill)
  return runner
}

function runAll(runner: Runner, to: number): void {
  for (let at = 0; at < to; at += perTurn) {
    runner.prepare(at, Math.min(at + perTurn, to))
    runner.run()
  }
}

function starts(prefill: number): number[] {
  return Array.from({ length: slices }, (_, slice) => prefill + slice * perSlice)
}

/** Milliseconds of a slice. The commands of a turn are made before its clock starts. */
function timeOf(runner: Runner, from: number, withRecords = false): number {
  let sum = 0
  for (let at = from; at < from + perSlice; at += perTurn) {
    runner.prepare(at, at + perTurn)
    const start = performance.now()
    runner.run(withRecords)
    sum += performance.now() - start
  }
  return sum
}

function measure(): CoreResults {
  console.error('Core, one book ...')
  const oneBook = benchCore(1, 10_000)
  console.error('Core, 1,000 books ...')
  const manyBooks = benchCore(1_000, 100_000)
  console.error('Core, with complete sets ...')
  return { results: [oneBook, manyBooks], completeSets: benchCompleteSets(10_000) }
}

if (process.argv.includes('--inlining')) inlineFurther()
console.log(JSON.stringify(measure()))
