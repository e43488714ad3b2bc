// A cluster under load, with faults in between. At the end nothing may be lost, executed twice or
// published wrongly, and the audit must be clean.

import { auditPostgres } from '../../../src/cli/audit-postgres.ts'
import type { Defect } from '../../fault/support/planted-defects.ts'
import { Cluster } from '../support/cluster.ts'
import type { ClusterDefect } from '../support/cluster-defects.ts'
import { ShardLoad } from '../support/shard-load.ts'

export type FaultRunOptions = {
  readonly url: string
  readonly seed: number
  readonly nodes?: number
  readonly shards?: number
  /** Of all shards together. */
  readonly clients?: number
  /** Between an answer and the next request of a client. */
  readonly thinkMs?: number
  readonly defect?: Defect | undefined
  readonly clusterDefect?: ClusterDefect | undefined
  /** Whether the connections of each node can be cut. */
  readonly hasNetworks?: boolean
}

export type FaultRun = { readonly cluster: Cluster; readonly loads: readonly ShardLoad[] }

export type FaultReport = {
  readonly violations: readonly string[]
  readonly figures: Figures
}

export type Figures = {
  readonly done: number
  readonly unavailable: number
  readonly unknown: number
}

/** The share of clients that send no transactionId. */
const unkeyedShare = 0.25

/** What `faults` returns is added to the violations. */
export async function runFaults(
  options: FaultRunOptions,
  faults: (run: FaultRun) => Promise<readonly string[]>,
): Promise<FaultReport> {
  const { url, seed, nodes = 3, shards = 3, defect, clusterDefect } = options
  const { clients = 16, thinkMs = 20, hasNetworks } = options
  const cluster = await Cluster.start({ url, nodes, shards, defect, clusterDefect, hasNetworks })
  const loads: ShardLoad[] = []
  try {
    const unkeyedClients = Math.ceil((clients * unkeyedShare) / shards)
    const keyedClients = Math.ceil(clients / shards) - unkeyedClients
    for (let shard = 0; shard < shards; shard += 1) {
      const counts = { clients: keyedClients, unkeyedClients }
      const load = { shard, ...counts, seed: seed * 100 + shard, thinkMs }
      loads.push(await ShardLoad.create(cluster.nodes[0]!, load))
    }
    for (const load of loads) load.start(cluster.live)
    const found = [...(await faults({ cluster, loads }))]
    await Promise.all(loads.map((load) => load.stop(cluster.live)))
    const node = cluster.live.next()
    for (const load of loads) found.push(...(await load.violations(node, url)))
    found.push(...(await auditPostgres(url)).violations)
    if (found.length > 0) found.push(`The nodes have printed:\n${cluster.printed()}`)
    return { violations: found, figures: sumOf(loads.map(({ figures }) => figures)) }
  } catch (error) {
    throw new Error(`The nodes have printed:\n${cluster.printed()}`, { cause: error })
  } finally {
    for (const load of loads) load.endSoon()
    await cluster.stop()
  }
}

export function sumOf(all: readonly Figures[]): Figures {
  const sum = (name: keyof Figures) => all.reduce((total, one) => total + one[name], 0)
  return { done: sum('done'), unavailable: sum('unavailable'), unknown: sum('unknown') }
}

/** The loads of the shards that a node owns. */
export async function loadsOf(run: FaultRun, node: Cluster['nodes'][number]): Promise<ShardLoad[]> {
  const shards = await run.cluster.shardsOf(node)
  return run.loads.filter(({ shard }) => shards.includes(shard))
}
