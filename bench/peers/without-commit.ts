// Outcry with the commit left out: a turn counts as stored the moment it is handed in. What is left is
// the price of everything but durability. Records are not there to be read.

import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/main.ts'
import type { Store } from '../../src/store/store.ts'

const running = await startService(readConfig(process.env), { wrapStore: withoutCommit })
console.log(`Outcry without its commit: http://127.0.0.1:${running.port}`)
process.once('SIGTERM', () => running.stop())

function withoutCommit(store: Store): Store {
  const { shard, reads, registry } = store
  return {
    shard: {
      take: () => shard.take(),
      load: () => shard.load(),
      commit: async () => {},
      probe: () => shard.probe(),
      prune: (ask) => shard.prune(ask),
    },
    reads,
    registry,
    close: () => store.close(),
  }
}
