// Outcry with the commit left out: from a SIGUSR2 on, a turn counts as stored the moment it is
// handed in. What is left is the price of everything but durability.

import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/main.ts'
import type { Store } from '../../src/store/store.ts'

let isLeftOut = false
const running = await startService(readConfig(process.env), { wrapStore: withoutCommit })
console.log(`Outcry without its commit: http://127.0.0.1:${running.port}`)
process.once('SIGTERM', () => running.stop())
process.once('SIGUSR2', () => {
  isLeftOut = true
})

function withoutCommit(store: Store): Store {
  const { shard, reads, registry, webhookCursors } = store
  return {
    shard: {
      claim: () => shard.claim(),
      load: () => shard.load(),
      commit: async (turn) => (isLeftOut ? undefined : shard.commit(turn)),
      probe: () => shard.probe(),
      prune: (request) => shard.prune(request),
    },
    reads,
    registry,
    webhookCursors,
    close: () => store.close(),
  }
}
