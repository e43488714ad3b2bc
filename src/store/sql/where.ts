// Collects the conditions of a query with their values.

import type { Page, Total } from '../record-store.ts'
import type { Parameter } from './reading.ts'

export class Where {
  readonly #conditions: string[] = []
  readonly #values: Parameter[] = []

  and(condition: string, ...values: Parameter[]): this {
    this.#conditions.push(condition)
    this.#values.push(...values)
    return this
  }

  /** Adds the condition unless the value is null. */
  andIfGiven(condition: string, value: number | string | null): this {
    return value === null ? this : this.and(condition, value)
  }

  /** Adds a condition that the column has one of the values; null for any value. */
  andAmong(column: string, values: readonly (number | string)[] | null): this {
    if (values === null) return this
    return this.and(`${column} = ANY (?)`, values)
  }

  get text(): string {
    return this.#conditions.join(' AND ')
  }

  get values(): readonly Parameter[] {
    return this.#values
  }
}

/** A page from rows that were read with one row more than the limit. */
export function pageOf<Item>(
  rows: readonly Item[],
  { limit, ...total }: Total & { readonly limit: number },
): Page<Item> {
  return { rows: rows.slice(0, limit), ...total, hasMore: rows.length > limit }
}
