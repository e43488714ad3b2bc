// What a shard has in memory: the exchange, and what goes with it that the rules need not know.
// All of it is a cache of the store, thrown away and loaded again when a turn cannot be stored.

import type { Ids } from '../core/ids.ts'
import { load, loadMarket } from '../core/snapshot/load.ts'
import type { MarketRecord } from '../core/snapshot/records.ts'
import { Exchange, type Rules } from '../core/state/exchange.ts'
import type { Market } from '../core/state/market.ts'
import type { Operator, OperatorSettings } from '../core/state/operator.ts'
import type { LoadedShard } from '../store/store.ts'
import { UsedKeys } from './idempotency/used-keys.ts'
import { SelfOpened } from './scheduled-openings.ts'

/** Markets that are over leave the memory when there are more of them than this. */
const endedMarketsMax = 1_000
/** Players are looked through when there are twice as many as were left the last time. */
const playersMin = 10_000
const forgetKeysMs = 60 * 60 * 1_000
/** A transactionId of a market that is over stays in force for so long. */
const keysKeptMs = 24 * 60 * 60 * 1_000

/** An operator, and what rows call it by. */
export type ShardOperator = OperatorSettings & { readonly number: number }

export type KeyWatch = {
  readonly operator: number
  readonly transactionId: string
  isUsed: boolean
}

export class Shard {
  readonly exchange: Exchange
  readonly usedKeys = new UsedKeys()
  /** Those who are asking the store about a key. */
  readonly #keyWatches = new Set<KeyWatch>()
  /** How many participants of each market are stored. */
  readonly participantCounts = new Map<Market, number>()
  /** Markets with work to do in slices, in the order in which they get theirs. */
  readonly jobs = new Set<Market>()
  readonly selfOpened = new SelfOpened()
  /** How often it was filled. */
  generation = 0
  readonly #numbers = new Map<string, number>()
  /** What the registry said since the start: newer than anything that is loaded. */
  readonly #operators = new Map<string, ShardOperator>()
  readonly #ended = new Set<Market>()
  /** When markets were over whose keys may still be in force, by serial. */
  readonly #endedAt = new Map<number, number>()
  #keysForgottenAt = 0
  #playersMax = playersMin

  constructor(rules: Rules, ids: Ids) {
    this.exchange = new Exchange(rules, ids)
  }

  fill({ records, operatorNumbers, keys }: LoadedShard): void {
    const { exchange } = this
    this.generation += 1
    exchange.clear()
    this.usedKeys.clear()
    // The store may have said that a key is free before it had the turn that used it.
    for (const watch of this.#keyWatches) watch.isUsed = true
    this.participantCounts.clear()
    this.jobs.clear()
    this.selfOpened.clear()
    this.#ended.clear()
    this.#endedAt.clear()
    this.#numbers.clear()
    for (const [id, number] of operatorNumbers) this.#numbers.set(id, number)
    load(exchange, records)
    for (const operator of this.#operators.values()) this.putOperator(operator)
    for (const market of exchange.markets) this.#note(market)
    for (const { operator, transactionId, market } of keys) {
      this.usedKeys.add(operator, transactionId, market)
      // It is over, nobody here knows since when: later than that it will not be.
      if (exchange.market(market) === undefined) this.#endedAt.set(market, exchange.now)
    }
    this.#keysForgottenAt = exchange.now
  }

  putOperator(operator: ShardOperator): void {
    const { number, ...settings } = operator
    this.#operators.set(settings.id, operator)
    this.exchange.putOperator(settings)
    this.#numbers.set(settings.id, number)
  }

  numberOf(operator: Operator): number {
    return this.#numbers.get(operator.id)!
  }

  numberById(operatorId: string): number | undefined {
    return this.#numbers.get(operatorId)
  }

  addKey(operator: number, transactionId: string, market: number): void {
    this.usedKeys.add(operator, transactionId, market)
    for (const watch of this.#keyWatches) {
      if (watch.operator === operator && watch.transactionId === transactionId) watch.isUsed = true
    }
  }

  /** Says from now on whether the key is being used. */
  watchKey(operator: number, transactionId: string): KeyWatch {
    const watch = { operator, transactionId, isUsed: false }
    this.#keyWatches.add(watch)
    return watch
  }

  /** Whether nobody has used it; where the store was asked, nobody since. */
  isKeyFree(operator: number, transactionId: string, asked: { freeKey: KeyWatch | null }): boolean {
    const { freeKey } = asked
    if (freeKey !== null) this.endWatch(freeKey)
    asked.freeKey = null
    if (!this.usedKeys.has(operator, transactionId)) return true
    return freeKey !== null && !freeKey.isUsed
  }

  endWatch(watch: KeyWatch): void {
    this.#keyWatches.delete(watch)
  }

  /** Back into memory comes a market that is over, because somebody asks for it. */
  bringBack(record: MarketRecord): void {
    if (this.exchange.market(record.serial) !== undefined) return
    this.#note(loadMarket(this.exchange, record))
  }

  /** It is over, and may leave the memory. */
  noteEnded(market: Market): void {
    this.#ended.add(market)
    this.#endedAt.set(market.serial, this.exchange.now)
    this.selfOpened.delete(market.serial)
  }

  /** Only when every turn is stored: what leaves must be there to come back from. */
  forget(): void {
    this.#forgetEnded()
    this.#forgetIdlePlayers()
    this.#forgetKeys()
  }

  #forgetEnded(): void {
    for (const market of this.#ended) {
      if (this.#ended.size <= endedMarketsMax) return
      this.#ended.delete(market)
      this.participantCounts.delete(market)
      this.exchange.forgetMarket(market)
    }
  }

  // Those who have neither an order nor a position.
  #forgetIdlePlayers(): void {
    const { exchange } = this
    if (exchange.players.size <= this.#playersMax) return
    exchange.forgetIdlePlayers()
    this.#playersMax = Math.max(playersMin, exchange.players.size * 2)
  }

  // Once an hour: those of markets that have been over for a day.
  #forgetKeys(): void {
    const { exchange, usedKeys } = this
    const { now } = exchange
    if (now - this.#keysForgottenAt < forgetKeysMs) return
    this.#keysForgottenAt = now
    const isOver = (endedAt: number | undefined) =>
      endedAt !== undefined && now - endedAt >= keysKeptMs
    usedKeys.keep((market) => !isOver(this.#endedAt.get(market)))
    for (const [market, endedAt] of this.#endedAt) {
      if (isOver(endedAt)) this.#endedAt.delete(market)
    }
  }

  #note(market: Market): void {
    this.participantCounts.set(market, market.participants.length)
    if (market.job !== null && market.job.phase !== 'DONE') this.jobs.add(market)
    else if (market.status === 'SETTLED' || market.status === 'CANCELLED') this.noteEnded(market)
  }
}
