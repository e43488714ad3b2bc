// A node of a cluster: it owns some of the shards, and sends commands for the others to their
// owners. PostgreSQL decides who owns what; the links carry commands and hints.

import { assert } from '../core/assert.ts'
import type { CommittedTurn } from '../core/events/committed-turn.ts'
import { Ids, type Serial } from '../core/ids.ts'
import type { SettleAnswer } from '../engine/commands.ts'
import { orderOfRow } from '../engine/idempotency/stored-answers.ts'
import type { ClusterMetrics, EventLag, OwnedShardMeasures } from '../ops/cluster-metrics.ts'
import type { Log } from '../ops/log.ts'
import { LoopLag } from '../ops/loop-lag.ts'
import {
  type ClusterStore,
  eventFormOf,
  type NodeAbout,
  type NodeLoad,
  type NodeRow,
  type ShardState,
  type ShardStore,
} from '../store/store.ts'
import { ClusterAdministration } from './administration.ts'
import { Claims } from './claims.ts'
import { InterestedNodes } from './interested-nodes.ts'
import { Interests, type TurnReceiver } from './interests.ts'
import { LimitsExchange, type SharedLimits } from './limits-exchange.ts'
import type { LinkTls } from './link/frame-socket.ts'
import { LinkServer } from './link/link-server.ts'
import { Links } from './link/links.ts'
import { linkProtocol, type OwnedShard } from './link/messages.ts'
import { outcomesOf } from './link/outcomes.ts'
import type { LinkHandlers, ServerLink } from './link/server-link.ts'
import { checkLiveNodes } from './live-nodes.ts'
import { Membership, type MembershipOptions } from './membership.ts'
import type { OwnedShards } from './owned-shards.ts'
import type { PlacementNode } from './placement.ts'
import { loadOf, reportedLoad } from './reported-load.ts'
import { Router } from './router.ts'
import type { ShardCommands } from './router-options.ts'
import { RouteTable } from './routes.ts'
import type { ShardHost } from './shard-host.ts'

export type ClusterNodeOptions = {
  readonly store: ClusterStore
  readonly shards: readonly ShardStore[]
  readonly owned: OwnedShards
  readonly registry: MembershipOptions['registry'] & {
    operatorNumber(operatorId: string): number | undefined
  }
  /** Where the node listens to others: a host and port, or `unix:` and a path; null for nowhere. */
  readonly listenOn: string | null
  /** Where others reach it, from the port on which it listens. */
  readonly addressOf: (port: number) => string
  readonly about: Omit<NodeAbout, 'address' | 'protocol'>
  /** The rate limits of operators, which all nodes share. */
  readonly limits: SharedLimits
  readonly secretsKey: Uint8Array
  readonly tls: LinkTls | null
  /** Another process runs as this node: this one must end. */
  readonly onReplaced: () => void
  /** What this node publishes to its own clients. */
  readonly receiver: TurnReceiver
  /** Answers requests of other nodes about a shard of this one. */
  readonly answer: (name: string, body: unknown) => Promise<unknown>
  readonly metrics: ClusterMetrics
  readonly log: Log
}

/** A node whose clock differs more from the database's claims nothing. */
export const clockOffMsMax = 500
/** Of a node that owns no shard and is called by no other. */
const noAddress = ''

export class ClusterNode implements ShardHost {
  readonly #options: ClusterNodeOptions
  readonly #routes = new RouteTable()
  readonly #owned: OwnedShards
  readonly #router: Router
  readonly #server: LinkServer
  readonly #links: Links
  readonly #limits: LimitsExchange
  readonly #loopLag = new LoopLag()
  readonly #interested = new InterestedNodes<ServerLink>()
  readonly interests: Interests
  #membership: Membership | null = null
  #claims: Claims | null = null
  #administration: ClusterAdministration | null = null
  #nodes: readonly NodeRow[] = []
  #oldestEngineVersion: number

