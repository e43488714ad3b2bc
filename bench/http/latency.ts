// How long does an order take over HTTP, stored before it is answered, at 50 % and 90 % of
// capacity? A closed-loop load measures the capacity first; then an open-loop load sends orders at
// a fixed part of it, and the latency of each counts from when it was due. Bare node:http gets the
// same rates, in alternating rounds.

import { median } from '../support/percentiles.ts'
import { runOpenRound, runRound } from '../support/run-load.ts'
import type { OpenLoopLoadResult } from './open-loop-load.ts'
import { bareHttp, type ServerUnderTest, startOutcry } from './servers-under-test.ts'

export type LatencyOptions = {
  readonly rounds: number
  readonly warmUpMs: number
  readonly measureMs: number
}

/** Medians over the rounds. */
export type LatencyFigures = Omit<OpenLoopLoadResult, 'answered'>

export type LatencyStep = {
  /** Part of the capacity, between 0 and 1. */
  readonly part: number
  readonly perSecond: number
  readonly outcry: LatencyFigures
  readonly peer: LatencyFigures
}

export type LatencyResult = {
  readonly options: LatencyOptions
  /** Orders per second. */
  readonly capacity: number
  readonly steps: readonly LatencyStep[]
}

export const defaultLatency: LatencyOptions = { rounds: 3, warmUpMs: 1_000, measureMs: 5_000 }

export const capacityConnections = 64
/** More than are in use at any time, unless the server stalls. */
export const openConnections = 256
const parts = [0.5, 0.9]

export async function benchLatency(
  options: LatencyOptions,
  log: (text: string) => void,
): Promise<LatencyResult> {
  const outcry = await startOutcry({ rounds: options.rounds })
  try {
    log('Latency, capacity ...')
    const { capacity, answerBytes } = await capacityOf(outcry, options)
    const bare = await bareHttp(answerBytes, await outcry.prepare())({ rounds: 1 })
    try {
      const steps: LatencyStep[] = []
      for (const part of parts) {
        const perSecond = Math.round(capacity * part)
        log(`Latency, ${Math.round(part * 100)} % of capacity: ${perSecond} orders/s ...`)
        steps.push({ part, perSecond, ...(await atRate(perSecond, { outcry, bare }, options)) })
      }
      return { options, capacity, steps }
    } finally {
      await bare.stop()
    }
  } finally {
    await outcry.stop()
  }
}

async function capacityOf(
  outcry: ServerUnderTest,
  { rounds, warmUpMs, measureMs }: LatencyOptions,
) {
  const round = { warmUpMs, measureMs, connections: capacityConnections, hasTransactionIds: false }
  // The first round warms the service up.
  await runRound(outcry, { ...round, seed: 0 })
  const measured: number[] = []
  let answerBytes = 0
  for (let seed = 1; seed <= rounds; seed += 1) {
    const result = await runRound(outcry, { ...round, seed })
    measured.push(result.perSecond)
    answerBytes = result.answerBytes
  }
  return { capacity: median(measured), answerBytes }
}

async function atRate(
  perSecond: number,
  { outcry, bare }: { readonly outcry: ServerUnderTest; readonly bare: ServerUnderTest },
  { rounds, warmUpMs, measureMs }: LatencyOptions,
): Promise<Pick<LatencyStep, 'outcry' | 'peer'>> {
  const ours: OpenLoopLoadResult[] = []
  const theirs: OpenLoopLoadResult[] = []
  const round = { perSecond, warmUpMs, measureMs, connections: openConnections }
  for (let seed = 1; seed <= rounds; seed += 1) {
    const given = { ...round, seed, hasTransactionIds: false }
    ours.push(await runOpenRound(outcry, given))
    theirs.push(await runOpenRound(bare, given))
  }
  return { outcry: latencyFiguresOf(ours), peer: latencyFiguresOf(theirs) }
}

export function latencyFiguresOf(rounds: readonly OpenLoopLoadResult[]): LatencyFigures {
  const middle = (field: keyof LatencyFigures) => median(rounds.map((round) => round[field]))
  return {
    perSecond: middle('perSecond'),
    p50: middle('p50'),
    p99: middle('p99'),
    p999: middle('p999'),
    worst: middle('worst'),
    lateP50: middle('lateP50'),
  }
}
