// Adds up everything that is stored of a market: sets, trades, positions, settlements. Nothing
// that was counted along the way is believed.

import { MERGE, MINT, marketStatuses } from '../../core/words.ts'
import type { Reconciliation } from '../record-store.ts'
import { type Cells, exactOf, numberOf, textOf, wordOf } from './cells.ts'
import type { Statements } from './connection.ts'
import { countSettlements } from './read-holdings.ts'

/** Trades are added up so many at a time: sorting them into groups takes memory. */
const tradesPerPart = 20_000

type OutcomeSums = { shares: bigint; minted: bigint; merged: bigint }
type OperatorSums = {
  setsMinted: bigint
  setsRedeemed: bigint
  bought: bigint
  sold: bigint
  fees: bigint
}

export function readReconciliation(statements: Statements, market: number): Reconciliation {
  const sums = new Sums(statements, market)
  sums.addSets()
  sums.addTrades()
  sums.addPositions()
  return sums.result
}

class Sums {
  readonly #statements: Statements
  readonly #market: number
  readonly #outcomes = new Map<number, OutcomeSums>()
  readonly #operators = new Map<number, OperatorSums>()

  constructor(statements: Statements, market: number) {
    this.#statements = statements
    this.#market = market
    const outcomes = statements.get('SELECT serial FROM outcomes WHERE market = ? ORDER BY place')
    for (const { serial } of outcomes.all(market)) this.#outcome(numberOf(serial))
  }

  addSets(): void {
    const groups = this.#statements
      .get(
        `SELECT operator, ${exact('iif(is_redeem, 0, shares)', 'minted')},
           ${exact('iif(is_redeem, shares, 0)', 'redeemed')}
         FROM sets INDEXED BY sets_by_market WHERE market = ? GROUP BY operator`,
      )
      .all(this.#market)
    for (const cells of groups) {
      const operator = this.#operator(numberOf(cells.operator))
      operator.setsMinted += sumOf(cells, 'minted')
      operator.setsRedeemed += sumOf(cells, 'redeemed')
    }
  }

  addTrades(): void {
    const part = this.#statements.get(
      `SELECT outcome, kind, buyer, seller, max(serial) AS last, ${exact('shares', 'traded')},
         ${exact('shares * price', 'value')}, ${exact('buyer_fee', 'buyer_fees')},
         ${exact('seller_fee', 'seller_fees')}
       FROM (
         SELECT * FROM trades INDEXED BY trades_by_market WHERE market = ? AND serial > ?
         ORDER BY serial LIMIT ${tradesPerPart}
       ) GROUP BY outcome, kind, buyer, seller`,
    )
    for (let after = 0; ; ) {
      const groups = part.all(this.#market, after)
      if (groups.length === 0) return
      for (const cells of groups) {
        this.#addTradesOf(cells)
        after = Math.max(after, numberOf(cells.last))
      }
    }
  }

  // Nobody's order stands on the side of a trade that issued the shares, or took them back.
  #addTradesOf(cells: Cells): void {
    const outcome = this.#outcome(numberOf(cells.outcome))
    if (cells.kind === MINT) outcome.minted += sumOf(cells, 'traded')
    if (cells.kind === MERGE) outcome.merged += sumOf(cells, 'traded')
    if (cells.kind !== MERGE) {
      const buyer = this.#operator(numberOf(cells.buyer))
      buyer.bought += sumOf(cells, 'value')
      buyer.fees += sumOf(cells, 'buyer_fees')
    }
    if (cells.kind !== MINT) {
      const seller = this.#operator(numberOf(cells.seller))
      seller.sold += sumOf(cells, 'value')
      seller.fees += sumOf(cells, 'seller_fees')
    }
  }

  addPositions(): void {
    const rows = this.#statements
      .get('SELECT outcome, shares FROM positions INDEXED BY positions_by_market WHERE market = ?')
      .iterate(this.#market)
    for (const { outcome, shares } of rows) {
      this.#outcome(numberOf(outcome)).shares += exactOf(shares)
    }
  }

  get result(): Reconciliation {
    const { payout } = countSettlements(this.#statements, this.#market)
    const status = this.#statements
      .get('SELECT status FROM markets WHERE serial = ?')
      .get(this.#market)?.status
    const operators = [...this.#operators].map(([number, sums]) => ({
      operatorId: this.#operatorId(number),
      ...sums,
    }))
    return {
      outcomes: [...this.#outcomes].map(([outcome, sums]) => ({ outcome, ...sums })),
      operators,
      setsMinted: operators.reduce((sum, { setsMinted }) => sum + setsMinted, 0n),
      setsRedeemed: operators.reduce((sum, { setsRedeemed }) => sum + setsRedeemed, 0n),
      payouts: payout,
      isSettled: status !== undefined && wordOf(marketStatuses, status) === 'SETTLED',
    }
  }

  #outcome(serial: number): OutcomeSums {
    const sums = this.#outcomes.get(serial) ?? { shares: 0n, minted: 0n, merged: 0n }
    this.#outcomes.set(serial, sums)
    return sums
  }

  #operator(number: number): OperatorSums {
    const none = { setsMinted: 0n, setsRedeemed: 0n, bought: 0n, sold: 0n, fees: 0n }
    const sums = this.#operators.get(number) ?? none
    this.#operators.set(number, sums)
    return sums
  }

  #operatorId(number: number): string {
    const found = this.#statements.get('SELECT id FROM operators WHERE number = ?').get(number)
    return textOf(found?.id)
  }
}

// A sum may pass what SQL counts, so both halves of the numbers are added up on their own.
function exact(expression: string, name: string): string {
  const half = (bits: string) => `CAST(sum((${expression}) ${bits}) AS TEXT)`
  return `${half('>> 32')} AS ${name}_high, ${half('& 0xffffffff')} AS ${name}_low`
}

function sumOf(cells: Cells, name: string): bigint {
  return exactOf(cells[`${name}_high`]) * 2n ** 32n + exactOf(cells[`${name}_low`])
}
