// Runs one round of a load against a server under test, in a new process, and returns its result.

import { fork } from 'node:child_process'
import { residentMiB } from '../../test/support/process/resident-memory.ts'
import type { LoadAnswer, LoadJob, LoadResult } from '../http/closed-loop-load.ts'
import type {
  OpenLoopLoadAnswer,
  OpenLoopLoadJob,
  OpenLoopLoadResult,
} from '../http/open-loop-load.ts'
import type { ServerUnderTest } from '../http/servers-under-test.ts'
import { type CpuByThread, cpuByThread, cpuPerOrder, threadTimesOf } from './cpu-time.ts'

export type RoundOptions = {
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
  readonly hasTransactionIds: boolean
  readonly seed: number
  readonly batch?: number
  readonly readsOrders?: boolean
}

export type Round = LoadResult & {
  /** null if the server keeps no trades. */
  readonly tradesPerOrder: number | null
  /** CPU time of the server's process, in microseconds per order. */
  readonly serverMicros: number | null
  /** The same by thread. */
  readonly cpu: CpuByThread | null
  /** Of the server's process, after the round. */
  readonly memoryMiB: number | null
}

/** The load repeats this many different orders. */
export const orderCount = 20_000

/** `onStart` is called when the warm-up begins. */
export async function runRound(
  server: ServerUnderTest,
  options: RoundOptions,
  onStart?: () => void,
): Promise<Round> {
  const target = await server.prepare()
  const beforeMs = server.cpuMs()
  const before = threadTimesOf(server.pid)
  const { batch = 1 } = options
  const result = await runLoad({ ...options, target, count: orderCount / batch }, onStart)
  const after = threadTimesOf(server.pid)
  const afterMs = server.cpuMs()
  const trades = await server.trades(target)
  const orders = result.sent * batch
  const spentMs = beforeMs === null || afterMs === null ? null : afterMs - beforeMs
  const isKnown = before !== null && after !== null
  return {
    ...result,
    tradesPerOrder: trades === null ? null : trades / orders,
    serverMicros: spentMs === null ? null : (spentMs * 1000) / orders,
    memoryMiB: residentMiB(server.pid),
    cpu: isKnown ? cpuPerOrder(cpuByThread(server.pid, { before, after }), orders) : null,
  }
}

export function runLoad(job: LoadJob, onStart?: () => void): Promise<LoadResult> {
  return runJob('http/closed-loop-load.ts', job, onStart)
}

/** Sends requests at a fixed rate; see open-loop-load.ts. */
export async function runOpenRound(
  server: ServerUnderTest,
  options: Omit<OpenLoopLoadJob, 'target' | 'count'>,
): Promise<OpenLoopLoadResult> {
  const target = await server.prepare()
  return runJob('http/open-loop-load.ts', { ...options, target, count: orderCount })
}

/** Runs a load script in a process of its own. */
function runJob<Result extends LoadResult | OpenLoopLoadResult>(
  script: string,
  job: LoadJob | OpenLoopLoadJob,
  onStart?: () => void,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const child = fork(`${import.meta.dirname}/../${script}`)
  child.on('message', (answer: LoadAnswer | OpenLoopLoadAnswer) => {
    if ('isStarted' in answer) onStart?.()
    // The script answers with the result of its own load.
    else if ('result' in answer) resolve(answer.result as Result)
    else reject(new Error(answer.fault))
  })
  child.once('error', reject)
  child.once('exit', () => reject(new Error('The load process exited without a result.')))
  child.send(job)
  return promise
}
