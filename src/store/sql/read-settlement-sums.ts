// Adds up the positions of a market that its settlement pays, by operator and outcome.

import type { Serial } from '../../core/ids.ts'
import type { SettlementSums } from '../record-store.ts'
import { exactOf, numberOf, serialOf, textOf } from './cells.ts'
import { all, type Reading } from './reading.ts'

/** Rows that one statement returns: another read may run between two. */
export const rowsPerPart = 5_000

type Sums = { operatorNumber: number; outcomeSerial: Serial; positions: number; shares: bigint }

export function* readSettlementSums(marketSerial: Serial): Reading<SettlementSums> {
  const sums = new Map<string, Sums>()
  let [lastOperator, lastSerial] = [0, 0]
  for (;;) {
    const rows = yield* all(
      `SELECT outcome_serial, shares, operator_number, serial
       FROM positions INDEXED BY positions_by_market
       WHERE market_serial = ? AND (operator_number, serial) > (?, ?)
       ORDER BY operator_number, serial LIMIT ${rowsPerPart}`,
      ...[marketSerial, lastOperator, lastSerial],
    )
    for (const cells of rows) {
      const operatorNumber = numberOf(cells.operator_number)
      const outcomeSerial = serialOf(cells.outcome_serial)
      const key = `${operatorNumber} ${outcomeSerial}`
      const own = sums.get(key) ?? { operatorNumber, outcomeSerial, positions: 0, shares: 0n }
      own.positions += 1
      own.shares += exactOf(cells.shares)
      sums.set(key, own)
      lastOperator = operatorNumber
      lastSerial = serialOf(cells.serial)
    }
    if (rows.length < rowsPerPart) break
  }
  const ids = yield* operatorIdsOf([...sums.values()])
  return [...sums.values()].map(({ operatorNumber, ...own }) => ({
    ...own,
    operatorId: ids.get(operatorNumber) ?? '',
  }))
}

function* operatorIdsOf(sums: readonly Sums[]): Reading<ReadonlyMap<number, string>> {
  const numbers = [...new Set(sums.map(({ operatorNumber }) => operatorNumber))]
  if (numbers.length === 0) return new Map()
  const rows = yield* all('SELECT number, id FROM operators WHERE number = ANY (?)', numbers)
  return new Map(rows.map(({ number, id }) => [numberOf(number), textOf(id)]))
}
