// Runs one round of a load against a server under test, in a new process, and returns its result.

import { fork } from 'node:child_process'
import type { LoadJob, LoadResult } from '../http/closed-loop-load.ts'
import type { OpenLoopLoadJob, OpenLoopLoadResult } from '../http/open-loop-load.ts'
import type { ServerUnderTest } from '../http/servers-under-test.ts'

export type RoundOptions = {
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
  readonly hasTransactionIds: boolean
  readonly seed: number
  readonly batch?: number
}

export type Round = LoadResult & {
  /** null if the server keeps no trades. */
  readonly tradesPerOrder: number | null
  /** CPU time of the server's process, in microseconds per order. */
  readonly serverMicros: number | null
}

/** The load repeats this many different orders. */
export const orderCount = 20_000

export async function runRound(server: ServerUnderTest, options: RoundOptions): Promise<Round> {
  const target = await server.prepare()
  const before = server.cpuMs()
  const { batch = 1 } = options
  const result = await runLoad({ ...options, target, count: orderCount / batch })
  const after = server.cpuMs()
  const trades = await server.trades(target)
  const spentMs = before === null || after === null ? null : after - before
  return {
    ...result,
    tradesPerOrder: trades === null ? null : trades / (result.sent * batch),
    serverMicros: spentMs === null ? null : (spentMs * 1000) / (result.sent * batch),
  }
}

export function runLoad(job: LoadJob): Promise<LoadResult> {
  return runJob('http/closed-loop-load.ts', job)
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
function runJob<Result>(script: string, job: LoadJob | OpenLoopLoadJob): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const child = fork(`${import.meta.dirname}/../${script}`)
  child.once('message', (answer: { result: Result } | { fault: string }) => {
    if ('result' in answer) resolve(answer.result)
    else reject(new Error(answer.fault))
  })
  child.once('error', reject)
  child.once('exit', () => reject(new Error('The load process exited without a result.')))
  child.send(job)
  return promise
}
