// How fast is an order over HTTP, durable before it is answered? Rounds of Outcry and of a peer
// take turns, so that a noisy machine disturbs both alike; each ratio is the median over the
// rounds.

import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresMissing } from '../../test/support/store/postgres.ts'
import { median } from '../support/percentiles.ts'
import { type Round, type RoundOptions, runRound } from '../support/run-load.ts'
import {
  bareHttp,
  type Contender,
  type Start,
  startOrderPerTransaction,
  startOutcry,
  startOutcryOnPostgres,
  startWithoutCommit,
} from './contenders.ts'

export type HttpOptions = Omit<RoundOptions, 'seed'> & { readonly rounds: number }

/** Medians over the rounds. */
export type Figures = Pick<Round, 'perSecond' | 'p50' | 'p99' | 'p999' | 'loadMicros'> & {
  readonly tradesPerOrder: number | null
  readonly serverMicros: number | null
}

export type Pairing = {
  readonly against: string
  readonly outcry: Figures
  readonly peer: Figures
  /** Outcry's orders a second by the peer's. */
  readonly ratio: number
  readonly wanted: string
}

export type HttpResult = {
  readonly options: HttpOptions
  readonly requestBytes: number
  readonly answerBytes: number
  /** Of 4 KiB appended to a file and synced there, in milliseconds. */
  readonly syncMs: number
  readonly pairings: readonly Pairing[]
  /** Why a peer was not measured. */
  readonly missing: readonly string[]
}

export const usualOptions: HttpOptions = {
  connections: 64,
  warmUpMs: 1_000,
  measureMs: 3_000,
  hasTransactionIds: false,
  batch: 1,
  rounds: 5,
}

/** Of requests with a hundred orders each: enough that no thread waits for another. */
export const inBatches = { connections: 32, hasTransactionIds: false, batch: 100 }

type Peer = { readonly name: string; readonly wanted: string; readonly start: Start }
type Say = (text: string) => void

export async function benchHttp(options: HttpOptions, say: Say): Promise<HttpResult> {
  const pairings: Pairing[] = []
  const missing: string[] = []
  const outcry = await startOutcry({ rounds: options.rounds })
  try {
    // Tells how large the answers are, and warms the service up.
    const first = await runRound(outcry, { ...options, seed: 0 })
    const { requestBytes, answerBytes } = first
    const bare = bareHttp(answerBytes, await outcry.prepare())
    const measure = async (name: string, paired: () => Promise<Pairing>) => {
      say(`HTTP, ${name} ...`)
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
    say('HTTP, in batches ...')
    pairings.push(await pairBatches(outcry, options))
    return { options, requestBytes, answerBytes, syncMs: measureSync(), pairings, missing }
  } finally {
    await outcry.stop()
  }
}

function peersOf(bare: Start): readonly Peer[] {
  return [
    { name: 'bare node:http', wanted: '0.55; goal 0.7', start: bare },
    { name: 'itself without the commit', wanted: '0.9', start: startWithoutCommit },
    orderPerTransaction,
  ]
}

const orderPerTransaction: Peer = {
  name: 'a PostgreSQL transaction an order',
  wanted: '10; goal 15',
  start: startOrderPerTransaction,
}

// Each has a server of its own.
async function pairOnPostgres(options: HttpOptions): Promise<Pairing> {
  const outcry = await startOutcryOnPostgres({ rounds: options.rounds + 1 })
  try {
    await runRound(outcry, { ...options, seed: 0 })
    const paired = await pair(outcry, { ...orderPerTransaction, wanted: '7; goal 10' }, options)
    return { ...paired, against: `on PostgreSQL, against ${paired.against}` }
  } finally {
    await outcry.stop()
  }
}

async function pair(outcry: Contender, peer: Peer, options: HttpOptions): Promise<Pairing> {
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
      against: peer.name,
      outcry: figuresOf(ours),
      peer: figuresOf(theirs),
      ratio: median(ratios),
      wanted: peer.wanted,
    }
  } finally {
    await other.stop()
  }
}

// The same orders, a hundred in a request, against one in a request.
async function pairBatches(outcry: Contender, options: HttpOptions): Promise<Pairing> {
  await runRound(outcry, { ...options, ...inBatches, seed: 0 })
  const ours: Round[] = []
  const singles: Round[] = []
  for (let seed = 1; seed <= options.rounds; seed += 1) {
    ours.push(await runRound(outcry, { ...options, ...inBatches, seed }))
    singles.push(await runRound(outcry, { ...options, seed }))
  }
  const ratios = ours.map(({ perSecond }, at) => perSecond / singles[at]!.perSecond)
  return {
    against: `batches of ${inBatches.batch}, against single orders`,
    outcry: figuresOf(ours),
    peer: figuresOf(singles),
    ratio: median(ratios),
    wanted: '5',
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
  }
}

// What the disk gives: a figure of orders a second means little without it.
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
