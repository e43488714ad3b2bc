// Sums that may overflow in SQL: the two halves of the numbers are added up separately.

import { type Cells, exactOf } from './cells.ts'

/** The columns of a sum, which `sumOf` reads by the same name. */
export function exact(expression: string, name: string): string {
  const half = (bits: string) => `CAST(sum((${expression}) ${bits}) AS TEXT)`
  return `${half('>> 32')} AS ${name}_high, ${half('& 4294967295')} AS ${name}_low`
}

export function sumOf(cells: Cells, name: string): bigint {
  return exactOf(cells[`${name}_high`]) * 2n ** 32n + exactOf(cells[`${name}_low`])
}
