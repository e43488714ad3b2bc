// Defects that are planted on purpose: each must make a fault test fail, otherwise that test proves
// nothing. They wrap the store, so that the product needs no switch for them.

import { setTimeout as delay } from 'node:timers/promises'
import type { LoadedShard, ShardStore, Store, Turn } from '../../../src/store/store.ts'
import { withShards } from '../../support/store/only-shard.ts'

export type Defect =
  | 'none'
  | 'answers before the commit'
  | 'ignores errors of the store'
  | 'forgets transactionIds'
  | 'never notices free disk space'
  | 'forgets interrupted jobs'
  | 'follows clock jumps'
  | 'relies on no lease'
  | ThreadDefect

/** Of the embedded store, planted into its threads by thread-defects.ts. */
export const threadDefects = [
  'moves the head without the rows',
  'deletes turns that the tables do not have',
  'reads without waiting for the tables',
  'starts without the turns of the last process',
] as const
export type ThreadDefect = (typeof threadDefects)[number]

export function isInThreads(defect: Defect): defect is ThreadDefect {
  return threadDefects.some((one) => one === defect)
}

/** Longer than a stop takes, so that answered orders are lost with the process. */
const commitDelayMs = 400

export function withDefect(defect: Defect): (store: Store) => Store {
  return (store) => withShards(store, (shard) => ({ ...shard, ...defective(defect, shard) }))
}

function defective(defect: Defect, shard: ShardStore): Partial<ShardStore> {
  switch (defect) {
    case 'answers before the commit':
      return {
        commit: async (turn) =>
          void ignoreErrors(delay(commitDelayMs).then(() => shard.commit(turn))),
      }
    case 'ignores errors of the store':
      return { commit: (turn) => ignoreErrors(shard.commit(turn)) }
    case 'forgets transactionIds':
      return {
        load: async () => ({ ...(await shard.load()), keys: [], laterKeys: null }),
        reads: { ...shard.reads, byTransactionId: async () => null },
      }
    case 'relies on no lease':
      return { ownedUntil: () => Infinity }
    case 'never notices free disk space':
      return { probe: async () => false }
    case 'forgets interrupted jobs':
      return { load: async () => withoutJobs(await shard.load()) }
    default:
      return {}
  }
}

/**
 * Kills the process at the given commit: for a whole number after the commit and before the
 * answers, for a number such as 1.5 as soon as the second turn was handed to the store.
 */
export function killedAtCommit(commits: number): (store: Store) => Store {
  let left = Math.ceil(commits)
  const isEarly = !Number.isInteger(commits)
  const commitOf = (shard: ShardStore) => async (turn: Turn) => {
    left -= 1
    const isLast = left === 0
    const stored = shard.commit(turn)
    if (isLast && isEarly) process.kill(process.pid, 'SIGKILL')
    await stored
    if (isLast) process.kill(process.pid, 'SIGKILL')
  }
  return (store) => withShards(store, (shard) => ({ ...shard, commit: commitOf(shard) }))
}

/** Makes the steady clock jump with the wall clock. */
export function followClockJumps(): void {
  const startedAt = Date.now()
  performance.now = () => Date.now() - startedAt
}

async function ignoreErrors(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch {
    // As if the turn was stored.
  }
}

function withoutJobs(loaded: LoadedShard): LoadedShard {
  const markets = Array.from(loaded.records.markets, (market) => ({ ...market, job: null }))
  return { ...loaded, records: { ...loaded.records, markets } }
}
