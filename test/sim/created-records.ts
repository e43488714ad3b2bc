// The records that the exchange has created so far, collected from its events: the simulator uses
// them to look up serials, and in place of a store.

import type { Event } from '../../src/core/events/events.ts'
import type { Serial } from '../../src/core/ids.ts'
import type { OrderRow } from '../../src/core/memory/memory.ts'
import { decimals, stepsOf } from '../../src/core/money.ts'
import type { Exchange } from '../../src/core/state/exchange.ts'
import type { FailedSettlement } from '../../src/core/state/market.ts'

export class CreatedRecords {
  /** Serials, in the order of creation. */
  readonly markets: Serial[] = []
  readonly orders: { readonly serial: Serial; readonly operator: number }[] = []
  readonly groups: Serial[] = []
  readonly settlements: { readonly marketId: Serial; readonly record: FailedSettlement }[] = []
  /** By operator number. */
  readonly fees: bigint[] = []
  readonly #exchange: Exchange

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  add({ eventType, operatorId, payload }: Event): void {
    if ('outcomes' in payload) this.markets.push(this.serialOf(payload.marketId))
    if ('orderId' in payload && eventType === 'ORDER_PLACED') {
      this.orders.push({ serial: this.serialOf(payload.orderId), operator: numberOf(operatorId) })
    }
    if (!('settlementId' in payload)) return
    const serial = this.serialOf(payload.settlementId)
    if (this.settlements.some(({ record }) => record.serial === serial)) return
    const book = this.#exchange.book(this.serialOf(payload.outcomeId))!
    this.settlements.push({
      marketId: book.market.serial,
      record: {
        serial,
        createdAt: timeOf(payload.settlementId),
        positionSerial: this.serialOf(payload.positionId),
        positionCreatedAt: timeOf(payload.positionId),
        outcome: book.index,
        operatorId: payload.operatorId,
        playerId: payload.playerId,
        shares: stepsOf(payload.shares, decimals.shares)!,
        payoutPerShare: stepsOf(payload.payoutPerShare, decimals.price)!,
      },
    })
  }

  /** Events are recorded operator by operator; settlements are numbered in order of creation. */
  sort(): void {
    this.settlements.sort((a, b) => a.record.serial - b.record.serial)
  }

  /** Adds up the fees of the turn that is about to end. */
  addFees(): void {
    const add = (order: OrderRow, fee: number) => {
      const operator = numberOf(this.#exchange.playerOf(order).operator.id)
      this.fees[operator] = (this.fees[operator] ?? 0n) + BigInt(fee)
    }
    for (const fact of this.#exchange.journal) {
      if (fact.kind === 'LEG') add(fact.order, fact.fee)
      if (fact.kind !== 'TRADE') continue
      add(fact.incoming, fact.incomingFee)
      add(fact.resting, fact.restingFee)
    }
  }

  serialOf(id: string): Serial {
    const serial = this.#exchange.ids.serialOf(id)
    if (serial === null) throw new Error(`${id} is not an id of this exchange`)
    return serial
  }
}

/** The number in the id of a simulated operator. */
export function numberOf(operatorId: string): number {
  return Number(operatorId.slice('operator-'.length))
}

// A version 7 UUID starts with the time of its creation.
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
