// The thread that commits turns.

import { workerData } from 'node:worker_threads'
import { serve } from '../thread.ts'
import { type Commit, Committer } from './committer.ts'
import type { DerivedHead } from './deriver.ts'
import { DiskReserve } from './disk-reserve.ts'
import { meaningOf } from './failures.ts'

const { folder }: { folder: string } = workerData
const reserve = new DiskReserve(folder)
const committer = new Committer(folder, () => reserve.isReleased)

const calls = {
  follow: (head: DerivedHead) => committer.follow(head),
  commit: (commit: Commit) => committer.commit(commit),
  probe: (_: null) => committer.probe(),
  close: (_: null) => committer.close(),
}
export type CommitCalls = typeof calls

serve(calls, meaningOf)
