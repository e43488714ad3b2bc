// Loads transactionIds while the shard runs already. Until all are loaded, every transactionId is
// looked up in the store.

import { setTimeout } from 'node:timers/promises'
import type { Log } from '../../ops/log.ts'
import type { LaterKeys } from '../../store/store.ts'
import type { Shard } from '../shard.ts'

const retryMs = 1_000

/** Ends early if the memory is loaded again, which begins anew. */
export async function loadLaterKeys(
  shard: Shard,
  laterKeys: LaterKeys | null,
  log: Pick<Log, 'error'>,
): Promise<void> {
  const { generation } = shard
  while (laterKeys !== null && shard.generation === generation) {
    try {
      for await (const keys of laterKeys()) {
        if (shard.generation !== generation) return
        shard.addLoadedKeys(keys)
      }
      if (shard.generation === generation) shard.usedKeys.isComplete = true
      return
    } catch (error) {
      log.error('transactionIds cannot be loaded', { error: String(error) })
      await setTimeout(retryMs, undefined, { ref: false })
    }
  }
}
