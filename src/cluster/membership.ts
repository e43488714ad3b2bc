// This node as one of a cluster: it beats, applies what other nodes change in the registry, and
// knows whether it is in touch. A node out of touch may have missed a revoked key: it must refuse
// every request with a key.

import { uptime } from 'node:os'
import {
  type BeatAnswer,
  type NodeLoad,
  type NodeRow,
  type NodeState,
  type NodeStore,
  nodeAliveMs,
} from '../store/store.ts'
import { Barrier } from './barrier.ts'

export type MembershipOptions = {
  readonly store: NodeStore
  readonly registry: {
    /** The version that is in memory. */
    readonly version: number
    refresh(): Promise<void>
  }
  /** What the node reports to the others with each beat. */
  readonly load?: () => NodeLoad
  /** Another process runs as this node: this one must end. */
  readonly onReplaced: () => void
  /** Of a beat, or of what listens to it; the next beat follows. */
  readonly onFailure?: (error: unknown) => void
}

const beatEveryMs = 1_000
/**
 * From the start of a confirmed beat, how long the node relies on it. Less than it counts as alive
 * for the others, because the clocks of two machines may run at different rates.
 */
const reliedOnMs = nodeAliveMs - 500
/** A node that does not manage to apply changes stops beating, lest every write waits for it. */
const behindMsMax = 1_000
/** How far the clocks of the system may differ over one beat; a suspended machine stops one. */
const uptimeDriftMsMax = 1_000
const beatsPerPruning = 60
const startTries = 5

/** Before the first beat, and after a lapse. */
const unknownVersion = Number.POSITIVE_INFINITY

