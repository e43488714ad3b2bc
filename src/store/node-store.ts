// The nodes of a cluster: the services that share one database. A node that beats counts as alive
// for some seconds of the database's clock.

/** From each of its beats. */
export const nodeAliveMs = 3_000

/** `DRAINING`: it hands over its shards and claims none. `LEAVING`: it is stopping. */
export type NodeState = 'ACTIVE' | 'DRAINING' | 'LEAVING'

export type NodeInfo = NodeAbout & {
  /** The id of the node, which it keeps over restarts. */
  readonly node: string
  /** Another one for each process. */
  readonly incarnation: string
}

export type NodeAbout = {
  /** Where other nodes reach it. */
  readonly address: string
  readonly version: string
  readonly protocol: number
  readonly engineVersion: number
  readonly settingsHash: string
  readonly shardsMax: number
}

export type NodeRow = NodeInfo & {
  readonly state: NodeState
  readonly registrySeen: number
  /** Unix milliseconds of the database's clock. */
  readonly aliveUntil: number
  readonly isAlive: boolean
  readonly load: NodeLoad
}

/** What a node says about itself to the others; it is stored as JSON. */
export type NodeLoad = Readonly<Record<string, unknown>>

export type Beat = {
  /** The version of the registry that the node has in memory. */
  readonly registrySeen: number
  readonly load: NodeLoad
  /** ACTIVE leaves a stored DRAINING as it is. */
  readonly state: NodeState
}

export type BeatAnswer =
  | {
      readonly kind: 'ALIVE'
      readonly registryVersion: number
      /** As it is stored now: another node may have changed it to DRAINING. */
      readonly state: NodeState
      /** Unix milliseconds of the database's clock. */
      readonly now: number
    }
  /** Another process runs as this node. */
  | { readonly kind: 'REPLACED' }
  /** The node was removed and must join again. */
  | { readonly kind: 'REMOVED' }

/** All methods throw StoreUnavailable if the database does not answer. */
export interface NodeStore {
  /**
   * Adds the node, or replaces an earlier incarnation of it. Throws SetupProblem if a live node has
   * other settings, and StoreCannotOpen if the node runs in the folder of which this one is a copy.
   */
  join(beat: Beat): Promise<void>
  beat(beat: Beat): Promise<BeatAnswer>
  list(): Promise<readonly NodeRow[]>
  /**
   * Lets a live node hand over its shards and claim none, until it starts again. Returns false if
   * no live node has this id.
   */
  drain(node: string): Promise<boolean>
  /** The earliest version of the registry that a live node other than this has seen, if any. */
  registrySeenByOthers(): Promise<number | null>
  /** Deletes some of what is no longer needed: old changes of the registry, dead nodes. */
  prune(): Promise<void>
  /** Removes the node. */
  leave(): Promise<void>
  /** Called when the registry may have changed, which is only a hint. */
  listen(onChange: () => void): void
  close(): Promise<void>
}
