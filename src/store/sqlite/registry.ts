// The registry in SQLite. One process writes, for itself and for its front ends: the version counts
// its writes, and the latest changes are kept for those that have to apply them.

import type { ReadLanes } from '../read-lanes.ts'
import {
  type Changed,
  type Collection,
  RegistryBehind,
  type RegistryChanges,
  type RegistryKind,
  type RegistryStore,
} from '../registry-store.ts'
import type { Item, TableName } from '../sql/registry-tables.ts'
import type { Thread } from '../thread.ts'
import type { Reader } from './reader.ts'
import type { WriterCalls } from './writer-thread.ts'

/** More changes than these are read as a whole. */
const changesMax = 1_000

type Change = { readonly version: number; readonly kind: RegistryKind } & Changed<Item>
type Row = Item & { readonly id: string }

/** Reads a whole table, also in a process that does not write. */
export function readTable<Row>(
  lanes: ReadLanes<Reader>,
  table: TableName,
): Promise<readonly Row[]> {
  const rows = lanes.readForService((reader) => reader.call('all', table))
  // The table has a column for every field of the item's type; see registry-tables.ts.
  return rows as Promise<readonly unknown[]> as Promise<readonly Row[]>
}

export function registryStore(
  writer: Thread<WriterCalls>,
  lanes: ReadLanes<Reader>,
): RegistryStore {
  const log = new ChangeLog()
  const collection = <Stored extends { readonly id: string }>(
    table: RegistryKind,
  ): Collection<Stored> => ({
    all: () => readTable<Stored>(lanes, table),
    put: (stored, decidedOn) => {
      const item = stored as unknown as Row
      const changed = [{ kind: table, id: item.id, row: item }]
      return log.write(decidedOn, changed, () => writer.call('put', { table, item }))
    },
    delete: (id, decidedOn) => {
      const changed = [{ kind: table, id, row: null }]
      return log.write(decidedOn, changed, () => writer.call('delete', { table, id }))
    },
  })
  return {
    operators: collection('operators'),
    keys: collection('keys'),
    categories: collection('categories'),
    webhooks: collection('webhooks'),
    brakes: collection('brakes'),
    addOperator: (operator, key, decidedOn) => {
      const changed = [
        { kind: 'operators' as const, id: operator.id, row: operator },
        { kind: 'keys' as const, id: key.id, row: key },
      ]
      return log.write(decidedOn, changed, () => writer.call('addOperator', { operator, key }))
    },
    version: async () => log.version,
    changesSince: async (version) => log.since(version),
  }
}

class ChangeLog {
  version = 0
  #changes: Change[] = []
  /** Earlier changes are no longer known. */
  #knownFrom = 0
  #last: Promise<unknown> = Promise.resolve()

  /** One after the other: each is decided on the version that the one before has made. */
  write(
    decidedOn: number | undefined,
    changed: readonly Omit<Change, 'version'>[],
    store: () => Promise<void>,
  ): Promise<number> {
    const written = this.#last.then(async () => {
      if (decidedOn !== undefined && decidedOn !== this.version) {
        throw new RegistryBehind(decidedOn, this.version)
      }
      try {
        await store()
      } catch (error) {
        // It may be stored. No process has it in memory, so all of them read the whole again.
        this.#forget()
        throw error
      }
      return this.#add(changed)
    })
    this.#last = written.catch(() => undefined)
    return written
  }

  since(version: number): RegistryChanges | null {
    if (version < this.#knownFrom) return null
    const latest = new Map<string, Change>()
    for (const change of this.#changes) {
      if (change.version > version) latest.set(`${change.kind} ${change.id}`, change)
    }
    const of = <Stored>(wanted: RegistryKind) =>
      [...latest.values()]
        .filter(({ kind }) => kind === wanted)
        .map(({ id, row }) => ({ id, row: row as Stored | null }))
    return {
      version: this.version,
      operators: of('operators'),
      keys: of('keys'),
      categories: of('categories'),
      webhooks: of('webhooks'),
      brakes: of('brakes'),
    }
  }

  #add(changed: readonly Omit<Change, 'version'>[]): number {
    this.version += 1
    for (const change of changed) this.#changes.push({ ...change, version: this.version })
    const dropped = this.#changes.splice(0, Math.max(0, this.#changes.length - changesMax))
    this.#knownFrom = dropped.at(-1)?.version ?? this.#knownFrom
    return this.version
  }

  #forget(): void {
    this.version += 1
    this.#changes = []
    this.#knownFrom = this.version
  }
}
