// Stops nodes with SIGTERM, and starts them again. Clients that keep to the other nodes must see no
// error.

import type { Service } from '../../support/process/outcry-process.ts'
import type { FaultRun } from './fault-run.ts'

export type Restart = {
  /** The longest time that an order had to wait while the node stopped, in ms. */
  readonly gapMs: number
  readonly violations: readonly string[]
}

export async function restartNode(run: FaultRun, node: Service): Promise<Restart> {
  const { cluster, loads } = run
  const violations: string[] = []
  const before = loads.map(({ figures }) => figures)
  cluster.live.remove(node)
  const stopping = node.stop()
  let hasStopped = false
  const probes = loads.map(async (load) => {
    let longest = 0
    while (!hasStopped) longest = Math.max(longest, await load.probe(cluster.live))
    return longest
  })
  const code = await stopping
  hasStopped = true
  const gapMs = Math.max(...(await Promise.all(probes)))
  if (code !== 0) violations.push(`a node ended with ${code}:\n${node.printed()}`)
  await cluster.startAgain(node)
  await cluster.untilOwned()
  for (const [at, { figures, shard }] of loads.entries()) {
    const errors = errorsOf(figures) - errorsOf(before[at]!)
    if (errors > 0) violations.push(`shard ${shard}: ${errors} requests failed during a stop`)
  }
  return { gapMs, violations }
}

/** Every node by turns. */
export async function rollingRestart(run: FaultRun): Promise<readonly Restart[]> {
  const restarts: Restart[] = []
  for (const node of [...run.cluster.nodes]) restarts.push(await restartNode(run, node))
  return restarts
}

function errorsOf({ unavailable, unknown }: { unavailable: number; unknown: number }): number {
  return unavailable + unknown
}
