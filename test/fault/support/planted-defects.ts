// Ways to break the service on purpose: each must make a fault test fail, or that test shows
// nothing. They stand between the service and its store, so the product needs no switch for them.

import { setTimeout as delay } from 'node:timers/promises'
import type { LoadedShard, Store } from '../../../src/store/store.ts'

export type Break =
  | 'nothing'
  | 'answers before it stores'
  | 'swallows errors of the store'
  | 'forgets transactionIds'
  | 'never finds room again'
  | 'forgets half-done work'
  | 'follows the clock'

/** Longer than a stop takes: what was answered meanwhile is lost with the process. */
const lateMs = 400

export function breakStore(broken: Break): (store: Store) => Store {
  return (store) => {
    const { shard, reads } = store
    switch (broken) {
      case 'answers before it stores':
        return {
          ...store,
          shard: {
            ...shard,
            commit: async (turn) => void swallow(delay(lateMs).then(() => shard.commit(turn))),
          },
        }
      case 'swallows errors of the store':
        return { ...store, shard: { ...shard, commit: (turn) => swallow(shard.commit(turn)) } }
      case 'forgets transactionIds':
        return {
          ...store,
          shard: { ...shard, load: async () => ({ ...(await shard.load()), keys: [] }) },
          reads: { ...reads, byTransactionId: async () => null },
        }
      case 'never finds room again':
        return { ...store, shard: { ...shard, probe: async () => false } }
      case 'forgets half-done work':
        return { ...store, shard: { ...shard, load: async () => withoutRuns(await shard.load()) } }
      default:
        return store
    }
  }
}

/** Kills its own process at that commit: a whole number when it is stored and before anybody hears
 * of it, and with a half when it has just been handed over. */
export function dyingStore(commits: number): (store: Store) => Store {
  let left = Math.ceil(commits)
  const isEarly = !Number.isInteger(commits)
  return (store) => ({
    ...store,
    shard: {
      ...store.shard,
      commit: async (turn) => {
        left -= 1
        const isLast = left === 0
        const stored = store.shard.commit(turn)
        if (isLast && isEarly) process.kill(process.pid, 'SIGKILL')
        await stored
        if (isLast) process.kill(process.pid, 'SIGKILL')
      },
    },
  })
}

/** Makes the steady clock jump with the other. */
export function breakClock(): void {
  const startedAt = Date.now()
  performance.now = () => Date.now() - startedAt
}

async function swallow(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch {
    // As if it had been stored.
  }
}

function withoutRuns(loaded: LoadedShard): LoadedShard {
  const markets = Array.from(loaded.records.markets, (market) => ({ ...market, run: null }))
  return { ...loaded, records: { ...loaded.records, markets } }
}