export class Membership {
  readonly #options: MembershipOptions
  readonly #barrier: Barrier
  readonly #listeners: ((nodes: readonly NodeRow[]) => void)[] = []
  /** The start of the last confirmed beat, on the monotonic and on the system clock. */
  #confirmed = { steady: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY }
  /** The memory must have this version, because a write up to it may be answered. */
  #neededVersion = unknownVersion
  #storeVersion = 0
  #behindSince: number | null = null
  #clockOffMs = 0
  #beats = 0
  #state: NodeState = 'ACTIVE'
  #timer: NodeJS.Timeout | null = null
  #beating: Promise<void> | null = null
  #mustBeatAgain = false
  #refreshing: Promise<void> | null = null
  #hasEnded = false
  #uptimeDriftMs = driftNow()

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#barrier = new Barrier(options.store)
  }

  /** Joins the cluster and waits until the node is in touch. The registry must be open. */
  async start(): Promise<void> {
    await this.#join()
    this.#options.store.listen(() => this.beatSoon())
    for (let tries = 1; !this.isInTouch && tries <= startTries; tries += 1) {
      this.beatSoon()
      await this.#beating
      await this.#refreshing
    }
    this.#beatLater()
  }

  /**
   * False once a write of the registry may have been answered that this node has not applied. Also
   * after a pause of the process or of the machine, which stops the monotonic clock.
   */
  get isInTouch(): boolean {
    if (this.#hasEnded || this.#options.registry.version < this.#neededVersion) return false
    if (performance.now() - this.#confirmed.steady >= reliedOnMs) return false
    return Date.now() - this.#confirmed.wall < reliedOnMs
  }

  /** The database's clock less the clock of this machine, as of the last beat. */
  get clockOffMs(): number {
    return this.#clockOffMs
  }

  /** How many changes of the registry the node has not applied, as far as is known. */
  get registryLag(): number {
    return Math.max(0, this.#storeVersion - this.#options.registry.version)
  }

  /** Another node may have let this one drain; it learns of it with a beat. */
  get state(): NodeState {
    return this.#state
  }

  /** The others see it with the next beat, which follows at once. */
  setState(state: NodeState): void {
    this.#state = state
    this.beatSoon()
  }

  /** Called after each beat with all nodes, live or not. */
  onBeat(listener: (nodes: readonly NodeRow[]) => void): void {
    this.#listeners.push(listener)
  }

  /** For a write of the registry, before it is answered. Throws CommitFailure. */
  waitForNodes(version: number): Promise<void> {
    return this.#barrier.wait(version)
  }

  beatSoon(): void {
    if (this.#hasEnded) return
    this.#mustBeatAgain = true
    this.#beating ??= this.#beatWhileNeeded()
  }

  /** Removes the node, so that no other node waits for its lapse. */
  async stop(): Promise<void> {
    this.#hasEnded = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#beating
    await this.#refreshing
    await this.#options.store.leave().catch((error: unknown) => this.#report(error))
    await this.#options.store.close()
  }

  #beatLater(): void {
    if (this.#hasEnded) return
    this.#timer = setTimeout(() => {
      this.beatSoon()
      this.#beatLater()
    }, beatEveryMs)
    this.#timer.unref()
  }

  async #beatWhileNeeded(): Promise<void> {
    while (this.#mustBeatAgain && !this.#hasEnded) {
      this.#mustBeatAgain = false
      await this.#beatOnce()
    }
    this.#beating = null
  }

  async #beatOnce(): Promise<void> {
    try {
      this.#checkUptime()
      if (this.#isTooFarBehind()) this.#refresh()
      else await this.#beat()
    } catch (error) {
      this.#report(error)
    }
  }

  async #beat(): Promise<void> {
    const { store, load = () => ({}) } = this.#options
    const [steady, wall] = [performance.now(), Date.now()]
    const beat = { registrySeen: this.#options.registry.version, load: load(), state: this.#state }
    const answer = await store.beat(beat)
    if (answer.kind === 'REPLACED') {
      this.#hasEnded = true
      this.#options.onReplaced()
    } else if (answer.kind === 'REMOVED') {
      this.#neededVersion = unknownVersion
      await this.#join()
    } else {
      this.#confirm(answer, { steady, wall })
      await this.#afterBeat()
    }
  }

  /**
   * After a lapse the first beat only makes other nodes wait for this one again. The version that
   * the next beat finds is the first of which the memory must have every change: a later write
   * waits for this node.
   */
  #confirm(
    { registryVersion, state, now }: BeatAnswer & { kind: 'ALIVE' },
    started: { readonly steady: number; readonly wall: number },
  ): void {
    const ended = { steady: performance.now(), wall: Date.now() }
    const hasLapsed =
      ended.steady - this.#confirmed.steady >= reliedOnMs ||
      ended.wall - this.#confirmed.wall >= reliedOnMs
    if (hasLapsed) this.#neededVersion = unknownVersion
    else if (this.#neededVersion === unknownVersion) this.#neededVersion = registryVersion
    this.#confirmed = started
    this.#storeVersion = registryVersion
    // A state that was set here meanwhile is newer.
    if (this.#state === 'ACTIVE') this.#state = state
    this.#clockOffMs = now - (started.wall + ended.wall) / 2
    const isBehind = registryVersion > this.#options.registry.version
    this.#behindSince = isBehind ? (this.#behindSince ?? started.steady) : null
    if (isBehind) this.#refresh()
    if (hasLapsed) this.beatSoon()
  }

  async #afterBeat(): Promise<void> {
    const { store } = this.#options
    this.#beats += 1
    if (this.#beats % beatsPerPruning === 0) await store.prune()
    if (this.#listeners.length === 0) return
    const nodes = await store.list()
    for (const listener of this.#listeners) listener(nodes)
  }

  /** Beats do not wait for it. The next beat says what was applied. */
  #refresh(): void {
    if (this.#refreshing !== null || this.#hasEnded) return
    const refresh = async () => {
      try {
        await this.#options.registry.refresh()
        this.#behindSince = null
        this.beatSoon()
      } catch (error) {
        this.#report(error)
      }
      this.#refreshing = null
    }
    this.#refreshing = refresh()
  }

  #isTooFarBehind(): boolean {
    return this.#behindSince !== null && performance.now() - this.#behindSince > behindMsMax
  }

  async #join(): Promise<void> {
    const { store, registry, load = () => ({}) } = this.#options
    const state = this.#state
    await store.join({ registrySeen: registry.version, load: load(), state })
  }

  /** The uptime goes on while a machine is suspended, and the monotonic clock does not. */
  #checkUptime(): void {
    const drift = driftNow()
    if (drift - this.#uptimeDriftMs > uptimeDriftMsMax) {
      this.#confirmed = { steady: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY }
    }
    this.#uptimeDriftMs = drift
  }

  #report(error: unknown): void {
    this.#options.onFailure?.(error)
  }
}

function driftNow(): number {
  return uptime() * 1_000 - performance.now()
}
