// Stops nodes with SIGTERM, and starts them again. No client may see an error, with a transactionId
// or without: a node answers what it has read, and clients go on at other nodes.

import type { Failure } from '../../fault/support/client-history.ts'
import type { Service } from '../../support/process/outcry-process.ts'
import type { ShardLoad } from '../support/shard-load.ts'
import type { FaultRun } from './fault-run.ts'

/** A command that has waited so long for an owner may be refused. */
const holdMs = 2_000
const failuresShown = 3
/** Before a stop, so that there are requests under way. */
const answersBefore = 30
const answersWaitMs = 30_000

export type Restart = {
  /** The longest time that an order had to wait while the node stopped, in ms. */
  readonly gapMs: number
  readonly violations: readonly string[]
}

export async function restartNode(run: FaultRun, node: Service): Promise<Restart> {
  const { cluster, loads } = run
  const { gapMs, violations } = await stopNode(run, node)
  await cluster.startAgain(node)
  await cluster.untilOwned()
  return { gapMs, violations: [...violations, ...loads.flatMap(failuresOf)] }
}

/** The node stays away. */
export async function stopNode(run: FaultRun, node: Service): Promise<Restart> {
  const { cluster, loads } = run
  const violations: string[] = []
  await Promise.all(loads.map(({ clients }) => clients.answers(answersBefore, answersWaitMs)))
  for (const load of loads) load.takeFailures()
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
  return { gapMs, violations: [...violations, ...loads.flatMap(failuresOf)] }
}

/** Every node by turns. */
export async function rollingRestart(run: FaultRun): Promise<readonly Restart[]> {
  const restarts: Restart[] = []
  for (const node of [...run.cluster.nodes]) restarts.push(await restartNode(run, node))
  return restarts
}

function failuresOf(load: ShardLoad): string[] {
  const { keyed, unkeyed } = load.takeFailures()
  // A client repeats a request with a transactionId whose answer it has not received.
  const failed = [...keyed.filter(({ code }) => code !== null), ...unkeyed].filter(isWrong)
  if (failed.length === 0) return []
  const shown = failed.slice(0, failuresShown).map(textOf).join('; ')
  return [`shard ${load.shard}: ${failed.length} requests failed during a stop: ${shown}`]
}

function isWrong({ code, ms }: Failure): boolean {
  return code !== 'UNAVAILABLE' || ms < holdMs
}

function textOf({ code, text, ms }: Failure): string {
  return `${code ?? 'no answer'} (${text}) after ${Math.round(ms)} ms`
}
