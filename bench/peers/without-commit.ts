// Outcry without commits: after a SIGUSR2, a turn counts as stored at once. This measures the cost
// of everything except durability.

import { readConfig } from '../../src/config.ts'
import type { ShardStore, Store } from '../../src/store/store.ts'
import { startService } from '../../src/wiring/start.ts'

let areCommitsSkipped = false
const running = await startService(readConfig(process.env), { wrapStore: withoutCommit })
console.log(`Outcry without commits: http://127.0.0.1:${running.port}`)
process.once('SIGTERM', () => running.stop())
process.once('SIGUSR2', () => {
  areCommitsSkipped = true
})

function withoutCommit(store: Store): Store {
  const skipping = (shard: ShardStore): ShardStore => ({
    ...shard,
    commit: async (turn) => (areCommitsSkipped ? undefined : shard.commit(turn)),
  })
  return { ...store, shards: store.shards.map(skipping) }
}
