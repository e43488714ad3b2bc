// Conditions of a query with their values, collected one by one.

import type { Parameter } from './reading.ts'

export class Where {
  readonly #conditions: string[] = []
  readonly #values: Parameter[] = []

  and(condition: string, ...values: Parameter[]): this {
    this.#conditions.push(condition)
    this.#values.push(...values)
    return this
  }

  /** Leaves it out where there is no value. */
  andIfGiven(condition: string, value: number | string | null): this {
    return value === null ? this : this.and(condition, value)
  }

  /** One of a list of any length; null stands for any. */
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

/** Takes the one row too many that was asked for. */
export function pageOf<Item>(
  rows: readonly Item[],
  { limit, total }: { limit: number; total: number },
): { rows: readonly Item[]; total: number; hasMore: boolean } {
  return { rows: rows.slice(0, limit), total, hasMore: rows.length > limit }
}
