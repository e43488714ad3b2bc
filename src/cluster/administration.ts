// What the administrator sees of a cluster and changes in it. Any node can be asked: it writes what
// is wanted to the database, where the nodes concerned find it.

import {
  CommitFailure,
  type NodeRow,
  type NodeStore,
  type ShardDirectory,
  type ShardState,
  type Takeover,
} from '../store/store.ts'
import { type ReportedLoad, reportedLoad } from './reported-load.ts'

export type AdministrationOptions = {
  readonly directory: Pick<ShardDirectory, 'list' | 'pin' | 'takeovers'>
  readonly nodes: Pick<NodeStore, 'list' | 'drain'>
  /** How long a move may take. */
  readonly moveMsMax?: number
}

export type NodeView = Pick<NodeRow, 'node' | 'version' | 'state' | 'isAlive'> &
  Pick<ReportedLoad, 'loopLagMs'> & {
    /** null outside of a cluster, and for a node that no other calls. */
    readonly address: string | null
    /** Unix milliseconds; null outside of a cluster. */
    readonly aliveUntil: number | null
    /** The shards that it owns. */
    readonly shards: readonly number[]
  }

export type ShardView = Pick<
  ShardState,
  'shard' | 'nodeId' | 'epoch' | 'leaseUntil' | 'pinnedTo'
> & {
  /** null if no node reports it. */
  readonly openOrders: number | null
}

export type ClusterView = {
  readonly nodes: readonly NodeView[]
  readonly shards: readonly ShardView[]
  /** Newest first. */
  readonly takeovers: readonly Takeover[]
}

export type AdministrationReject = {
  readonly code:
    | 'SHARD_NOT_FOUND'
    | 'NODE_NOT_FOUND'
    | 'NODE_CANNOT_OWN'
    | 'NOT_IN_CLUSTER'
    | 'UNAVAILABLE'
  readonly message: string
}

const moveMsDefault = 10_000
const checkEveryMs = 50
/** Moves that wait for their new owner. */
const movesMax = 16

export class ClusterAdministration {
  readonly #options: AdministrationOptions
  #moves = 0
  #isStopped = false

  constructor(options: AdministrationOptions) {
    this.#options = options
  }

  async view(): Promise<ClusterView> {
    const { directory, nodes } = this.#options
    const [rows, states, takeovers] = await Promise.all([
      nodes.list(),
      directory.list(),
      directory.takeovers(),
    ])
    return {
      nodes: rows.map((row) => nodeView(row, states)),
      shards: states.map((state) => shardView(state, rows)),
      takeovers,
    }
  }

