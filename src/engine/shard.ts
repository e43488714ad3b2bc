// The memory of a shard: the exchange, and what the engine keeps beside it. All of it is a cache of
// the store, which is cleared and loaded again when a turn cannot be committed.

import { forgetIdlePlayers } from '../core/book/idle-players.ts'
import { changeControls } from '../core/controls/change-controls.ts'
import { keyLifetimeMs } from '../core/idempotency.ts'
import type { Ids, Serial } from '../core/ids.ts'
import { load, loadMarket } from '../core/snapshot/load.ts'
import type { MarketRecord } from '../core/snapshot/records.ts'
import { Exchange, type Rules } from '../core/state/exchange.ts'
import type { Market } from '../core/state/market.ts'
import type { Operator, OperatorSettings } from '../core/state/operator.ts'
import type { BrakeRow, LoadedShard, UsedKey } from '../store/store.ts'
import { UsedKeys } from './idempotency/used-keys.ts'
import { Jobs } from './jobs.ts'
import { ScheduledOpenings } from './scheduled-openings.ts'

/** SETTLED and CANCELLED markets in memory; the oldest of more are evicted. */
const endedMarketsMax = 1_000
/** Idle players are evicted when there are twice as many players as after the last eviction. */
const playersMin = 10_000
const evictKeysEveryMs = 60 * 60 * 1_000

/** An operator with the number that identifies it in stored rows. */
export type ShardOperator = OperatorSettings & { readonly number: number }

/** A lookup of a transactionId in the store. */
export type KeyLookup = {
  readonly operatorNumber: number
  readonly transactionId: string
  /** The transactionId may have been used after the store was read. */
  isStale: boolean
}

export class Shard {
  readonly exchange: Exchange
  readonly usedKeys = new UsedKeys()
  readonly #keyLookups = new Set<KeyLookup>()
  /** How many participants of each market are stored. */
  readonly participantCounts = new Map<Market, number>()
  readonly jobs = new Jobs()
  readonly scheduledOpenings = new ScheduledOpenings()
  /** Incremented by each load. */
  generation = 0
  readonly #numbers = new Map<string, number>()
  /** Settings from the registry; they win over those that are loaded with the shard. */
  readonly #operators = new Map<string, ShardOperator>()
  /** The brake on the exchange as the registry has it; it is kept, as the settings of operators. */
  #brake: BrakeRow | null = null
  readonly #ended = new Set<Market>()
  /** When markets ended whose transactionIds may still be in use, by serial of the market. */
  readonly #endedAt = new Map<Serial, number>()
  #keysEvictedAt = 0
  #playersMax = playersMin

  constructor(rules: Rules, ids: Ids) {
    this.exchange = new Exchange(rules, ids)
  }

