// What do several shards in one process cost? Four operators trade, first in one shard and then in
// a shard each, in alternating rounds.

import { median } from '../support/percentiles.ts'
import { type LoadFigures, runLoads } from './load-round.ts'
import type { ClusterOptions, Log, Measurement } from './measurement.ts'
import { clientOf, Servers } from './nodes.ts'

const shardCount = 4
const connections = 64

type Side = { readonly round: (seed: number) => Promise<LoadFigures> }

export async function measureShards(options: ClusterOptions, log: Log): Promise<Measurement> {
  const servers = new Servers()
  try {
    log('Cluster, shards ...')
    const one = await startSide(servers, 1, options)
    const several = await startSide(servers, shardCount, options)
    const inOne: LoadFigures[] = []
    const inSeveral: LoadFigures[] = []
    for (let seed = 0; seed <= options.rounds; seed += 1) {
      inOne.push(await one.round(seed))
      inSeveral.push(await several.round(seed))
    }
    // The first round warms both services up.
    return measurementOf(inOne.slice(1), inSeveral.slice(1))
  } finally {
    await servers.stop()
  }
}

async function startSide(servers: Servers, shards: number, options: ClusterOptions): Promise<Side> {
  const env = { DATABASE_URL: await servers.newDatabase(), SHARDS: `${shards}` }
  const service = await servers.start(env)
  const operators = Array.from({ length: shardCount }, (_, at) => clientOf(service, at % shards))
  const clients = await Promise.all(operators)
  return {
    round: async (seed) => {
      const targets = await Promise.all(clients.map((client) => client.openMarket()))
      return runLoads(targets, [service.pid], { ...options, connections, seed })
    },
  }
}

function measurementOf(
  inOne: readonly LoadFigures[],
  inSeveral: readonly LoadFigures[],
): Measurement {
  const ratios = inSeveral.map(
    ({ cpu }, at) => cpu[0]!.processMicros / inOne[at]!.cpu[0]!.processMicros,
  )
  return {
    name: 'shards',
    title: 'Several shards in one process',
    about: [
      `${shardCount} operators trade over ${connections} connections, in one service on PostgreSQL`,
      `with one shard, and in another one with a shard for each. CPU time is in us per order.`,
    ],
    columns: ['shards', 'orders/s', 'main thread', 'process'],
    rows: [rowOf('1', inOne), rowOf(`${shardCount}`, inSeveral)],
    ratios: [
      {
        what: `CPU time per order of ${shardCount} shards in one process, against one shard`,
        value: median(ratios),
        goal: { atMost: 1.15 },
      },
    ],
  }
}

function rowOf(name: string, rounds: readonly LoadFigures[]): string[] {
  const middle = (of: (round: LoadFigures) => number) => median(rounds.map(of))
  return [
    name,
    middle(({ perSecond }) => perSecond).toFixed(0),
    middle(({ cpu }) => cpu[0]!.mainThreadMicros).toFixed(1),
    middle(({ cpu }) => cpu[0]!.processMicros).toFixed(1),
  ]
}
