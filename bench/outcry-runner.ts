// Gives a workload to Outcry's core: the same functions, commands and turns as in the service.

import { cancel } from '../src/core/cancel.ts'
import { createMarket } from '../src/core/create-market.ts'
import { Exchange } from '../src/core/exchange.ts'
import { Ids } from '../src/core/ids.ts'
import { COMMAND, factSizes, TRADE, takenFact, tradeFact } from '../src/core/journal.ts'
import { manage } from '../src/core/lifecycle.ts'
import { none } from '../src/core/memory.ts'
import type { FeeRate, Price, Shares } from '../src/core/money.ts'
import type { Operator } from '../src/core/operator.ts'
import { place } from '../src/core/place.ts'
import { advance } from '../src/core/schedule.ts'
import { changeSets } from '../src/core/sets.ts'
import { type Meeting, rowOf } from './trades.ts'
import { CANCEL, MARKET, playersPerBook, type Workload } from './workload.ts'

/** Commands that share a turn: the journal is emptied and time moves on behind each. */
const turn = 64
const dueAtMost = 1000
const rules = {
  sharesMin: 100 as Shares,
  sharesMax: 10_000_000 as Shares,
  priceMin: 100 as Price,
  priceMax: 9_900 as Price,
  feeRate: 200 as FeeRate,
}

export function newExchange(): Exchange {
  return new Exchange(rules, new Ids({ shard: 0, key: [1, 2] }))
}

export class OutcryRunner {
  readonly exchange = newExchange()
  readonly #workload: Workload
  readonly #operators: readonly Operator[]
  readonly #players: readonly string[]
  readonly #marketIds: number[] = []
  readonly #outcomeIds: number[] = []
  /** By operation: the serial of the order it placed. */
  readonly #serials: Float64Array
  #inTurn = 0

  constructor(workload: Workload) {
    this.#workload = workload
    this.#serials = new Float64Array(workload.length)
    this.#operators = [0, 1].map((number) =>
      this.exchange.putOperator({
        id: `operator-${number}`,
        supportedCurrencies: ['USD'],
        feeRate: null,
      }),
    )
    this.#players = Array.from({ length: playersPerBook }, (_, number) => `player-${number}`)
    advance(this.exchange, 1_700_000_000_000, dueAtMost)
    while (this.#outcomeIds.length < workload.books) this.#openMarket()
    this.exchange.endTurn()
  }

  /** Runs the operations from one to before another; calls back after each turn and at the end. */
  run(from: number, to: number, onTurn?: (exchange: Exchange) => void): void {
    const { exchange } = this
    for (let at = from; at < to; at += 1) {
      if (this.#workload.kind[at] === CANCEL) this.#cancel(at)
      else this.#place(at)
      this.#inTurn += 1
      if (this.#inTurn < turn && at < to - 1) continue
      this.#inTurn = 0
      onTurn?.(exchange)
      exchange.endTurn()
      advance(exchange, exchange.now + 1, dueAtMost)
    }
  }

  /** The same, slower: a row for every operation that met resting orders. */
  rows(from: number, to: number): string[] {
    const rows: string[] = []
    const operationOf = new Map<number, number>()
    for (let at = from; at < to; at += 1) {
      this.run(at, at + 1, () => {
        const meeting = this.#meeting(operationOf)
        if (meeting !== null) rows.push(rowOf(at, meeting))
      })
      operationOf.set(this.#serials[at]!, at)
    }
    return rows
  }

  // What the last command did to resting orders.
  #meeting(operationOf: ReadonlyMap<number, number>): Meeting | null {
    const { facts, start, length } = this.exchange.journal
    const filled: number[] = []
    let partly: Meeting['partly'] = null
    for (let at = start; at < length; at += factSizes[facts[at]!]!) {
      if (facts[at] !== TRADE) continue
      const resting = facts[at + tradeFact.resting]!
      const order = operationOf.get(this.exchange.orders.serial(resting))!
      if (facts[at + tradeFact.restingFilled] === this.exchange.orders.shares(resting)) {
        filled.push(order)
      }
      if (facts[at + tradeFact.restingFilled] !== this.exchange.orders.shares(resting))
        partly = { order, shares: facts[at + tradeFact.shares]! }
    }
    return filled.length > 0 || partly !== null ? { filled, partly } : null
  }

  isOpen(at: number): boolean {
    return this.exchange.orders.find(this.#serials[at]!) !== none
  }

  #place(at: number): void {
    const { exchange } = this
    const workload = this.#workload
    const book = workload.book[at]!
    const player = workload.player[at]!
    place(exchange, {
      operator: this.#operators[player & 1]!,
      marketId: this.#marketIds[book]!,
      outcomeId: this.#outcomeIds[book]!,
      playerId: this.#players[player]!,
      side: workload.isSell[at] === 1 ? 'SELL' : 'BUY',
      type: workload.kind[at] === MARKET ? 'MARKET' : 'LIMIT',
      shares: workload.shares[at] as Shares,
      price: workload.price[at] as Price,
      expiresAt: null,
      transactionId: null,
    })
    const { facts, start } = exchange.journal
    const order = facts[start + factSizes[COMMAND]! + takenFact.order]!
    this.#serials[at] = exchange.orders.serial(order)
  }

  #cancel(at: number): void {
    const target = this.#workload.target[at]!
    const operator = this.#operators[this.#workload.player[target]! & 1]!
    cancel(this.exchange, operator, this.#serials[target]!)
  }

  // A market of two outcomes in which every player holds plenty of each.
  #openMarket(): void {
    const { exchange } = this
    const operator = this.#operators[0]!
    createMarket(exchange, {
      operator,
      title: 'Bench',
      description: null,
      imageUrl: null,
      categoryId: null,
      metadata: null,
      tradingStartsAt: null,
      tradingEndsAt: null,
      currency: 'USD',
      outcomes: null,
      isShared: true,
      hasCompleteSetMatching: false,
    })
    const market = [...exchange.markets].at(-1)!
    const marketId = market.serial
    manage(exchange, { action: 'open', operator, marketId })
    for (const [number, playerId] of this.#players.entries()) {
      const holder = this.#operators[number & 1]!
      const shares = rules.sharesMax
      const mint = { kind: 'MINT' as const, marketId, playerId, shares, transactionId: null }
      for (let times = 0; times < 100; times += 1)
        changeSets(exchange, { ...mint, operator: holder })
    }
    for (const book of market.books) {
      this.#marketIds.push(marketId)
      this.#outcomeIds.push(book.serial)
    }
    exchange.endTurn()
  }
}
