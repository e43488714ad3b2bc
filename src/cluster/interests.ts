// The interests of this node in turns of shards that other nodes own. They are sent to the owner,
// again whenever the link or the owner is a new one; after that, listeners catch up.

import type { PublishedTurn } from '../core/events/committed-turn.ts'
import type { EventLag } from '../ops/cluster-metrics.ts'
import { EventLags } from './event-lags.ts'
import type { Interest, TurnMessage } from './link/messages.ts'
import type { RouteTable } from './routes.ts'
import { decodeTurn } from './turn-codec.ts'

/** An interest outlives its last listener by this time: many clients connect again at once. */
export const lingerMs = 5_000

/** Another node that owns shards, and sends the turns in which this one has an interest. */
type TurnSource = {
  readonly isConnected: boolean
  sendInterest(interest: Interest): void
  sendDisinterest(interest: Interest): void
  /** Resolves once what was sent before is in force; to false if the connection ended before. */
  sync(): Promise<boolean>
}

/** What the listeners of this node hear. */
export type TurnReceiver = {
  deliverRemote(shard: number, turn: PublishedTurn): void
  /** Turns of the shard may be missing before those that arrive from now on, until `resync`. */
  onMissing(shard: number): void
  /** Turns of the shard may have been missed. */
  resync(shard: number): void
  /** From now on, turns for the interest arrive. */
  onInForce(interest: Interest): void
}

export type InterestsOptions = {
  readonly routes: RouteTable
  readonly isLocal: (shard: number) => boolean
  readonly source: (nodeId: string) => TurnSource | undefined
  readonly receiver: TurnReceiver
}

type Wanted = {
  readonly interest: Interest
  ending: NodeJS.Timeout | null
  /** Whether the owner is known to send the turns. */
  isInForce: boolean
}

export class Interests {
  readonly #options: InterestsOptions
  /** By shard, and by kind and id. */
  readonly #shards = new Map<number, Map<string, Wanted>>()
  readonly #lags = new EventLags()
  /** What follows once the interests that were sent to a node are in force there. */
  readonly #waiting = new Map<TurnSource, { readonly shard: number; readonly then: () => void }[]>()
  readonly #syncing = new Set<TurnSource>()

  constructor(options: InterestsOptions) {
    this.#options = options
    options.routes.onChange((shard) => this.#send(shard))
  }

  begin(interest: Interest): void {
    const { shard } = interest
    const wanted = this.#shards.get(shard) ?? new Map<string, Wanted>()
    this.#shards.set(shard, wanted)
    const known = wanted.get(nameOf(interest))
    if (known !== undefined) {
      clearTimeout(known.ending ?? undefined)
      known.ending = null
      return
    }
    if (wanted.size === 0 && !this.#options.isLocal(shard)) this.#lags.missing(shard)
    const begun: Wanted = { interest, ending: null, isInForce: false }
    wanted.set(nameOf(interest), begun)
    const source = this.#ownerOf(shard)
    if (source === null) return
    source.sendInterest(interest)
    this.#afterSync(shard, source, () => {
      begun.isInForce = true
      this.#options.receiver.onInForce(interest)
    })
  }

  /** Whether the turns that it matches arrive, from this process or from another node. */
  isInForce(interest: Interest): boolean {
    const { shard } = interest
    if (this.#options.isLocal(shard)) return true
    return this.#shards.get(shard)?.get(nameOf(interest))?.isInForce ?? false
  }

  end(interest: Interest): void {
    const known = this.#shards.get(interest.shard)?.get(nameOf(interest))
    if (known === undefined || known.ending !== null) return
    known.ending = setTimeout(() => this.#forget(interest), lingerMs).unref()
  }

  /** A new link has none of the interests. */
  onConnected(nodeId: string): void {
    for (const shard of this.#shards.keys()) if (this.#owns(nodeId, shard)) this.#send(shard)
  }

  onDisconnected(nodeId: string): void {
    for (const [shard, wanted] of this.#shards) {
      if (this.#owns(nodeId, shard)) this.#onMissing(shard, wanted)
    }
  }

  /**
   * This node owns the shard, or owns it no longer. The next owner may have been known before this
   * node knew of its loss.
   */
  onOwnedChanged(shard: number): void {
    if (this.#options.isLocal(shard)) this.#lags.delete(shard)
    else this.#send(shard)
  }

  /** Of the shards of other nodes in which this one has an interest. */
  eventLags(): readonly EventLag[] {
    return this.#lags.list()
  }

  /** The node has dropped turns. */
  onResync(nodeId: string): void {
    const { receiver } = this.#options
    for (const shard of this.#shards.keys()) if (this.#owns(nodeId, shard)) receiver.resync(shard)
  }

  /** A turn of a former owner is left out: listeners catch up with the next one. */
  onTurn(nodeId: string, turn: TurnMessage): void {
    const { shard } = turn
    if (!this.#owns(nodeId, shard)) return
    const published = decodeTurn(turn)
    this.#lags.received(shard, published)
    this.#options.receiver.deliverRemote(shard, published)
  }

  #owns(nodeId: string, shard: number): boolean {
    const { isLocal, routes } = this.#options
    return routes.owner(shard)?.nodeId === nodeId && !isLocal(shard)
  }

  /** Another node that owns the shard and can be reached. */
  #ownerOf(shard: number): TurnSource | null {
    const { isLocal, routes, source } = this.#options
    const owner = routes.owner(shard)
    const found = owner === null || isLocal(shard) ? undefined : source(owner.nodeId)
    return found?.isConnected === true ? found : null
  }

  #send(shard: number): void {
    const wanted = this.#shards.get(shard)
    if (wanted === undefined || this.#options.isLocal(shard)) return
    this.#onMissing(shard, wanted)
    const source = this.#ownerOf(shard)
    if (source === null) return
    const sent = [...wanted.values()]
    for (const { interest } of sent) source.sendInterest(interest)
    this.#afterSync(shard, source, () => {
      for (const each of sent) each.isInForce = true
      this.#options.receiver.resync(shard)
    })
  }

  #onMissing(shard: number, wanted: ReadonlyMap<string, Wanted>): void {
    this.#lags.missing(shard)
    for (const each of wanted.values()) each.isInForce = false
    this.#options.receiver.onMissing(shard)
  }

  #afterSync(shard: number, source: TurnSource, then: () => void): void {
    const waiting = this.#waiting.get(source) ?? []
    this.#waiting.set(source, waiting)
    waiting.push({ shard, then })
    if (!this.#syncing.has(source)) void this.#sync(source)
  }

  // One at a time for each node: a client may begin a thousand interests at once.
  async #sync(source: TurnSource): Promise<void> {
    this.#syncing.add(source)
    await new Promise(setImmediate)
    const waiting = this.#waiting.get(source) ?? []
    this.#waiting.delete(source)
    const isInForce = await source.sync()
    this.#syncing.delete(source)
    if (this.#waiting.has(source)) void this.#sync(source)
    if (!isInForce) return
    for (const { shard, then } of waiting) {
      // Another node may own the shard by now: it has been sent the interests, or will be.
      if (this.#ownerOf(shard) !== source) continue
      this.#lags.inForce(shard)
      then()
    }
  }

  #forget(interest: Interest): void {
    const { shard } = interest
    const wanted = this.#shards.get(shard)
    wanted?.delete(nameOf(interest))
    if (wanted?.size === 0) {
      this.#shards.delete(shard)
      this.#lags.delete(shard)
    }
    this.#ownerOf(shard)?.sendDisinterest(interest)
  }
}

function nameOf({ kind, id }: Interest): string {
  return `${kind} ${id}`
}
