// Distributes seeds over as many worker threads as there are cores.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Report } from './seed-worker.ts'
import type { Run } from './simulate.ts'

/** The reports, in the order of the runs. */
export async function runInWorkers(runs: readonly Run[]): Promise<Report[]> {
  const left = [...runs.entries()]
  const reports: Report[] = []
  const workers = Math.min(availableParallelism(), runs.length)
  await Promise.all(Array.from({ length: workers }, () => work(left, reports)))
  return reports
}

async function work(left: [number, Run][], reports: Report[]): Promise<void> {
  const worker = new Worker(new URL('./seed-worker.ts', import.meta.url))
  try {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, run] = next
      reports[at] = await runSeed(worker, run)
    }
  } finally {
    await worker.terminate()
  }
}

function runSeed(worker: Worker, run: Run): Promise<Report> {
  const { promise, resolve, reject } = Promise.withResolvers<Report>()
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.postMessage(run)
  return promise.finally(() => worker.off('message', resolve).off('error', reject))
}
