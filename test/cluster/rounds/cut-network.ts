// Cuts the connections of the owner of a shard under load: to PostgreSQL, or of other nodes to it.
// After they are healed, every node must serve every shard again.

import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../../support/process/outcry-process.ts'
import type { Random } from '../../support/process/random.ts'
import { idOf, leaseMs } from '../support/cluster.ts'
import type { Cut } from '../support/cut-proxy.ts'
import { type FaultRun, loadsOf } from './fault-run.ts'

export const cuts = [
  'owner from database',
  'router from owner',
  'routers from owner',
  'flapping',
] as const
export type CutName = (typeof cuts)[number]

/** Of each shard before a cut, so that every node has sent commands to every owner. */
const answersBefore = 30
const answersWaitMs = 30_000
const flaps = 4
/** A held command waits so long for its owner. */
const holdMs = 2_000

export type CutOptions = {
  readonly random: Random
  readonly name: CutName
  /** How the connections are cut; flapping changes between both. */
  readonly how: Cut
}

export type CutResult = {
  /** Until the other nodes accepted orders of the shards of the node that was cut, in ms. */
  readonly tookMs: number
  /** Until every node served every shard after the cut was healed, in ms. */
  readonly backMs: number
}

export async function cutNetwork(run: FaultRun, options: CutOptions): Promise<CutResult> {
  const { cluster, loads } = run
  const { name, random } = options
  await Promise.all(loads.map(({ clients }) => clients.answers(answersBefore, answersWaitMs)))
  const load = random.pick(loads)
  const owner = await cluster.ownerOf(load.shard)
  const tookMs = await faults[name](run, owner, options)
  const healedAt = performance.now()
  for (const node of cluster.nodes) cluster.networkOf(node).heal()
  const probes = cluster.nodes.flatMap((node) => loads.map((each) => each.probe(node)))
  await Promise.all(probes)
  return { tookMs, backMs: performance.now() - healedAt }
}

type Fault = (run: FaultRun, owner: Service, options: CutOptions) => Promise<number>

const faults: Readonly<Record<CutName, Fault>> = {
  'owner from database': async (run, owner, { how }) => {
    const { cluster } = run
    const orphans = await loadsOf(run, owner)
    const startedAt = performance.now()
    cluster.networkOf(owner).database.cut(how)
    cluster.live.remove(owner)
    await Promise.all(orphans.map((orphan) => orphan.probe(cluster.live)))
    const tookMs = performance.now() - startedAt
    // The node that was cut gets requests again while it is still cut off.
    cluster.live.add(owner)
    await delay(leaseMs)
    return tookMs
  },
  'router from owner': async (run, owner, { how, random }) => {
    const { cluster } = run
    const others = cluster.nodes.filter((node) => node !== owner)
    const router = random.pick(others)
    const startedAt = performance.now()
    cluster.networkOf(owner).links.cut(how, idOf(router))
    const reached = cluster.nodes.filter((node) => node !== router)
    const orphans = await loadsOf(run, owner)
    await Promise.all(reached.flatMap((node) => orphans.map((orphan) => orphan.probe(node))))
    const tookMs = performance.now() - startedAt
    await delay(holdMs)
    return tookMs
  },
  // The owner hands its shards over to a node that the others reach.
  'routers from owner': async (run, owner, { how }) => {
    const { cluster } = run
    const orphans = await loadsOf(run, owner)
    const routers = cluster.nodes.filter((node) => node !== owner)
    const startedAt = performance.now()
    cluster.networkOf(owner).links.cut(how)
    await delay(holdMs)
    await Promise.all(routers.flatMap((node) => orphans.map((orphan) => orphan.probe(node))))
    return performance.now() - startedAt
  },
  flapping: async ({ cluster }, owner, { random }) => {
    const { database, links } = cluster.networkOf(owner)
    for (let flap = 0; flap < flaps; flap += 1) {
      const proxy = random.pick([database, links])
      proxy.cut(random.pick(['silent', 'closed'] as const))
      await delay(random.between(200, 1_500))
      proxy.heal()
      await delay(random.between(50, 500))
    }
    return 0
  },
}
