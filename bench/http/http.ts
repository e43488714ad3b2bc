// How many orders per second does the service accept over HTTP, each stored before it is answered?
// Rounds of Outcry and of a peer alternate, so that a noisy machine disturbs both alike; each ratio
// is the median over the rounds.

import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresMissing } from '../../test/support/store/postgres.ts'
import type { CpuByThread } from '../support/cpu-time.ts'
import { median } from '../support/percentiles.ts'
import { type Round, type RoundOptions, runRound } from '../support/run-load.ts'
import {
  bareHttp,
  type ServerStarter,
  type ServerUnderTest,
  startOrderPerTransaction,
  startOutcry,
  startOutcryOnPostgres,
  startWithoutCommit,
} from './servers-under-test.ts'

export type HttpOptions = Omit<RoundOptions, 'seed'> & { readonly rounds: number }

/** Medians over the rounds. */
export type Figures = Pick<Round, 'perSecond' | 'p50' | 'p99' | 'p999' | 'loadMicros'> & {
  readonly tradesPerOrder: number | null
  readonly serverMicros: number | null
  readonly cpu: CpuByThread | null
}

export type Pairing = {
  /** What is measured. */
  readonly name: string
  /** What it is compared with. */
  readonly against: string
  readonly outcry: Figures
  readonly peer: Figures
  /** Outcry's orders per second divided by the peer's. */
  readonly ratio: number
  /** The ratio to reach. */
  readonly target: string
}

export type HttpResult = {
  readonly options: HttpOptions
  readonly requestBytes: number
  readonly answerBytes: number
  /** Milliseconds to append 4 KiB to a file and sync it. */
  readonly syncMs: number
  readonly pairings: readonly Pairing[]
  /** Why a peer was not measured. */
  readonly missing: readonly string[]
}

export const defaultOptions: HttpOptions = {
  connections: 64,
  warmUpMs: 1_000,
  measureMs: 3_000,
  hasTransactionIds: false,
  batch: 1,
  rounds: 3,
}

/** A hundred orders per request, on enough connections that no thread waits for another. */
export const inBatches = { connections: 32, hasTransactionIds: false, batch: 100 }

type Peer = { readonly name: string; readonly target: string; readonly start: ServerStarter }
type Log = (text: string) => void

export async function benchHttp(options: HttpOptions, log: Log): Promise<HttpResult> {
  const pairings: Pairing[] = []
  const missing: string[] = []
  const outcry = await startOutcry({ rounds: options.rounds })
  try {
    // Measures the size of the answers, and warms the service up.
    const first = await runRound(outcry, { ...options, seed: 0 })
    const { requestBytes, answerBytes } = first
    const bare = bareHttp(answerBytes, await outcry.prepare())
    const measure = async (name: string, paired: () => Promise<Pairing>) => {
      log(`HTTP, ${name} ...`)
      try {
        pairings.push(await paired())
      } catch (fault) {
        if (!(fault instanceof PostgresMissing)) throw fault
        missing.push(`${name}: ${fault.message}`)
      }
    }
    for (const peer of peersOf(bare)) {
      await measure(`against ${peer.name}`, () => pair(outcry, peer, options))
    }
    await measure(`on PostgreSQL, against ${orderPerTransaction.name}`, () =>
      pairOnPostgres(options),
    )
    log('HTTP, in batches ...')
    pairings.push(await pairBatches(outcry, options))
    return { options, requestBytes, answerBytes, syncMs: measureSync(), pairings, missing }
  } finally {
    await outcry.stop()
  }
}

function peersOf(bare: ServerStarter): readonly Peer[] {
  return [
    { name: 'bare node:http', target: '0.55; goal 0.7', start: bare },
    { name: 'Outcry without the commit', target: '0.9', start: startWithoutCommit },
    orderPerTransaction,
  ]
}

const orderPerTransaction: Peer = {
  name: 'one PostgreSQL transaction per order',
  target: '10; goal 15',
  start: startOrderPerTransaction,
}

// Each side has a PostgreSQL server of its own.
async function pairOnPostgres(options: HttpOptions): Promise<Pairing> {
  const outcry = await startOutcryOnPostgres({ rounds: options.rounds + 1 })
  try {
    await runRound(outcry, { ...options, seed: 0 })
    const paired = await pair(outcry, { ...orderPerTransaction, target: '7; goal 10' }, options)
    return { ...paired, name: 'Outcry on PostgreSQL' }
  } finally {
    await outcry.stop()
  }
}

async function pair(outcry: ServerUnderTest, peer: Peer, options: HttpOptions): Promise<Pairing> {
  const other = await peer.start({ rounds: options.rounds + 1 })
  try {
    await runRound(other, { ...options, seed: 0 })
    const ours: Round[] = []
    const theirs: Round[] = []
    for (let seed = 1; seed <= options.rounds; seed += 1) {
      ours.push(await runRound(outcry, { ...options, seed }))
      theirs.push(await runRound(other, { ...options, seed }))
    }
    const ratios = ours.map(({ perSecond }, at) => perSecond / theirs[at]!.perSecond)
    return {
      name: 'Outcry',
      against: peer.name,
      outcry: figuresOf(ours),
      peer: figuresOf(theirs),
      ratio: median(ratios),
      target: peer.target,
    }
  } finally {
    await other.stop()
  }
}

// The same orders, a hundred per request against one per request.
async function pairBatches(outcry: ServerUnderTest, options: HttpOptions): Promise<Pairing> {
  await runRound(outcry, { ...options, ...inBatches, seed: 0 })
  const ours: Round[] = []
  const singles: Round[] = []
  for (let seed = 1; seed <= options.rounds; seed += 1) {
    ours.push(await runRound(outcry, { ...options, ...inBatches, seed }))
    singles.push(await runRound(outcry, { ...options, seed }))
  }
  const ratios = ours.map(({ perSecond }, at) => perSecond / singles[at]!.perSecond)
  return {
    name: `Outcry, batches of ${inBatches.batch}`,
    against: 'Outcry, single orders',
    outcry: figuresOf(ours),
    peer: figuresOf(singles),
    ratio: median(ratios),
    target: '5',
  }
}

export function figuresOf(rounds: readonly Round[]): Figures {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    p999: median(rounds.map(({ p999 }) => p999)),
    loadMicros: median(rounds.map(({ loadMicros }) => loadMicros)),
    tradesPerOrder: medianOrNull(rounds.map(({ tradesPerOrder }) => tradesPerOrder)),
    serverMicros: medianOrNull(rounds.map(({ serverMicros }) => serverMicros)),
    cpu: medianCpu(rounds.map(({ cpu }) => cpu).filter((cpu) => cpu !== null)),
  }
}

function medianCpu(rounds: readonly CpuByThread[]): CpuByThread | null {
  if (rounds.length === 0) return null
  const middle = (thread: keyof CpuByThread) => median(rounds.map((cpu) => cpu[thread]))
  return {
    main: middle('main'),
    writer: middle('writer'),
    readers: middle('readers'),
    rest: middle('rest'),
    all: middle('all'),
  }
}

// Orders per second depend on how fast the disk syncs, so the report names both.
function measureSync(): number {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-bench-'))
  const file = openSync(join(folder, 'sync'), 'w')
  const times = Array.from({ length: 101 }, () => {
    writeSync(file, Buffer.alloc(4096))
    const start = performance.now()
    fdatasyncSync(file)
    return performance.now() - start
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return median(times)
}

function medianOrNull(list: readonly (number | null)[]): number | null {
  const known = list.filter((value) => value !== null)
  return known.length === 0 ? null : median(known)
}
