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

export type ThreadTime = {
  /** That of the main thread is the id of the process. */
  readonly id: number
  readonly name: string
  /** So far. */
  readonly micros: number
}

/** Microseconds of the threads of a service. */
export type CpuByThread = {
  readonly main: number
  /** The threads that commit turns and write the tables. */
  readonly writer: number
  readonly readers: number
  /** The garbage collector, the compiler and the pool of libuv. */
  readonly rest: number
  readonly all: number
}

/** null if the system does not report it. */
export function cpuTimeOf(pid: number): CpuTime | null {
  const own = threadTimesOf(pid)
  if (own === null) return null
  const children = childrenOf(pid).map((child) => sum(threadTimesOf(child) ?? []))
  const processMicros = sum(own)
  const familyMicros = children.reduce((all, one) => all + one, processMicros)
  const mainThreadMicros = own.find(({ id }) => id === pid)?.micros ?? 0
  return { mainThreadMicros, processMicros, familyMicros }
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

/** null if the system does not report it. */
export function threadTimesOf(pid: number): ThreadTime[] | null {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const folder = `/proc/${pid}/task/${thread}`
      const nanos = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0])
      const name = readFileSync(`${folder}/comm`, 'utf8').trim()
      return { id: Number(thread), name, micros: nanos / 1_000 }
    })
  } catch {
    return null
  }
}

/** Node's name for a thread that was started without one. */
const unnamed = 'WorkerThread'

/**
 * What the threads of a process have used between two readings. In a version whose threads have no
 * names, the busiest of them counts as the writer, and the others as readers.
 */
export function cpuByThread(
  pid: number,
  { before, after }: { before: readonly ThreadTime[]; after: readonly ThreadTime[] },
): CpuByThread {
  const earlier = new Map(before.map(({ id, micros }) => [id, micros]))
  const spent = after.map((thread) => ({
    ...thread,
    micros: thread.micros - (earlier.get(thread.id) ?? 0),
  }))
  const named = (wanted: string) => sum(spent.filter(({ name }) => name === wanted))
  const busiest = spent
    .filter(({ name }) => name === unnamed)
    .reduce((most, { micros }) => Math.max(most, micros), 0)
  const hasNames = spent.some(({ name }) => name === 'writer')
  const main = spent.find(({ id }) => id === pid)?.micros ?? 0
  const writer = hasNames ? named('writer') + named('committer') : busiest
  const readers = hasNames ? named('reader') : named(unnamed) - busiest
  const all = sum(spent)
  return { main, writer, readers, rest: all - main - writer - readers, all }
}

/** For each of `count` orders. */
export function cpuPerOrder(cpu: CpuByThread, count: number): CpuByThread {
  return {
    main: cpu.main / count,
    writer: cpu.writer / count,
    readers: cpu.readers / count,
    rest: cpu.rest / count,
    all: cpu.all / count,
  }
}

function sum(threads: readonly ThreadTime[]): number {
  return threads.reduce((all, { micros }) => all + micros, 0)
}
