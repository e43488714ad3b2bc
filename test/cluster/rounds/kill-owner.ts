// Kills the owner of shards under load.

import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../support/process/random.ts'
import { type FaultRun, loadsOf } from './fault-run.ts'

const answersMax = 100
const answersWaitMs = 30_000
const momentMsMax = 20

/** Returns how long it took until the other nodes accepted orders of all of its shards, in ms. */
export async function killOwner(run: FaultRun, random: Random): Promise<number> {
  const { cluster, loads } = run
  const load = random.pick(loads)
  await load.clients.answers(random.between(1, answersMax), answersWaitMs)
  await delay(random.between(0, momentMsMax))
  const owner = await cluster.ownerOf(load.shard)
  const orphans = await loadsOf(run, owner)
  cluster.live.remove(owner)
  const startedAt = performance.now()
  await owner.kill()
  await Promise.all(orphans.map((orphan) => orphan.probe(cluster.live)))
  const tookMs = performance.now() - startedAt
  await cluster.startAgain(owner)
  await cluster.untilOwned()
  return tookMs
}
