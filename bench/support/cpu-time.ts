// CPU time of processes by thread, as Linux reports it in nanoseconds.

import { readdirSync, readFileSync } from 'node:fs'

/** Microseconds: so far, or for each of several orders. */
export type CpuTime = {
  readonly mainThreadMicros: number
  /** All threads. */
  readonly processMicros: number
  /** The process and its children, without their children. */
  readonly familyMicros: number
}

/** null if the system does not report it. */
export function cpuTimeOf(pid: number): CpuTime | null {
  const own = threadTimes(pid)
  if (own === null) return null
  const children = childrenOf(pid).map((child) => sum(threadTimes(child) ?? new Map()))
  const processMicros = sum(own)
  const familyMicros = children.reduce((all, one) => all + one, processMicros)
  return { mainThreadMicros: own.get(pid) ?? 0, processMicros, familyMicros }
}

export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    )
  } catch {
    return []
  }
}

/** By the id of the thread; that of the main thread is the id of the process. */
function threadTimes(pid: number): Map<number, number> | null {
  try {
    const times = new Map<number, number>()
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
      times.set(Number(thread), Number(text.split(' ')[0]) / 1_000)
    }
    return times
  } catch {
    return null
  }
}

function sum(times: ReadonlyMap<number, number>): number {
  return [...times.values()].reduce((all, one) => all + one, 0)
}
