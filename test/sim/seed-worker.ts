// A worker that simulates the seeds it is handed, one after the other, and reports each.

import { parentPort } from 'node:worker_threads'
import { type Run, simulate } from './simulate.ts'

/** The state hash at the end, or what went wrong. */
export type Report = { readonly seed: number; readonly hash: string | null; readonly fault: string }

parentPort?.on('message', (run: Run) => {
  parentPort?.postMessage(reportOf(run))
})

function reportOf(run: Run): Report {
  try {
    return { seed: run.seed, hash: simulate(run).hash, fault: '' }
  } catch (error) {
    return { seed: run.seed, hash: null, fault: String(error) }
  }
}
