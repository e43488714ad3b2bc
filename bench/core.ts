// How fast are the rules, through the functions that the service calls? Outcry checks holdings,
// reserves shares, keeps positions, computes fees and writes down every fact that is stored and
// told; nodejs-order-book matches only. Both run the same operations, in turns of a slice each so
// that a noisy machine disturbs both alike, and must report the same meetings of orders.

import { OutcryRunner } from './outcry-runner.ts'
import { PeerRunner } from './peers/nodejs-order-book.ts'
import { median } from './percentiles.ts'
import { makeWorkload, type Workload } from './workload.ts'

export type CoreResult = {
  readonly books: number
  readonly prefill: number
  readonly operations: number
  readonly trades: number
  /** Operations a second: the median over the slices. */
  readonly outcry: number
  /** With the answer to every placement, and all that is told, as it would be stored. */
  readonly outcryTold: number
  readonly peer: number
  /** The median over the slices of peer's time by Outcry's. */
  readonly ratio: number
  /** What the slowest of Outcry's slices took an operation, in microseconds. */
  readonly worstMicros: number
}

const slices = 10
const warmUp = 3
const perSlice = 50_000
/** Operations whose meetings of orders are compared one by one before anything is timed. */
const compared = 60_000

export function benchCore(books: number, prefill: number): CoreResult {
  const operations = slices * perSlice
  const workload = makeWorkload({ seed: 20_261_115, books, prefill, operations })
  compare(workload)
  const outcry = ready(new OutcryRunner(workload), workload)
  const peer = ready(new PeerRunner(workload), workload)
  const times = { outcry: [] as number[], told: [] as number[], peer: [] as number[] }
  for (let slice = 0; slice < slices; slice += 1) {
    const from = prefill + slice * perSlice
    times.outcry.push(timed(() => outcry.run(from, from + perSlice)))
    times.peer.push(timed(() => peer.run(from, from + perSlice)))
  }
  const told = ready(new OutcryRunner(workload), workload)
  for (let slice = 0; slice < slices; slice += 1) {
    const from = prefill + slice * perSlice
    times.told.push(timed(() => told.run(from, from + perSlice, true)))
  }
  const rate = (list: readonly number[]) => (perSlice / median(list.slice(warmUp))) * 1000
  return {
    books,
    prefill,
    operations,
    trades: [...outcry.exchange.markets].reduce((sum, { tradeCount }) => sum + tradeCount, 0),
    outcry: rate(times.outcry),
    outcryTold: rate(times.told),
    peer: rate(times.peer),
    ratio: median(times.outcry.map((time, at) => times.peer[at]! / time).slice(warmUp)),
    worstMicros: (Math.max(...times.outcry.slice(warmUp)) / perSlice) * 1000,
  }
}

function compare(workload: Workload): void {
  const end = Math.min(workload.length, workload.prefill + compared)
  const ours = new OutcryRunner(workload).rows(0, end)
  const theirs = new PeerRunner(workload).rows(0, end)
  const at = ours.findIndex((row, number) => row !== theirs[number])
  if (at < 0 && ours.length === theirs.length) return
  throw new Error(`The matchers differ: Outcry "${ours[at]}", nodejs-order-book "${theirs[at]}".`)
}

function ready<Runner extends OutcryRunner | PeerRunner>(
  runner: Runner,
  workload: Workload,
): Runner {
  runner.prepare(0, workload.length)
  runner.run(0, workload.prefill)
  return runner
}

function timed(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
