// Gives a workload to Outcry's core: the same functions, commands and turns as in the service.

import { placementOf } from '../../src/core/events/answer.ts'
import { recordEvents } from '../../src/core/events/events.ts'
import type { Serial } from '../../src/core/ids.ts'
import { advance } from '../../src/core/markets/schedule.ts'
import type { Price, Shares } from '../../src/core/money.ts'
import { cancel } from '../../src/core/orders/cancel.ts'
import { type NewOrder, place } from '../../src/core/orders/place.ts'
import type { Exchange } from '../../src/core/state/exchange.ts'
import type { Operator } from '../../src/core/state/operator.ts'
import { type Meeting, rowOf } from './trades.ts'
import { dueAtMost, newExchange, openMarket } from './venue.ts'
import { CANCEL, MARKET, playersPerBook, type Workload } from './workload.ts'

type CancelOrder = { readonly operator: Operator; readonly serial: Serial }

export class OutcryRunner {
  readonly exchange: Exchange = newExchange()
  readonly #workload: Workload
  readonly #operators: readonly Operator[]
  readonly #players: readonly string[]
  readonly #marketSerials: Serial[] = []
  readonly #outcomeSerials: Serial[] = []
  readonly #commands: (NewOrder | CancelOrder)[] = []

  constructor(workload: Workload) {
    const { exchange } = this
    this.#workload = workload
    this.#operators = ['one', 'two'].map((id) =>
      exchange.putOperator({ id, supportedCurrencies: ['USD'], feeRate: null }),
    )
    this.#players = Array.from({ length: playersPerBook }, (_, number) => `player-${number}`)
    const holders = this.#players.map((id, number) => ({ operator: this.#operatorOf(number), id }))
    const { hasCompleteSetMatching } = workload
    while (this.#outcomeSerials.length < workload.books) {
      const market = openMarket(exchange, this.#operators[0]!, holders, { hasCompleteSetMatching })
      for (const book of market.books) {
        this.#marketSerials.push(market.serial)
        this.#outcomeSerials.push(book.serial)
      }
    }
  }

  /** Makes the commands of those operations, which in the service is the parser's work. */
  prepare(from: number, to: number): void {
    const commands = this.#commands
    commands.length = 0
    for (let at = from; at < to; at += 1) {
      commands.push(this.#workload.kind[at] === CANCEL ? this.#cancelOf(at) : this.#placeOf(at))
    }
  }

  /** Runs what was prepared, as one turn. */
  run(withRecords = false): void {
    this.#execute(withRecords)
    this.#endTurn(withRecords)
  }

  /** Answers and event records are counted so that the compiler cannot remove the work. */
  answered = 0
  recorded = 0

  #execute(withRecords: boolean): void {
    const { exchange } = this
    const commands = this.#commands
    for (let at = 0; at < commands.length; at += 1) {
      const command = commands[at]!
      if ('serial' in command) {
        const reject = cancel(exchange, command.operator, command.serial)
        if (reject !== null) throw new Error(`A cancel of an open order got ${reject.code}.`)
      } else {
        place(exchange, command)
        if (withRecords)
          this.answered += placementOf(exchange, exchange.journal.current).trades.length
      }
    }
  }

  #endTurn(withRecords: boolean): void {
    const { exchange } = this
    if (withRecords) this.recorded += recordEvents(exchange).length
    exchange.endTurn()
    advance(exchange, exchange.now + 1, dueAtMost)
  }

  /** The same one by one: a row for every operation that met resting orders. */
  rows(from: number, to: number): string[] {
    const rows: string[] = []
    const operationOf = new Map<number, number>()
    for (let at = from; at < to; at += 1) {
      this.prepare(at, at + 1)
      this.#execute(false)
      const meeting = this.#meeting(operationOf)
      if (meeting !== null) rows.push(rowOf(at, meeting))
      if (this.#workload.kind[at] !== CANCEL) operationOf.set(this.#workload.serial[at]!, at)
      this.#endTurn(false)
    }
    return rows
  }

  isOpen(at: number): boolean {
    return this.exchange.orders.find(this.#workload.serial[at] as Serial) >= 0
  }

  // What the last command did to resting orders.
  #meeting(operationOf: ReadonlyMap<number, number>): Meeting | null {
    const { journal, orders } = this.exchange
    const filled: number[] = []
    let partly: Meeting['partly'] = null
    for (const fact of journal.current) {
      if (fact.kind !== 'TRADE') continue
      const { resting } = fact
      const order = operationOf.get(orders.serial(resting))!
      const isFilled = fact.restingFilled === orders.shares(resting)
      if (isFilled) filled.push(order)
      else partly = { order, shares: fact.shares }
    }
    return filled.length > 0 || partly !== null ? { filled, partly } : null
  }

  #placeOf(at: number): NewOrder {
    const workload = this.#workload
    const book = workload.book[at]!
    const player = workload.player[at]!
    return {
      operator: this.#operatorOf(player),
      marketSerial: this.#marketSerials[book]!,
      outcomeSerial: this.#outcomeSerials[book]!,
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

  #cancelOf(at: number): CancelOrder {
    const { player, serial, target } = this.#workload
    const order = target[at]!
    return { operator: this.#operatorOf(player[order]!), serial: serial[order] as Serial }
  }

  #operatorOf(player: number): Operator {
    return this.#operators[player & 1]!
  }
}
