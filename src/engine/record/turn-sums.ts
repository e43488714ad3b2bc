// Sums over the orders and trades of a turn: candles by outcome, and counts by operator and market.

import type { Serial } from '../../core/ids.ts'
import { issuer, type RowPacker } from '../../store/store.ts'

const minuteMs = 60_000
/** In place of a serial: the counts over all markets of an operator. */
const everyMarket = 0

type Candle = {
  open: number
  high: number
  low: number
  close: number
  shares: number
  trades: number
}

/** By outcome. A turn has one time, so it falls into one minute. */
export class Candles {
  readonly #byOutcome = new Map<Serial, Candle>()

  add(outcomeSerial: Serial, price: number, shares: number): void {
    const candle = this.#byOutcome.get(outcomeSerial)
    if (candle === undefined) {
      const only = { open: price, high: price, low: price, close: price, shares, trades: 1 }
      this.#byOutcome.set(outcomeSerial, only)
      return
    }
    candle.high = Math.max(candle.high, price)
    candle.low = Math.min(candle.low, price)
    candle.close = price
    candle.shares += shares
    candle.trades += 1
  }

  write(rows: RowPacker, now: number): void {
    const minute = Math.floor(now / minuteMs)
    for (const [outcomeSerial, candle] of this.#byOutcome) {
      rows.add('candle', { outcomeSerial, minute, ...candle })
    }
  }
}

type Tally = { orders: number; trades: number }

export class Tallies {
  readonly #byOperator = new Map<number, Map<number, Tally>>()

  addOrder(operatorNumber: number, marketSerial: Serial): void {
    this.#at(operatorNumber, marketSerial).orders += 1
    this.#at(operatorNumber, everyMarket).orders += 1
  }

  addTrade(buyer: number, seller: number, marketSerial: number): void {
    if (buyer !== issuer) this.#addTradeOf(buyer, marketSerial)
    if (seller !== buyer && seller !== issuer) this.#addTradeOf(seller, marketSerial)
  }

  write(rows: RowPacker): void {
    for (const [operatorNumber, byMarket] of this.#byOperator) {
      for (const [marketSerial, tally] of byMarket) {
        rows.add('tally', { operatorNumber, marketSerial, ...tally })
      }
    }
  }

  #addTradeOf(operatorNumber: number, marketSerial: number): void {
    this.#at(operatorNumber, marketSerial).trades += 1
    this.#at(operatorNumber, everyMarket).trades += 1
  }

  #at(operatorNumber: number, marketSerial: number): Tally {
    let byMarket = this.#byOperator.get(operatorNumber)
    if (byMarket === undefined) {
      byMarket = new Map()
      this.#byOperator.set(operatorNumber, byMarket)
    }
    let tally = byMarket.get(marketSerial)
    if (tally === undefined) {
      tally = { orders: 0, trades: 0 }
      byMarket.set(marketSerial, tally)
    }
    return tally
  }
}
