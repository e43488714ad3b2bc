// Adds up all stored sets, trades, positions and settlements of a market. No counter is used.

import type { Serial } from '../../core/ids.ts'
import { MERGE, MINT, marketStatuses } from '../../core/words.ts'
import type { Reconciliation } from '../record-store.ts'
import { type Cells, exactOf, numberOf, serialOf, textOf, wordOf } from './cells.ts'
import { exact, sumOf } from './exact-sums.ts'
import { countSettlements } from './read-holdings.ts'
import { all, first, type Reading } from './reading.ts'

/** Rows that one statement adds up: grouping takes memory. */
const rowsPerPart = 20_000

type OutcomeSums = { shares: bigint; minted: bigint; merged: bigint }
type OperatorSums = {
  setsMinted: bigint
  setsRedeemed: bigint
  bought: bigint
  sold: bigint
  fees: bigint
}

export function* readReconciliation(marketSerial: Serial): Reading<Reconciliation> {
  const sums = new Sums(marketSerial)
  yield* sums.addOutcomes()
  yield* sums.addSets()
  yield* sums.addTrades()
  yield* sums.addPositions()
  return yield* sums.result()
}

class Sums {
  readonly #marketSerial: Serial
  readonly #outcomes = new Map<Serial, OutcomeSums>()
  readonly #operators = new Map<number, OperatorSums>()

  constructor(marketSerial: Serial) {
    this.#marketSerial = marketSerial
  }

  *addOutcomes(): Reading<void> {
    const text = 'SELECT serial FROM outcomes WHERE market_serial = ? ORDER BY place'
    for (const { serial } of yield* all(text, this.#marketSerial)) this.#outcome(serialOf(serial))
  }

  *addSets(): Reading<void> {
    const groups = yield* all(
      `SELECT operator_number, ${exact('(1 - is_redeem) * shares', 'minted')},
         ${exact('is_redeem * shares', 'redeemed')}
       FROM sets INDEXED BY sets_by_market WHERE market_serial = ? GROUP BY operator_number`,
      this.#marketSerial,
    )
    for (const cells of groups) {
      const operator = this.#operator(numberOf(cells.operator_number))
      operator.setsMinted += sumOf(cells, 'minted')
      operator.setsRedeemed += sumOf(cells, 'redeemed')
    }
  }

  *addTrades(): Reading<void> {
    const part = `
      SELECT outcome_serial, kind, buyer_number, seller_number, max(serial) AS last,
         ${exact('shares', 'traded')}, ${exact('shares * price', 'value')},
         ${exact('buyer_fee', 'buyer_fees')}, ${exact('seller_fee', 'seller_fees')}
       FROM (
         SELECT * FROM trades_of_market WHERE key_market_serial = ? AND key_serial > ?
         ORDER BY key_serial LIMIT ${rowsPerPart}
       ) AS part GROUP BY outcome_serial, kind, buyer_number, seller_number`
    for (let after = 0; ; ) {
      const groups = yield* all(part, this.#marketSerial, after)
      if (groups.length === 0) return
      for (const cells of groups) {
        this.#addTradesOf(cells)
        after = Math.max(after, numberOf(cells.last))
      }
    }
  }

  // The issuer's side of a MINT or MERGE has no order and counts for no operator.
  #addTradesOf(cells: Cells): void {
    const outcome = this.#outcome(serialOf(cells.outcome_serial))
    if (cells.kind === MINT) outcome.minted += sumOf(cells, 'traded')
    if (cells.kind === MERGE) outcome.merged += sumOf(cells, 'traded')
    if (cells.kind !== MERGE) {
      const buyer = this.#operator(numberOf(cells.buyer_number))
      buyer.bought += sumOf(cells, 'value')
      buyer.fees += sumOf(cells, 'buyer_fees')
    }
    if (cells.kind !== MINT) {
      const seller = this.#operator(numberOf(cells.seller_number))
      seller.sold += sumOf(cells, 'value')
      seller.fees += sumOf(cells, 'seller_fees')
    }
  }

  *addPositions(): Reading<void> {
    let last = { operatorNumber: 0, serial: 0 }
    for (;;) {
      const rows = yield* all(
        `SELECT outcome_serial, shares, operator_number, serial
         FROM positions INDEXED BY positions_by_market
         WHERE market_serial = ? AND (operator_number, serial) > (?, ?)
         ORDER BY operator_number, serial LIMIT ${rowsPerPart}`,
        this.#marketSerial,
        last.operatorNumber,
        last.serial,
      )
      for (const cells of rows) {
        this.#outcome(serialOf(cells.outcome_serial)).shares += exactOf(cells.shares)
        last = {
          operatorNumber: numberOf(cells.operator_number),
          serial: serialOf(cells.serial),
        }
      }
      if (rows.length < rowsPerPart) return
    }
  }

  *result(): Reading<Reconciliation> {
    const marketSerial = this.#marketSerial
    const { payout } = yield* countSettlements({ marketSerial, operatorNumber: null })
    const market = yield* first('SELECT status FROM markets WHERE serial = ?', marketSerial)
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

  #outcome(serial: Serial): OutcomeSums {
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