  load({ records, operatorNumbers, keys, laterKeys }: LoadedShard): void {
    const { exchange } = this
    this.generation += 1
    exchange.clear()
    this.usedKeys.clear()
    // A lookup may have read the store before the turn that used the key was found committed.
    for (const lookup of this.#keyLookups) lookup.isStale = true
    this.participantCounts.clear()
    this.jobs.clear()
    this.scheduledOpenings.clear()
    this.#ended.clear()
    this.#endedAt.clear()
    this.#numbers.clear()
    for (const [id, number] of operatorNumbers) this.#numbers.set(id, number)
    load(exchange, records)
    for (const operator of this.#operators.values()) this.putOperator(operator)
    for (const market of exchange.markets) this.#track(market)
    for (const controls of exchange.allControls) {
      if (controls.sweep !== null) this.jobs.add(controls)
    }
    this.addLoadedKeys(keys)
    this.usedKeys.isComplete = laterKeys === null
    this.#keysEvictedAt = exchange.now
  }

  addLoadedKeys(keys: Iterable<UsedKey>): void {
    const { exchange } = this
    for (const { operatorNumber, transactionId, marketSerial } of keys) {
      this.usedKeys.add(operatorNumber, transactionId, marketSerial)
      // Only ended markets are not loaded. When this one ended is unknown; now is the latest
      // possible time.
      if (exchange.market(marketSerial) === undefined) this.#endedAt.set(marketSerial, exchange.now)
    }
  }

  putOperator(operator: ShardOperator): void {
    const { number, ...settings } = operator
    this.#operators.set(settings.id, operator)
    this.exchange.putOperator(settings)
    this.#numbers.set(settings.id, number)
  }

  /** Jobs of markets, and orders that dead-man switches and order groups have to cancel. */
  get hasWork(): boolean {
    const { cancelling, cancellingGroups } = this.exchange
    return this.jobs.size > 0 || cancelling.size > 0 || cancellingGroups.size > 0
  }

  /** The brake on the exchange as the registry has it; before the next command it is obeyed. */
  putBrake(brake: BrakeRow): void {
    this.#brake = brake
  }

  /**
   * To be called in a turn, before its commands. Where the memory was loaded again because a turn
   * was not stored, the brake may not be in it yet.
   */
  applyBrake(): void {
    const brake = this.#brake
    const known = this.exchange.controls?.version ?? 0
    if (brake === null || brake.number <= known) return
    const { cancelsOrders, mode, number: version, reason, until } = brake
    const holder = { kind: 'EXCHANGE' } as const
    const terms = { mode, reason, until, limits: null }
    changeControls(this.exchange, { holder, ...terms, cancelsOrders, version })
    if (this.exchange.controls?.sweep) this.jobs.add(this.exchange.controls)
  }

  get openOrders(): number {
    let count = 0
    for (const operator of this.exchange.operators) count += operator.openOrders
    return count
  }

  numberOf(operator: Operator): number {
    return this.#numbers.get(operator.id)!
  }

  numberById(operatorId: string): number | undefined {
    return this.#numbers.get(operatorId)
  }

  addKey(operatorNumber: number, transactionId: string, marketSerial: Serial): void {
    this.usedKeys.add(operatorNumber, transactionId, marketSerial)
    for (const lookup of this.#keyLookups) {
      if (lookup.operatorNumber === operatorNumber && lookup.transactionId === transactionId) {
        lookup.isStale = true
      }
    }
  }

  /** From now on the lookup becomes stale if its key is used. */
  startKeyLookup(operatorNumber: number, transactionId: string): KeyLookup {
    const lookup = { operatorNumber, transactionId, isStale: false }
    this.#keyLookups.add(lookup)
    return lookup
  }

  endKeyLookup(lookup: KeyLookup): void {
    this.#keyLookups.delete(lookup)
  }

  /**
   * Whether a command may use the key: it is not in the set of used keys, or the command's lookup
   * did not find it in the store and is not stale. Ends the lookup.
   */
  isKeyFree(
    operatorNumber: number,
    transactionId: string,
    queued: { keyLookup: KeyLookup | null },
  ): boolean {
    const { keyLookup } = queued
    if (keyLookup !== null) this.endKeyLookup(keyLookup)
    queued.keyLookup = null
    if (!this.usedKeys.has(operatorNumber, transactionId)) return true
    return keyLookup !== null && !keyLookup.isStale
  }

  /** Loads an ended market that is not in memory any more. */
  reloadMarket(record: MarketRecord): void {
    if (this.exchange.market(record.serial) !== undefined) return
    this.#track(loadMarket(this.exchange, record))
  }

  /** From now on the market may be evicted. */
  markEnded(market: Market): void {
    this.#ended.add(market)
    this.#endedAt.set(market.serial, this.exchange.now)
    this.scheduledOpenings.delete(market.serial)
  }

  /** Called only when no turn is in flight: what is evicted must be complete in the store. */
  evict(): void {
    this.#evictEndedMarkets()
    this.#evictIdlePlayers()
    this.#evictKeys()
  }

  #evictEndedMarkets(): void {
    for (const market of this.#ended) {
      if (this.#ended.size <= endedMarketsMax) return
      this.#ended.delete(market)
      this.participantCounts.delete(market)
      this.exchange.forgetMarket(market)
    }
  }

  // Idle players have neither an open order nor a position.
  #evictIdlePlayers(): void {
    const { exchange } = this
    if (exchange.players.size <= this.#playersMax) return
    forgetIdlePlayers(exchange)
    this.#playersMax = Math.max(playersMin, exchange.players.size * 2)
  }

  // Once an hour, the keys of markets that ended at least a day ago.
  #evictKeys(): void {
    const { exchange, usedKeys } = this
    const { now } = exchange
    if (now - this.#keysEvictedAt < evictKeysEveryMs) return
    this.#keysEvictedAt = now
    const isExpired = (endedAt: number | undefined) =>
      endedAt !== undefined && now - endedAt >= keyLifetimeMs
    usedKeys.keep((marketSerial) => !isExpired(this.#endedAt.get(marketSerial)))
    for (const [marketSerial, endedAt] of this.#endedAt) {
      if (isExpired(endedAt)) this.#endedAt.delete(marketSerial)
    }
  }

  #track(market: Market): void {
    this.participantCounts.set(market, market.participants.length)
    if (market.job !== null && market.job.phase !== 'DONE') this.jobs.add(market)
    else if (market.hasEnded) this.markEnded(market)
  }
}
