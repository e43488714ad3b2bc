// Restarts or crashes the PostgreSQL server under load.

import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../support/process/random.ts'
import type { DatabaseServer } from '../../support/store/postgres-databases.ts'
import type { FaultRun } from './fault-run.ts'

const answersMax = 100
const answersWaitMs = 30_000
const momentMsMax = 20

export type RestartOptions = {
  readonly server: DatabaseServer
  readonly how: 'fast' | 'immediate'
  readonly random: Random
}

/** Returns how long after the server's return every shard accepted an order again, in ms. */
export async function restartDatabase(run: FaultRun, options: RestartOptions): Promise<number> {
  const { cluster, loads } = run
  const { how, random, server } = options
  await random.pick(loads).clients.answers(random.between(1, answersMax), answersWaitMs)
  await delay(random.between(0, momentMsMax))
  await server.restart(how)
  const startedAt = performance.now()
  // Each node must serve each shard again.
  const probes = cluster.live.all.flatMap((node) => loads.map((load) => load.probe(node)))
  await Promise.all(probes)
  return performance.now() - startedAt
}
