// All records of one kind in memory, by id and by the operator they belong to. A write goes to the
// store first.

import type { VersionedCollection } from './versioned-store.ts'

type Dated = { readonly id: string; readonly createdAt: number }

export class RecordCache<Row extends Dated> {
  readonly #stored: VersionedCollection<Row>
  readonly #ownerOf: (row: Row) => string | null
  #rows = new Map<string, Row>()
  #byOwner = new Map<string | null, Map<string, Row>>()

  constructor(stored: VersionedCollection<Row>, ownerOf: (row: Row) => string | null) {
    this.#stored = stored
    this.#ownerOf = ownerOf
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id)
  }

  all(): Iterable<Row> {
    return this.#rows.values()
  }

  /** Newest first. */
  of(owner: string | null): Row[] {
    return [...this.unsorted(owner)].sort(newestFirst)
  }

  /** In any order, without the cost of sorting. */
  unsorted(owner: string | null): Iterable<Row> {
    return this.#byOwner.get(owner)?.values() ?? []
  }

  countOf(owner: string | null): number {
    return this.#byOwner.get(owner)?.size ?? 0
  }

  async put(row: Row): Promise<void> {
    await this.#stored.put(row)
    this.putInMemory(row)
  }

  async delete(row: Row): Promise<void> {
    await this.#stored.delete(row.id)
    this.deleteInMemory(row)
  }

  /** For a row that is stored already. */
  putInMemory(row: Row): void {
    const owner = this.#ownerOf(row)
    const siblings = this.#byOwner.get(owner) ?? new Map<string, Row>()
    siblings.set(row.id, row)
    this.#byOwner.set(owner, siblings)
    this.#rows.set(row.id, row)
  }

  /** For a row that is deleted already. */
  deleteInMemory(row: Row): void {
    this.#rows.delete(row.id)
    this.#byOwner.get(this.#ownerOf(row))?.delete(row.id)
  }

  readStored(): Promise<readonly Row[]> {
    return this.#stored.all()
  }

  /** Replaces what is in memory. */
  replaceAll(rows: readonly Row[]): void {
    this.#rows = new Map()
    this.#byOwner = new Map()
    for (const row of rows) this.putInMemory(row)
  }
}

/** By id if the times are equal, so that the order does not change with a restart. */
function newestFirst(one: Dated, other: Dated): number {
  return other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1)
}
