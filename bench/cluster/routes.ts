// What does it cost a client that its node does not own the shard? Orders are sent to the owner,
// and to a node that passes them on, in alternating rounds.

import { availableParallelism } from 'node:os'
import { median } from '../support/percentiles.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { type LoadFigures, runLoads } from './load-round.ts'
import type { ClusterOptions, Log, Measurement, Ratio } from './measurement.ts'
import { clientOf, Servers } from './nodes.ts'

const manyConnections = 64
const cores = availableParallelism()
/** For two nodes, the load and the database. */
const showsRates = cores >= 4

type Pair = { readonly atOwner: LoadFigures; readonly atFront: LoadFigures }

export async function measureRoutes(options: ClusterOptions, log: Log): Promise<Measurement> {
  const servers = new Servers()
  try {
    const { owner, front } = await servers.startPair()
    const client = await clientOf(owner)
    const round = async ({ port }: ServerProcess, connections: number, seed: number) => {
      const target = { ...(await client.openMarket()), port }
      return runLoads([target], [owner.pid, front.pid], { ...options, connections, seed })
    }
    const pairsWith = async (connections: number): Promise<Pair[]> => {
      log(`Cluster, routes, ${connections} connections ...`)
      const pairs: Pair[] = []
      // The first round warms both nodes up.
      for (let seed = 0; seed <= options.rounds; seed += 1) {
        const atOwner = await round(owner, connections, seed)
        pairs.push({ atOwner, atFront: await round(front, connections, seed) })
      }
      return pairs.slice(1)
    }
    return measurementOf(await pairsWith(manyConnections), await pairsWith(1))
  } finally {
    await servers.stop()
  }
}

function measurementOf(many: readonly Pair[], one: readonly Pair[]): Measurement {
  const laterMs = median(one.map(({ atOwner, atFront }) => atFront.p50 - atOwner.p50))
  return {
    name: 'routes',
    title: 'Orders at a node that does not own the shard',
    about: [
      'Two nodes on one PostgreSQL server; the owner of the shard, and a node without shards, to',
      'which the same orders are sent in alternating rounds. CPU time is in us per order.',
      ...(showsRates ? [] : [`${cores} cores cannot show the rates of two busy nodes.`]),
    ],
    columns: ['sent to', 'connections', 'orders/s', 'p50, ms', ...cpuColumns],
    rows: [
      rowOf(
        'owner',
        manyConnections,
        many.map(({ atOwner }) => atOwner),
      ),
      rowOf(
        'other node',
        manyConnections,
        many.map(({ atFront }) => atFront),
      ),
      rowOf(
        'owner',
        1,
        one.map(({ atOwner }) => atOwner),
      ),
      rowOf(
        'other node',
        1,
        one.map(({ atFront }) => atFront),
      ),
    ],
    ratios: [
      rateRatio(many),
      {
        what: 'p50 at the other node less that at the owner, one connection',
        value: laterMs,
        goal: { atMost: 0.5 },
        unit: 'ms',
      },
    ],
  }
}

// With too few cores for both nodes, the load and the database, the busiest thread shows how many
// orders per second there would be with enough.
function rateRatio(many: readonly Pair[]): Ratio {
  const busiest = ({ cpu }: LoadFigures) => Math.max(...cpu.map((each) => each.mainThreadMicros))
  const ratioOf = ({ atOwner, atFront }: Pair) =>
    showsRates ? atFront.perSecond / atOwner.perSecond : busiest(atOwner) / busiest(atFront)
  const measured = showsRates ? 'orders/s' : 'orders per second of the busiest thread'
  return {
    what: `${measured} at the other node, against the owner, ${manyConnections} connections`,
    value: median(many.map(ratioOf)),
    goal: { atLeast: 0.8 },
  }
}

const cpuColumns = [
  ...['owner, main thread', 'owner, process'],
  ...['other node, main thread', 'other node, process'],
]

function rowOf(name: string, connections: number, rounds: readonly LoadFigures[]): string[] {
  const middle = (of: (round: LoadFigures) => number) => median(rounds.map(of))
  const cpu = [0, 1].flatMap((at) => [
    middle((round) => round.cpu[at]!.mainThreadMicros),
    middle((round) => round.cpu[at]!.processMicros),
  ])
  const isShown = showsRates || connections === 1
  return [
    name,
    `${connections}`,
    isShown ? middle(({ perSecond }) => perSecond).toFixed(0) : '',
    isShown ? middle(({ p50 }) => p50).toFixed(2) : '',
    ...cpu.map((micros) => micros.toFixed(1)),
  ]
}
