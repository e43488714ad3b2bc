// One round of orders over HTTP, with the CPU time of the processes that execute them.

import type { LoadTarget } from '../http/load-target.ts'
import { type CpuTime, cpuTimeOf } from '../support/cpu-time.ts'
import { median } from '../support/percentiles.ts'
import { orderCount, runLoad } from '../support/run-load.ts'
import { CannotMeasure, type ClusterOptions } from './measurement.ts'

export type LoadOptions = Omit<ClusterOptions, 'rounds'> & {
  /** Of all targets together. */
  readonly connections: number
  readonly seed: number
}

export type LoadFigures = {
  /** Orders per second. */
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  /** Per order, of each process. */
  readonly cpu: readonly CpuTime[]
}

/** The targets get equal parts of the connections. */
export async function runLoads(
  targets: readonly LoadTarget[],
  pids: readonly number[],
  { connections, ...options }: LoadOptions,
): Promise<LoadFigures> {
  const before = pids.map(timeOf)
  const results = await Promise.all(
    targets.map((target) =>
      runLoad({
        ...options,
        target,
        connections: connections / targets.length,
        count: orderCount / targets.length,
        hasTransactionIds: false,
      }),
    ),
  )
  const after = pids.map(timeOf)
  const sent = results.reduce((all, one) => all + one.sent, 0)
  return {
    perSecond: results.reduce((all, { perSecond }) => all + perSecond, 0),
    p50: median(results.map(({ p50 }) => p50)),
    cpu: after.map((time, at) => perUnit(before[at]!, time, sent)),
  }
}

/** The time between two readings for each of `count` orders or updates. */
export function perUnit(before: CpuTime, after: CpuTime, count: number): CpuTime {
  const spent = (name: keyof CpuTime) => (after[name] - before[name]) / count
  return {
    mainThreadMicros: spent('mainThreadMicros'),
    processMicros: spent('processMicros'),
    familyMicros: spent('familyMicros'),
  }
}

export function timeOf(pid: number): CpuTime {
  const time = cpuTimeOf(pid)
  if (time === null) throw new CannotMeasure('The system does not report CPU times by thread.')
  return time
}
