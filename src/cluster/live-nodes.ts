// Whether a node fits to those that are alive: they must be able to have links with each other.

import type { NodeRow } from '../store/store.ts'
import { isLocal } from './link/frame-socket.ts'
import { areProtocolsCompatible } from './link/handshake.ts'
import { linkProtocol } from './link/messages.ts'

/** Its message is the line that a failed start prints. */
export class CannotJoin extends Error {
  override readonly name = 'CannotJoin'
}

export type JoiningNode = {
  readonly nodeId: string
  /** Where it is called; null for a front end, which fits if its primary does. */
  readonly listenOn: string | null
}

const checkAgainMs = 250

/** Throws CannotJoin. Waits for a node that may have ended a moment ago. */
export async function checkLiveNodes(
  list: () => Promise<readonly NodeRow[]>,
  self: JoiningNode,
): Promise<void> {
  const seen = new Map<string, number>()
  for (;;) {
    const misfits = (await list()).flatMap((row) => {
      const problem = row.isAlive && row.node !== self.nodeId ? problemOf(row, self) : null
      return problem === null ? [] : [{ row, problem }]
    })
    if (misfits.length === 0) return
    for (const { row, problem } of misfits) {
      if ((seen.get(row.node) ?? row.aliveUntil) !== row.aliveUntil) throw new CannotJoin(problem)
      seen.set(row.node, row.aliveUntil)
    }
    await new Promise((resolve) => setTimeout(resolve, checkAgainMs))
  }
}

function problemOf({ address, protocol, version }: NodeRow, { listenOn }: JoiningNode) {
  // A front end has no address.
  const node = address === '' ? 'A front end' : `The node at ${address}`
  if (!areProtocolsCompatible(linkProtocol, protocol)) {
    return (
      `${node} has version ${version} with link protocol ${protocol}, and this node has ` +
      `protocol ${linkProtocol}; they may differ by 1. Upgrade through the versions in between.`
    )
  }
  if (listenOn === null || address === '' || isLocal(listenOn) === isLocal(address)) return null
  if (isLocal(listenOn)) return `${node} uses the database; set CLUSTER=true to join its cluster.`
  return 'A service with FRONT_ENDS and without CLUSTER=true uses the database; stop it first.'
}
