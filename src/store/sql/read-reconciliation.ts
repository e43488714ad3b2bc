// Adds up everything that is stored of a market: sets, trades, positions, settlements. Nothing
// that was counted along the way is believed.

import { MERGE, MINT, marketStatuses } from '../../core/words.ts'
import type { Reconciliation } from '../record-store.ts'
import { type Cells, exactOf, numberOf, textOf, wordOf } from './cells.ts'
import { countSettlements } from './read-holdings.ts'
import { all, first, type Reading } from './reading.ts'

/** Rows are added up so many at a time: sorting them into groups takes memory. */
const rowsPerPart = 20_000

type OutcomeSums = { shares: bigint; minted: bigint; merged: bigint }
type OperatorSums = {
  setsMinted: bigint
  setsRedeemed: bigint
  bought: bigint
  sold: bigint
  fees: bigint
}

export function* readReconciliation(market: number): Reading<Reconciliation> {
  const sums = new Sums(market)
  yield* sums.addOutcomes()
  yield* sums.addSets()
  yield* sums.addTrades()
  yield* sums.addPositions()
  return yield* sums.result()
}

class Sums {
  readonly #market: number
  readonly #outcomes = new Map<number, OutcomeSums>()
  readonly #operators = new Map<number, OperatorSums>()

  constructor(market: number) {
    this.#market = market
  }

  *addOutcomes(): Reading<void> {
    const text = 'SELECT serial FROM outcomes WHERE market = ? ORDER BY place'
    for (const { serial } of yield* all(text, this.#market)) this.#outcome(numberOf(serial))
  }

  *addSets(): Reading<void> {
    const groups = yield* all(
      `SELECT operator, ${exact('(1 - is_redeem) * shares', 'minted')},
         ${exact('is_redeem * shares', 'redeemed')}
       FROM sets INDEXED BY sets_by_market WHERE market = ? GROUP BY operator`,
      this.#market,
    )
    for (const cells of groups) {
      const operator = this.#operator(numberOf(cells.operator))
      operator.setsMinted += sumOf(cells, 'minted')
      operator.setsRedeemed += sumOf(cells, 'redeemed')
    }
  }

  *addTrades(): Reading<void> {
    const part = `
      SELECT outcome, kind, buyer, seller, max(serial) AS last, ${exact('shares', 'traded')},
         ${exact('shares * price', 'value')}, ${exact('buyer_fee', 'buyer_fees')},
         ${exact('seller_fee', 'seller_fees')}
       FROM (
         SELECT * FROM trades_of_market WHERE of_market = ? AND at > ?
         ORDER BY at LIMIT ${rowsPerPart}
       ) AS part GROUP BY outcome, kind, buyer, seller`
    for (let after = 0; ; ) {
      const groups = yield* all(part, this.#market, after)
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

  *addPositions(): Reading<void> {
    let last = { operator: 0, serial: 0 }
    for (;;) {
      const rows = yield* all(
        `SELECT outcome, shares, operator, serial FROM positions INDEXED BY positions_by_market
         WHERE market = ? AND (operator, serial) > (?, ?) ORDER BY operator, serial
         LIMIT ${rowsPerPart}`,
        this.#market,
        last.operator,
        last.serial,
      )
      for (const { outcome, shares, operator, serial } of rows) {
        this.#outcome(numberOf(outcome)).shares += exactOf(shares)
        last = { operator: numberOf(operator), serial: numberOf(serial) }
      }
      if (rows.length < rowsPerPart) return
    }
  }

  *result(): Reading<Reconciliation> {
    const { payout } = yield* countSettlements(this.#market)
    const market = yield* first('SELECT status FROM markets WHERE serial = ?', this.#market)
    const status = market?.status
    const operators: Reconciliation['operators'][number][] = []
    for (const [number, sums] of this.#operators) {
      operators.push({ operatorId: yield* operatorIdOf(number), ...sums })
    }
    return {
      outcomes: [...this.#outcomes].map(([outcomeSerial, sums]) => ({ outcomeSerial, ...sums })),
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
}

function* operatorIdOf(number: number): Reading<string> {
  const found = yield* first('SELECT id FROM operators WHERE number = ?', number)
  return textOf(found?.id)
}

// A sum may pass what SQL counts, so both halves of the numbers are added up on their own.
function exact(expression: string, name: string): string {
  const half = (bits: string) => `CAST(sum((${expression}) ${bits}) AS TEXT)`
  return `${half('>> 32')} AS ${name}_high, ${half('& 4294967295')} AS ${name}_low`
}

function sumOf(cells: Cells, name: string): bigint {
  return exactOf(cells[`${name}_high`]) * 2n ** 32n + exactOf(cells[`${name}_low`])
}
