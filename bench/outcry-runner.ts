// Gives a workload to Outcry's core: the same functions, commands and turns as in the service.

import { placementAt } from '../src/core/answer.ts'
import { cancel } from '../src/core/cancel.ts'
import { tellTurn } from '../src/core/events.ts'
import type { Exchange } from '../src/core/exchange.ts'
import { COMMAND, factSizes, TRADE, takenFact, tradeFact } from '../src/core/journal.ts'
import type { Price, Shares } from '../src/core/money.ts'
import type { Operator } from '../src/core/operator.ts'
import { type PlaceOrder, place } from '../src/core/place.ts'
import { advance } from '../src/core/schedule.ts'
import { type Meeting, rowOf } from './trades.ts'
import { dueAtMost, newExchange, openMarket } from './venue.ts'
import { CANCEL, MARKET, playersPerBook, type Workload } from './workload.ts'

/** Commands that share a turn: behind each the journal is emptied and time moves on. */
const commandsPerTurn = 64

export class OutcryRunner {
  readonly exchange: Exchange = newExchange()
  readonly #workload: Workload
  readonly #operators: readonly Operator[]
  readonly #players: readonly string[]
  readonly #marketIds: number[] = []
  readonly #outcomeIds: number[] = []
  /** By operation: the order it places; undefined for a cancel. */
  readonly #commands: (PlaceOrder | undefined)[] = []
  /** By operation: the serial of the order it placed. */
  readonly #serials: Float64Array
  #inTurn = 0

  constructor(workload: Workload) {
    const { exchange } = this
    this.#workload = workload
    this.#serials = new Float64Array(workload.length)
    this.#operators = ['one', 'two'].map((id) =>
      exchange.putOperator({ id, supportedCurrencies: ['USD'], feeRate: null }),
    )
    this.#players = Array.from({ length: playersPerBook }, (_, number) => `player-${number}`)
    const holders = this.#players.map((id, number) => ({ operator: this.#operatorOf(number), id }))
    const { hasCompleteSetMatching } = workload
    while (this.#outcomeIds.length < workload.books) {
      const market = openMarket(exchange, this.#operators[0]!, holders, { hasCompleteSetMatching })
      for (const book of market.books) {
        this.#marketIds.push(market.serial)
        this.#outcomeIds.push(book.serial)
      }
    }
  }

  /** Makes the commands of those operations, which in the service is the parser's work. */
  prepare(from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      this.#commands[at] = this.#workload.kind[at] === CANCEL ? undefined : this.#commandOf(at)
    }
  }

  /** Runs prepared operations from one to before another. */
  run(from: number, to: number, isTold = false): void {
    for (let at = from; at < to; at += 1) {
      const start = this.exchange.journal.length
      const command = this.#commands[at]
      if (command === undefined) this.#cancel(at)
      else this.#place(at, command)
      if (isTold && command !== undefined)
        this.answered += placementAt(this.exchange, start).trades.length
      this.#inTurn += 1
      if (this.#inTurn === commandsPerTurn) this.endTurn(isTold)
    }
  }

  /** What was built for callers, counted so that nothing of it is optimised away. */
  answered = 0
  told = 0

  endTurn(isTold = false): void {
    const { exchange } = this
    this.#inTurn = 0
    if (isTold) this.told += tellTurn(exchange).length
    exchange.endTurn()
    advance(exchange, exchange.now + 1, dueAtMost)
  }

  /** The same one by one: a row for every operation that met resting orders. */
  rows(from: number, to: number): string[] {
    const rows: string[] = []
    const operationOf = new Map<number, number>()
    this.prepare(from, to)
    for (let at = from; at < to; at += 1) {
      this.run(at, at + 1)
      const meeting = this.#meeting(operationOf)
      if (meeting !== null) rows.push(rowOf(at, meeting))
      operationOf.set(this.#serials[at]!, at)
      this.endTurn()
    }
    return rows
  }

  isOpen(at: number): boolean {
    return this.exchange.orders.find(this.#serials[at]!) >= 0
  }

  // What the last command did to resting orders.
  #meeting(operationOf: ReadonlyMap<number, number>): Meeting | null {
    const { journal, orders } = this.exchange
    const { facts } = journal
    const filled: number[] = []
    let partly: Meeting['partly'] = null
    for (let at = journal.start; at < journal.length; at = journal.after(at)) {
      if (facts[at] !== TRADE) continue
      const resting = facts[at + tradeFact.resting]!
      const order = operationOf.get(orders.serial(resting))!
      const isFilled = facts[at + tradeFact.restingFilled] === orders.shares(resting)
      if (isFilled) filled.push(order)
      else partly = { order, shares: facts[at + tradeFact.shares]! }
    }
    return filled.length > 0 || partly !== null ? { filled, partly } : null
  }

  #commandOf(at: number): PlaceOrder {
    const workload = this.#workload
    const book = workload.book[at]!
    const player = workload.player[at]!
    return {
      operator: this.#operatorOf(player),
      marketId: this.#marketIds[book]!,
      outcomeId: this.#outcomeIds[book]!,
      playerId: this.#players[player]!,
      side: workload.isSell[at] === 1 ? 'SELL' : 'BUY',
      type: workload.kind[at] === MARKET ? 'MARKET' : 'LIMIT',
      shares: workload.shares[at] as Shares,
      price: workload.price[at] as Price,
      expiresAt: null,
      options: 0,
      transactionId: null,
    }
  }

  #place(at: number, command: PlaceOrder): void {
    const { journal, orders } = this.exchange
    place(this.exchange, command)
    const order = journal.facts[journal.start + factSizes[COMMAND]! + takenFact.order]!
    this.#serials[at] = orders.serial(order)
  }

  #cancel(at: number): void {
    const target = this.#workload.target[at]!
    const operator = this.#operatorOf(this.#workload.player[target]!)
    cancel(this.exchange, operator, this.#serials[target]!)
  }

  #operatorOf(player: number): Operator {
    return this.#operators[player & 1]!
  }
}
