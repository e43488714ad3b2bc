// Acquires shards that nobody owns, and hands over those that another node should own. The heads of
// all shards are read several times a second; a notification of another node only hastens it.

import type { Log } from '../ops/log.ts'
import type { ShardDirectory, ShardState, TakeoverReason } from '../store/store.ts'
import { Isolation, isReached } from './isolation.ts'
import type { OwnedShards } from './owned-shards.ts'
import {
  balancingHandOver,
  dueHandOver,
  lastHandOvers,
  type PlacementNode,
  ranksOf,
} from './placement.ts'

export type ClaimsOptions = {
  readonly nodeId: string
  readonly directory: ShardDirectory
  readonly owned: OwnedShards
  /** The nodes that are alive, this one included. */
  readonly nodes: () => readonly PlacementNode[]
  /** Whether the node may own shards now: it is in touch, and its clock is right. */
  readonly mayClaim: () => boolean
  /** Called whenever the heads were read. */
  readonly onStates: (states: readonly ShardState[]) => void
  /** Called when this node owns a shard, or owns one no longer. */
  readonly onChanged: (shard: number) => void
  readonly metrics: { tookOver(reason: TakeoverReason): void }
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

const readEveryMs = 250
/** Each node waits so much longer than the one before it that should acquire a shard. */
const rankMs = 250
const balanceEveryMs = 10_000
/**
 * A node whose lease has ended waits longer than the others for a while, lest a slow node acquires
 * and loses shards by turns. It does acquire what no other node acquires.
 */
const backOff = { forMs: 30_000, waitMs: 500 } as const

export class Claims {
  readonly #options: ClaimsOptions
  /** Since when each shard has been seen without an owner. */
  readonly #freeSince = new Map<number, number>()
  readonly #isolation = new Isolation()
  #states: readonly ShardState[] = []
  #timer: NodeJS.Timeout | null = null
  #working: Promise<void> | null = null
  #mustReadAgain = false
  #balancedAt = performance.now()
  #backsOffUntil = 0
  #isStopped = false

  constructor(options: ClaimsOptions) {
    this.#options = options
  }

  /** Resolves when the heads were read once, and what is free and due here was acquired. */
  async start(): Promise<void> {
    this.#options.directory.listen(() => this.readSoon())
    this.readSoon()
    await this.#working
    this.#timer = setInterval(() => this.readSoon(), readEveryMs)
    this.#timer.unref()
  }

  readSoon(): void {
    this.#mustReadAgain = true
    this.#working ??= this.#work()
  }

  /** Whether this node may acquire shards, and whether it leaves them to others if it can. */
  get willingness(): Pick<PlacementNode, 'mayClaim' | 'isBackingOff'> {
    return { mayClaim: this.#options.mayClaim(), isBackingOff: this.#isBackingOff }
  }

  get #isBackingOff(): boolean {
    return performance.now() < this.#backsOffUntil
  }

  /** The lease of a shard has ended, and another node has acquired it. */
  async lose(shard: number, cause: Error): Promise<void> {
    this.#backsOffUntil = performance.now() + backOff.forMs
    const { onChanged, owned } = this.#options
    const ended = owned.lose(shard, cause)
    // At once: its turns in flight and its webhooks may take long to end.
    onChanged(shard)
    await ended
  }

  /** Hands over all shards, and claims no more. Those that no other node can own are released. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#working
    await this.#read().catch(() => undefined)
    const successors = new Map(
      lastHandOvers(this.#placement()).map(({ shard, to }) => [shard, to] as const),
    )
    const { numbers } = this.#options.owned
    await Promise.all(numbers.map((shard) => this.#handOver(shard, successors.get(shard) ?? null)))
  }

  async #work(): Promise<void> {
    while (this.#mustReadAgain && !this.#isStopped) {
      this.#mustReadAgain = false
      try {
        await this.#read()
        await this.#handOverDue()
        await this.#claimFree()
      } catch (error) {
        this.#options.log.warn('shards cannot be read or changed', { error: String(error) })
      }
    }
    this.#working = null
  }

  async #read(): Promise<void> {
    const { directory, onStates } = this.#options
    this.#states = (await directory.list()).map((state) => this.#withoutEarlierSelf(state))
    const now = performance.now()
    for (const { shard, nodeId } of this.#states) {
      if (nodeId !== null) this.#freeSince.delete(shard)
      else if (!this.#freeSince.has(shard)) this.#freeSince.set(shard, now)
    }
    onStates(this.#states)
  }

  /** A lease of an earlier process of this node, which has ended, counts as none. */
  #withoutEarlierSelf(state: ShardState): ShardState {
    const { nodeId, owned } = this.#options
    const isEarlier = state.nodeId === nodeId && owned.get(state.shard) === undefined
    return isEarlier ? { ...state, nodeId: null } : state
  }

  #placement() {
    const { nodeId: self, nodes } = this.#options
    return { self, nodes: nodes(), shards: this.#states }
  }

  async #handOverDue(): Promise<void> {
    const placement = this.#placement()
    const isolated = this.#isolation.nextHandOver(placement, performance.now())
    const due = dueHandOver(placement) ?? isolated ?? this.#balancing()
    if (due === null) return
    await this.#handOver(due.shard, due.to)
    this.#mustReadAgain = true
  }

  #balancing() {
    if (performance.now() - this.#balancedAt < balanceEveryMs) return null
    this.#balancedAt = performance.now()
    const placement = this.#placement()
    const nodes = placement.nodes.filter((node) => isReached(node, placement.nodes))
    return balancingHandOver({ ...placement, nodes })
  }

  async #handOver(shard: number, to: string | null): Promise<void> {
    const { directory, log, onChanged, owned } = this.#options
    try {
      if (!(await owned.handOver(shard, to))) return
      log.info('shard handed over', { shard, to })
      await directory.announce()
    } catch (error) {
      log.warn('shard released after a failed handover', { shard, error: String(error) })
    } finally {
      onChanged(shard)
    }
  }

  async #claimFree(): Promise<void> {
    if (!this.#options.mayClaim()) return
    const ranks = ranksOf(this.#placement())
    const due = this.#states.filter((state) => this.#isDue(state, ranks.get(state.shard)))
    await Promise.all(due.map((state) => this.#claim(state)))
    if (due.length > 0) this.#mustReadAgain = true
  }

  #isDue({ shard, successor }: ShardState, rank: number | undefined): boolean {
    const freeSince = this.#freeSince.get(shard)
    if (freeSince === undefined || rank === undefined) return false
    // Others must wait for a successor that was named.
    const backOffMs = this.#isBackingOff && successor === null ? backOff.waitMs : 0
    return performance.now() - freeSince >= rank * rankMs + backOffMs
  }

  async #claim({ lastNodeId, leaseUntil, shard }: ShardState): Promise<void> {
    const { directory, log, metrics, nodeId, onChanged, owned } = this.#options
    const freeSince = this.#freeSince.get(shard)!
    try {
      if (!(await owned.acquire(shard))) return
      this.#freeSince.delete(shard)
      onChanged(shard)
      const reason = reasonOf(lastNodeId, leaseUntil)
      const tookMs = performance.now() - freeSince
      metrics.tookOver(reason)
      log.info('shard acquired', { shard, from: lastNodeId, reason, tookMs: Math.round(tookMs) })
      const takeover = { shard, fromNodeId: lastNodeId, toNodeId: nodeId, reason, tookMs }
      await directory.addTakeover(takeover)
    } catch (error) {
      log.error('shard cannot be acquired', { shard, error: String(error) })
    }
  }
}

function reasonOf(lastNodeId: string | null, leaseUntil: number | null): TakeoverReason {
  if (lastNodeId === null) return 'FIRST'
  return leaseUntil === null ? 'HANDOVER' : 'LEASE_ENDED'
}