  constructor(options: ClusterNodeOptions) {
    const { about, log, metrics, secretsKey, store, tls } = options
    const { nodeId, incarnation } = store
    const { settingsHash } = about
    const identity = { nodeId, incarnation, protocol: linkProtocol, settingsHash }
    this.#options = options
    this.#oldestEngineVersion = about.engineVersion
    this.#owned = options.owned
    this.#links = new Links({
      identity,
      secretsKey,
      tls,
      log,
      events: {
        onRoutes: (from, owned) => this.#routes.setOwned(from, owned),
        // An interest must be in force before a query that was held.
        onConnected: (nodeId) => {
          this.interests.onConnected(nodeId)
          this.#router.retry()
        },
        onDisconnected: (nodeId) => this.interests.onDisconnected(nodeId),
        onTurn: (nodeId, turn) => this.interests.onTurn(nodeId, turn),
        onResync: (nodeId) => this.interests.onResync(nodeId),
        onTokens: (_from, left) => this.#limits.apply(left),
      },
    })
    this.#server = new LinkServer({ identity, secretsKey, tls, log, handlers: this.#handlers() })
    // Before the router, which sends held queries when the route changes.
    this.interests = new Interests({
      routes: this.#routes,
      isLocal: (shard) => this.#owned.get(shard) !== undefined,
      source: (nodeId) => this.#links.get(nodeId),
      receiver: options.receiver,
    })
    this.#router = new Router({
      routes: this.#routes,
      local: (shard) => this.#owned.get(shard)?.engine ?? null,
      peer: (id) => this.#links.get(id) ?? null,
      orderOf: (shard, operatorId, serial) => this.#orderOf(shard, operatorId, serial),
      settlementOf: (shard, marketSerial) => this.#settlementOf(shard, marketSerial),
      eventForm: () => eventFormOf(this.#oldestEngineVersion),
      now: () => performance.now(),
      setTimer: (run, ms) => setTimeout(run, ms).unref(),
      metrics,
    })
    this.#limits = new LimitsExchange({
      limits: options.limits,
      linkTo: (shard) => this.#links.get(this.#routes.owner(shard)?.nodeId ?? '') ?? null,
    })
    metrics.watchNode(this)
  }

  /** Joins the cluster: the registry is up to date after this. Throws SetupProblem, CannotJoin. */
  async join(): Promise<void> {
    const { about, addressOf, listenOn, log, onReplaced, registry, store } = this.#options
    const address = listenOn === null ? noAddress : addressOf(await this.#server.listen(listenOn))
    const nodes = store.openNodes({ ...about, address, protocol: linkProtocol })
    await checkLiveNodes(() => nodes.list(), { nodeId: store.nodeId, listenOn })
    this.#administration = new ClusterAdministration({ directory: store.directory, nodes })
    const membership = new Membership({
      store: nodes,
      registry,
      load: () => this.#load(),
      onReplaced,
      onFailure: (error) => log.warn('beat failed', { error: String(error) }),
    })
    this.#membership = membership
    membership.onBeat((nodes) => this.#onNodes(nodes))
    await membership.start()
    this.#claims = new Claims({
      nodeId: store.nodeId,
      directory: store.directory,
      owned: this.#owned,
      nodes: () => this.#placementNodes(),
      mayClaim: () => membership.isInTouch && Math.abs(this.clockOffMs) <= clockOffMsMax,
      onStates: (states) => this.#onStates(states),
      onChanged: (shard) => this.#onOwnedChanged(shard),
      metrics: this.#options.metrics,
      log,
    })
  }

  /** Acquires the shards that are free and due here. */
  async start(): Promise<void> {
    await this.#claims?.start()
  }

  commandsOf(shard: number): ShardCommands {
    return this.#router.shard(shard)
  }

  get isInTouch(): boolean {
    return this.#membership?.isInTouch ?? false
  }

  get administration(): ClusterAdministration {
    assert(this.#administration !== null, 'the node has joined')
    return this.#administration
  }

  get registryLag(): number {
    return this.#membership?.registryLag ?? 0
  }

  /** The database's clock less that of this machine. */
  get clockOffMs(): number {
    return this.#membership?.clockOffMs ?? 0
  }

  /** The node is in touch, and reaches the owners of most shards. */
  get isReady(): boolean {
    const { shards } = this.#options
    const reached = shards.filter(({ shard }) => this.#reaches(shard))
    return this.isInTouch && reached.length * 2 > shards.length
  }

  /** Of the live nodes, this one included. */
  get oldestEngineVersion(): number {
    return this.#oldestEngineVersion
  }

  get linkCount(): number {
    return this.#nodes.filter(({ node }) => this.#links.get(node)?.isConnected).length
  }

  ownedShards(): readonly OwnedShardMeasures[] {
    return this.#ownedShards().map(([shard, epoch, leaseLeftMs]) => {
      return { shard, epoch, leaseLeftSeconds: leaseLeftMs / 1_000 }
    })
  }

  eventLags(): readonly EventLag[] {
    return this.interests.eventLags()
  }

  async waitForNodes(registryVersion: number): Promise<void> {
    await this.#membership?.waitForNodes(registryVersion)
  }

  /** Called with each committed turn of a shard that this node owns. */
  publish(shard: number, turn: CommittedTurn): void {
    this.#interested.publish(shard, turn)
  }

  /** The response of the shard's owner, another node; undefined if it cannot be had now. */
  async requestOf(shard: number, name: string, body: unknown): Promise<unknown> {
    const owner = this.#routes.owner(shard)
    return owner === null ? undefined : this.#links.get(owner.nodeId)?.request(name, body)
  }

  /** Another node owns the shard. */
  lose(shard: number, cause: Error): void {
    void this.#claims?.lose(shard, cause)
  }

  async leave(): Promise<void> {
    this.#membership?.setState('LEAVING')
    this.#administration?.stop()
    await this.#claims?.stop()
    // Before the links end: a command on its way here would have an unknown outcome.
    this.#server.leave()
  }

  async stop(closing: Promise<unknown>): Promise<void> {
    await closing
    this.#router.stop()
    this.#limits.stop()
    await this.#membership?.stop()
    await this.#server.stop()
    this.#links.close()
  }

  #handlers(): LinkHandlers {
    return {
      submitAll: (shard, kind, commands) => {
        const ownerOf = () => this.#routes.owner(shard)
        const running = this.#owned.get(shard)
        if (running !== undefined)
          return outcomesOf(running.engine.submitAll(kind, commands), ownerOf)
        return commands.map(async () => ({ kind: 'NOT_OWNER' as const, owner: ownerOf() }))
      },
      ownedShards: () => this.#ownedShards(),
      onTokens: (link, used) => link.sendTokens(this.#limits.answerTo(used)),
      onInterest: (link, interest) => this.#interested.add(link, interest),
      onDisinterest: (link, interest) => this.#interested.delete(link, interest),
      onLinkClosed: (link) => this.#interested.deleteAll(link),
      onRequest: (name, body) => this.#options.answer(name, body),
    }
  }

  #ownedShards(): OwnedShard[] {
    return this.#owned.numbers.map((shard) => {
      const { epoch } = this.#owned.get(shard)!.engine
      return [shard, epoch, this.#options.shards[shard]!.ownedUntil() - performance.now()]
    })
  }

  #load(): NodeLoad {
    const shards = this.#owned.numbers.map((shard) => {
      const { engine } = this.#owned.get(shard)!
      return [shard, { openOrders: engine.openOrders(), isReady: engine.isReady }] as const
    })
    const callers = [...this.#server.links].map(({ nodeId }) => nodeId)
    const willingness = this.#claims?.willingness ?? { mayClaim: true, isBackingOff: false }
    return loadOf({ loopLagMs: this.#loopLag.ms, shards, callers, ...willingness })
  }

  #reaches(shard: number): boolean {
    const running = this.#owned.get(shard)
    if (running !== undefined) return running.engine.isReady
    const owner = this.#routes.owner(shard)
    if (owner === null || !this.#links.get(owner.nodeId)?.isConnected) return false
    const row = this.#nodes.find(({ node }) => node === owner.nodeId)
    return row === undefined || reportedLoad(row.load).shards.get(shard)?.isReady !== false
  }

  #onNodes(nodes: readonly NodeRow[]): void {
    this.#nodes = nodes.filter(({ isAlive }) => isAlive)
    const versions = this.#nodes.map(({ engineVersion }) => engineVersion)
    this.#oldestEngineVersion = Math.min(this.#options.about.engineVersion, ...versions)
    const called = this.#nodes.filter(({ address }) => address !== noAddress)
    this.#links.setNodes(called.map(({ node: nodeId, address }) => ({ nodeId, address })))
  }

  #placementNodes(): PlacementNode[] {
    return this.#nodes.map(({ node: nodeId, shardsMax, state, load }) => {
      const { callers, isBackingOff, mayClaim } = reportedLoad(load)
      const isActive = state === 'ACTIVE'
      const isLinked = this.#links.get(nodeId)?.isConnected === true
      return { nodeId, shardsMax, isActive, mayClaim, isBackingOff, isLinked, callers }
    })
  }

  #onStates(states: readonly ShardState[]): void {
    for (const { epoch, leaseUntil, nodeId, shard } of states) {
      if (nodeId !== null) this.#routes.setOwner(shard, { nodeId, epoch })
      // An owner whose lease has only ended may still renew it, in the same epoch.
      else if (leaseUntil === null) this.#routes.endEpoch(shard, epoch)
    }
  }

  #onOwnedChanged(shard: number): void {
    this.interests.onOwnedChanged(shard)
    this.#server.announce()
    this.#router.retry()
  }

  async #orderOf(shard: number, operatorId: string, orderSerial: Serial) {
    const { registry, shards } = this.#options
    const { idKey: key, reads } = shards[shard]!
    const number = registry.operatorNumber(operatorId)
    const row = number === undefined ? null : await reads.order(number, orderSerial)
    return row === null ? null : orderOfRow(new Ids({ shard, key }), row)
  }

  async #settlementOf(shard: number, marketSerial: Serial): Promise<SettleAnswer | null> {
    const record = await this.#options.shards[shard]!.reads.marketRecord(marketSerial)
    if (record === null || record.job === null || record.job.phase !== 'DONE') return null
    const { cancelledOrders, payout, settled } = record.job
    return { cancelledOrders, payout, settled }
  }
}
