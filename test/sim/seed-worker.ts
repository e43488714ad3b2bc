// A worker thread that simulates the seeds it receives, one after the other.

import { parentPort } from 'node:worker_threads'
import { type Run, simulate } from './simulate.ts'

/** The hash of the final state, or null and the difference that was found. */
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
