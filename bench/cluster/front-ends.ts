// What do front-end processes leave for the engine? Orders are sent to one process, and to one
// with front ends, both on SQLite, in alternating rounds.

import { childrenOf } from '../support/cpu-time.ts'
import { median } from '../support/percentiles.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { type LoadFigures, runLoads } from './load-round.ts'
import { CannotMeasure, type ClusterOptions, type Log, type Measurement } from './measurement.ts'
import { clientOf, Servers } from './nodes.ts'

const frontEnds = 2
const connections = 64

export async function measureFrontEnds(options: ClusterOptions, log: Log): Promise<Measurement> {
  const servers = new Servers()
  try {
    const alone = await servers.start({})
    const behind = await servers.start({ FRONT_ENDS: `${frontEnds}` })
    if (childrenOf(behind.pid).length < frontEnds) {
      throw new CannotMeasure(`FRONT_ENDS=${frontEnds} starts no processes.`)
    }
    log('Cluster, front ends ...')
    const sides = [await sideOf(alone, options), await sideOf(behind, options)] as const
    const rounds: { readonly alone: LoadFigures; readonly behind: LoadFigures }[] = []
    for (let seed = 0; seed <= options.rounds; seed += 1) {
      rounds.push({ alone: await sides[0](seed), behind: await sides[1](seed) })
    }
    // The first round warms both services up.
    return measurementOf(rounds.slice(1))
  } finally {
    await servers.stop()
  }
}

async function sideOf(service: ServerProcess, options: ClusterOptions) {
  const client = await clientOf(service)
  return async (seed: number) => {
    const target = await client.openMarket()
    return runLoads([target], [service.pid], { ...options, connections, seed })
  }
}

type Rounds = readonly { readonly alone: LoadFigures; readonly behind: LoadFigures }[]

const parts = [
  { of: 'mainThreadMicros', name: 'main thread of the engine', atMost: 0.4 },
  { of: 'processMicros', name: 'process of the engine', atMost: 0.65 },
  { of: 'familyMicros', name: 'all processes', atMost: 1.35 },
] as const

// Orders per second need more cores than two, which the load shares: they are not compared.
function measurementOf(rounds: Rounds): Measurement {
  return {
    name: 'front-ends',
    title: 'An engine behind front ends',
    about: [
      `Orders over ${connections} connections to one process on SQLite, and to one with`,
      `FRONT_ENDS=${frontEnds}. CPU time is in us per order.`,
    ],
    columns: ['service', ...parts.map(({ name }) => name)],
    rows: [
      rowOf(
        'one process',
        rounds.map(({ alone }) => alone),
      ),
      rowOf(
        `FRONT_ENDS=${frontEnds}`,
        rounds.map(({ behind }) => behind),
      ),
    ],
    ratios: parts.map(({ of, name, atMost }) => ({
      what: `CPU time per order behind front ends, against one process: ${name}`,
      value: median(rounds.map(({ alone, behind }) => behind.cpu[0]![of] / alone.cpu[0]![of])),
      goal: { atMost },
    })),
  }
}

function rowOf(name: string, rounds: readonly LoadFigures[]): string[] {
  return [name, ...parts.map(({ of }) => median(rounds.map(({ cpu }) => cpu[0]![of])).toFixed(1))]
}