  /**
   * Pins the shard to the node and resolves once the node runs it; or to none, and it stays where
   * it is until the nodes are balanced. Throws CommitFailure, StoreUnavailable.
   */
  async move(shard: number, nodeId: string | null): Promise<ShardView | AdministrationReject> {
    const { directory, nodes } = this.#options
    const [rows, states] = await Promise.all([nodes.list(), directory.list()])
    const state = states.find((each) => each.shard === shard)
    if (state === undefined) return shardNotFound
    if (nodeId === null) {
      await directory.pin(shard, null)
      return shardView({ ...state, pinnedTo: null }, rows)
    }
    const reject = refusalToOwn(state, nodeId, { rows, states })
    if (reject !== null) return reject
    if (this.#isStopped || this.#moves >= movesMax) return tooManyMoves
    this.#moves += 1
    try {
      await directory.pin(shard, nodeId)
      return await this.#untilMoved(state, nodeId)
    } catch (cause) {
      const message = 'It is not known whether the shard has moved.'
      throw new CommitFailure(message, { outcome: 'unknown', cause })
    } finally {
      this.#moves -= 1
    }
  }

  /** The node hands over its shards one by one; it need not have begun when this resolves. */
  async drain(nodeId: string): Promise<NodeView | AdministrationReject> {
    const { directory, nodes } = this.#options
    // The id is any text of a path, which a database may refuse.
    const isKnown = (await nodes.list()).some(({ node }) => node === nodeId)
    if (!isKnown || !(await nodes.drain(nodeId))) return nodeNotFound
    const [rows, states] = await Promise.all([nodes.list(), directory.list()])
    const row = rows.find(({ node }) => node === nodeId)
    return row === undefined ? nodeNotFound : nodeView(row, states)
  }

  /** Ends the moves that wait; what they have pinned stays. */
  stop(): void {
    this.#isStopped = true
  }

  async #untilMoved(before: ShardState, to: string): Promise<ShardView | AdministrationReject> {
    const { directory, moveMsMax = moveMsDefault, nodes } = this.#options
    const deadline = performance.now() + moveMsMax
    for (;;) {
      const state = (await directory.list()).find(({ shard }) => shard === before.shard)
      if (state === undefined) return shardNotFound
      if (state.pinnedTo !== to) return unavailable('Another request has moved the shard.')
      if (state.nodeId === to) {
        const rows = await nodes.list()
        if (await this.#isRunning(state, rows)) return shardView(state, rows)
      }
      if (this.#isStopped) return unavailable('The service is shutting down.')
      if (performance.now() >= deadline) return this.#withdraw(state, before.pinnedTo)
      await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
    }
  }

  /** A new owner has the lease first; then it loads the shard, runs it and records the takeover. */
  async #isRunning({ shard, nodeId }: ShardState, rows: readonly NodeRow[]): Promise<boolean> {
    const row = rows.find(({ node }) => node === nodeId)
    if (row !== undefined && reportedLoad(row.load).shards.has(shard)) return true
    const takeovers = await this.#options.directory.takeovers()
    return takeovers.find((takeover) => takeover.shard === shard)?.toNodeId === nodeId
  }

  async #withdraw(
    { shard, nodeId, pinnedTo }: ShardState,
    pinnedBefore: string | null,
  ): Promise<AdministrationReject> {
    if (nodeId === pinnedTo) return unavailable('The node owns the shard and is still loading it.')
    await this.#options.directory.pin(shard, pinnedBefore)
    return unavailable('The node did not acquire the shard in time; the move is withdrawn.')
  }
}

function nodeView(row: NodeRow, states: readonly ShardState[]): NodeView {
  const { node, address, version, state, aliveUntil, isAlive } = row
  const { loopLagMs } = reportedLoad(row.load)
  const shards = states.flatMap(({ nodeId, shard }) => (nodeId === node ? [shard] : []))
  return { node, address: address || null, version, state, aliveUntil, isAlive, loopLagMs, shards }
}

function shardView(state: ShardState, rows: readonly NodeRow[]): ShardView {
  const { shard, nodeId, epoch, leaseUntil, pinnedTo } = state
  const row = rows.find(({ node }) => node === nodeId)
  const load = row === undefined ? undefined : reportedLoad(row.load).shards.get(shard)
  return { shard, nodeId, epoch, leaseUntil, pinnedTo, openOrders: load?.openOrders ?? null }
}

type Seen = { readonly rows: readonly NodeRow[]; readonly states: readonly ShardState[] }

function refusalToOwn(
  { nodeId: owner }: ShardState,
  to: string,
  { rows, states }: Seen,
): AdministrationReject | null {
  const node = rows.find((row) => row.node === to)
  if (node === undefined || !node.isAlive) return nodeNotFound
  if (node.state !== 'ACTIVE') return cannotOwn(`The node is ${node.state}.`)
  const owned = states.filter(({ nodeId }) => nodeId === to).length
  if (owner === to || owned < node.shardsMax) return null
  return cannotOwn(`The node owns ${owned} of at most ${node.shardsMax} shards.`)
}

export const shardNotFound: AdministrationReject = {
  code: 'SHARD_NOT_FOUND',
  message: 'No shard has this number.',
}
export const nodeNotFound: AdministrationReject = {
  code: 'NODE_NOT_FOUND',
  message: 'No live node has this id.',
}
const tooManyMoves = unavailable('Too many moves are under way, or the service is shutting down.')

function cannotOwn(message: string): AdministrationReject {
  return { code: 'NODE_CANNOT_OWN', message }
}

function unavailable(message: string): AdministrationReject {
  return { code: 'UNAVAILABLE', message }
}
