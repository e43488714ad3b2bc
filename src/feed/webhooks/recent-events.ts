// The rows of events that were committed last, by operator: a webhook that keeps up is served from
// them, and the store is not read. With SQLite, a read would have to wait for the tables.

import type { EventQuery, EventRecordRow, EventRows, OperatorEventRow } from '../../store/store.ts'

/** The rows of an operator, in order and without a gap. */
type Recent = { readonly rows: EventRecordRow[]; size: number }

export const rowsPerOperatorMax = 1_000
/** About as many bytes. It is less than a page of the store may have, so a page always fits. */
export const sizePerOperatorMax = 1_000_000
/** Of all operators together. */
export const sizeMax = 16_000_000
/** What a row needs besides its body. */
const rowSize = 200

export class RecentEvents {
  /** By the number of the operator; the one with the latest row is the last. */
  readonly #operators = new Map<number, Recent>()
  #size = 0

  /** About how many bytes it needs. */
  get size(): number {
    return this.#size
  }

  /** To be called with every row of an operator once it is committed, in order. */
  add({ operatorNumber, ...row }: OperatorEventRow): void {
    const known = this.#operators.get(operatorNumber)
    const isNext = known?.rows.at(-1)?.lastSequence === row.firstSequence - 1
    const recent = known !== undefined && isNext ? known : this.#startAgain(operatorNumber)
    this.#operators.delete(operatorNumber)
    this.#operators.set(operatorNumber, recent)
    recent.rows.push(row)
    this.#resize(recent, sizeOf(row))
    while (recent.rows.length > rowsPerOperatorMax || recent.size > sizePerOperatorMax) {
      this.#dropFirst(recent)
    }
    for (const other of this.#operators.keys()) {
      if (this.#size <= sizeMax) break
      this.delete(other)
    }
  }

  delete(operatorNumber: number): void {
    this.#size -= this.#operators.get(operatorNumber)?.size ?? 0
    this.#operators.delete(operatorNumber)
  }

  /**
   * What the store would answer; null if an event after `since` and up to `head` may be missing
   * here. The earliest sequence is that of the rows here: none before `since` is of interest.
   */
  page(query: EventQuery, head: number): EventRows | null {
    const { operatorNumber, since, types, marketSerial, limit, notBefore } = query
    const recent = this.#operators.get(operatorNumber)
    if (recent === undefined) return null
    const { rows } = recent
    while (rows.length > 0 && rows[0]!.createdAt < notBefore) this.#dropFirst(recent)
    const [first] = rows
    const last = rows.at(-1)
    if (first === undefined || last === undefined) return null
    if (first.firstSequence > since + 1 || last.lastSequence < head) return null
    const start = rows.findLastIndex(({ lastSequence }) => lastSequence <= since) + 1
    const found = rows
      .slice(start)
      .filter((row) => types === null || (row.types & types) !== 0)
      .filter((row) => marketSerial === null || row.marketSerial === marketSerial)
    return {
      rows: found.slice(0, limit),
      hasMore: found.length > limit,
      earliestSequence: first.firstSequence,
      lastSequence: last.lastSequence,
    }
  }

  #startAgain(operatorNumber: number): Recent {
    this.delete(operatorNumber)
    return { rows: [], size: 0 }
  }

  #dropFirst(recent: Recent): void {
    const row = recent.rows.shift()
    if (row !== undefined) this.#resize(recent, -sizeOf(row))
  }

  #resize(recent: Recent, by: number): void {
    recent.size += by
    this.#size += by
  }
}

function sizeOf({ body }: EventRecordRow): number {
  return rowSize + body.length
}
