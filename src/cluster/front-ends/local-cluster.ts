// The cluster of one machine on SQLite: a primary process, which owns all shards, and its front
// ends. The primary keeps in memory what tables of PostgreSQL are for several machines.

import {
  type Beat,
  type BeatAnswer,
  type NodeAbout,
  type NodeInfo,
  type NodeRow,
  type NodeState,
  type NodeStore,
  nodeAliveMs,
  type ShardDirectory,
  type ShardState,
} from '../../store/store.ts'

export type LocalClusterOptions = {
  /** The primary process. */
  readonly nodeId: string
  /** The epochs of all shards, by their numbers; null for a shard that does not run. */
  readonly epochs: () => readonly (number | null)[]
  readonly registryVersion: () => Promise<number>
}

type Self = Pick<NodeInfo, 'node' | 'incarnation'>

/** A node says about itself when it joins. */
type LocalNodes = Omit<NodeStore, 'join'> & {
  join(about: NodeAbout, beat: Beat): Promise<void>
}

type Member = {
  readonly info: NodeInfo
  readonly onChange: () => void
  beat: Beat
  /** Milliseconds of performance.now(). */
  aliveUntil: number
}

/** The part of a directory that is about changes of owners, of which there are none. */
export const withOneOwner: Omit<ShardDirectory, 'list' | 'pin'> = {
  addTakeover: async () => {},
  takeovers: async () => [],
  announce: async () => {},
  listen: () => {},
  close: async () => {},
}

export class LocalCluster {
  readonly #options: LocalClusterOptions
  readonly #members = new Map<string, Member>()
  readonly #pins = new Map<number, string>()
  readonly directory: ShardDirectory

  constructor(options: LocalClusterOptions) {
    this.#options = options
    this.directory = {
      list: async () => this.#shards(),
      pin: async (shard, nodeId) => {
        if (nodeId === null) this.#pins.delete(shard)
        else this.#pins.set(shard, nodeId)
      },
      ...withOneOwner,
    }
  }

  /** The nodes, as one of them uses them. */
  openNodes(self: Self): LocalNodes {
    let onChange = () => {}
    return {
      join: async (about, beat) => {
        const info = { ...about, ...self }
        const aliveUntil = performance.now() + nodeAliveMs
        this.#members.set(self.node, { info, beat, aliveUntil, onChange: () => onChange() })
      },
      beat: (beat) => this.#beat(self.node, beat),
      list: async () => this.#rows(),
      drain: async (node) => this.#drain(node),
      registrySeenByOthers: () => this.#registrySeenByOthers(self.node),
      prune: async () => {},
      leave: async () => this.remove(self.node),
      listen: (listener) => {
        onChange = listener
      },
      close: async () => {},
    }
  }

  /** For a node whose process has ended: nobody waits for it. */
  remove(node: string): void {
    this.#members.delete(node)
  }

  #shards(): readonly ShardState[] {
    return this.#options.epochs().map((epoch, shard) => ({
      shard,
      epoch: epoch ?? 0,
      nodeId: epoch === null ? null : this.#options.nodeId,
      lastNodeId: null,
      leaseUntil: null,
      successor: null,
      pinnedTo: this.#pins.get(shard) ?? null,
    }))
  }

  async #beat(node: string, beat: Beat): Promise<BeatAnswer> {
    const member = this.#members.get(node)
    if (member === undefined) return { kind: 'REMOVED' }
    const state = stateAfter(member.beat.state, beat.state)
    member.beat = { ...beat, state }
    member.aliveUntil = performance.now() + nodeAliveMs
    const registryVersion = await this.#options.registryVersion()
    return { kind: 'ALIVE', registryVersion, state, now: Date.now() }
  }

  #drain(node: string): boolean {
    const member = this.#members.get(node)
    if (member === undefined) return false
    member.beat = { ...member.beat, state: stateAfter('DRAINING', member.beat.state) }
    return true
  }

  #rows(): readonly NodeRow[] {
    return [...this.#members.values()].map(({ info, beat, aliveUntil }) => {
      const leftMs = aliveUntil - performance.now()
      return { ...info, ...beat, aliveUntil: Date.now() + leftMs, isAlive: leftMs > 0 }
    })
  }

  async #registrySeenByOthers(node: string): Promise<number | null> {
    const version = await this.#options.registryVersion()
    const now = performance.now()
    const others = [...this.#members.values()].filter(
      ({ info, aliveUntil }) => info.node !== node && aliveUntil > now,
    )
    if (others.length === 0) return null
    for (const { beat, onChange } of others) if (beat.registrySeen < version) onChange()
    return Math.min(...others.map(({ beat }) => beat.registrySeen))
  }
}

/** A node that says ACTIVE does not know yet that it is to drain. */
function stateAfter(stored: NodeState, said: NodeState): NodeState {
  return said === 'ACTIVE' && stored === 'DRAINING' ? stored : said
}
