// A registry's store in memory, for tests of what is built on the port: it keeps copies, writes
// take a moment, and it fails when it is told to, before or after it has stored.

import {
  type BrakeRow,
  type CategoryRow,
  type Collection,
  type KeyRow,
  type OperatorRow,
  RegistryBehind,
  type RegistryChanges,
  type RegistryKind,
  type RegistryStore,
  type WebhookRow,
} from '../../../src/store/store.ts'

type Change = readonly [RegistryKind, string]
type Rows<Item> = { readonly rows: Map<string, Item> }

export class StoreFailed extends Error {
  override readonly name = 'StoreFailed'
}

export class MemoryRegistryStore implements RegistryStore {
  readonly operators = this.#collection<OperatorRow>('operators')
  readonly keys = this.#collection<KeyRow>('keys')
  readonly categories = this.#collection<CategoryRow>('categories')
  readonly webhooks = this.#collection<WebhookRow>('webhooks')
  readonly brakes = this.#collection<BrakeRow>('brakes')
  /** What becomes of the next write. */
  nextWrite: 'stored' | 'lost' | 'stored, but failed' = 'stored'
  /** Called when a write is stored and not yet answered. */
  onStored: () => void = () => undefined
  /** What each version has changed; the first is version 1. */
  readonly #changes: (readonly Change[])[] = []
  /** The changes up to this version are no longer known. */
  forgottenUpTo = 0

  addOperator(operator: OperatorRow, key: KeyRow, decidedOn?: number): Promise<number> {
    const changes: Change[] = [
      ['operators', operator.id],
      ['keys', key.id],
    ]
    return this.#write(changes, decidedOn, () => {
      this.operators.rows.set(operator.id, structuredClone(operator))
      this.keys.rows.set(key.id, structuredClone(key))
    })
  }

  async version(): Promise<number> {
    return this.#changes.length
  }

  async changesSince(version: number): Promise<RegistryChanges | null> {
    if (version < this.forgottenUpTo) return null
    const changes = this.#changes.slice(version).flat()
    const changed = <Item>(kind: RegistryKind, { rows }: Rows<Item>) => {
      const ids = new Set(changes.filter(([of]) => of === kind).map(([, id]) => id))
      return [...ids].map((id) => ({ id, row: structuredClone(rows.get(id)) ?? null }))
    }
    return {
      version: this.#changes.length,
      operators: changed('operators', this.operators),
      keys: changed('keys', this.keys),
      categories: changed('categories', this.categories),
      webhooks: changed('webhooks', this.webhooks),
      brakes: changed('brakes', this.brakes),
    }
  }

  #collection<Item extends { readonly id: string }>(kind: RegistryKind) {
    const rows = new Map<string, Item>()
    const collection: Collection<Item> & Rows<Item> = {
      rows,
      all: async () => structuredClone([...rows.values()]).reverse(),
      put: (item, decidedOn) =>
        this.#write([[kind, item.id]], decidedOn, () => rows.set(item.id, structuredClone(item))),
      delete: (id, decidedOn) => this.#write([[kind, id]], decidedOn, () => rows.delete(id)),
    }
    return collection
  }

  async #write(
    changes: readonly Change[],
    decidedOn: number | undefined,
    store: () => void,
  ): Promise<number> {
    const fate = this.nextWrite
    this.nextWrite = 'stored'
    await new Promise((resolve) => setImmediate(resolve))
    if (fate === 'lost') throw new StoreFailed('The write was lost.')
    const before = this.#changes.length
    if (decidedOn !== undefined && decidedOn !== before) throw new RegistryBehind(decidedOn, before)
    store()
    this.#changes.push(changes)
    this.onStored()
    await new Promise((resolve) => setImmediate(resolve))
    if (fate === 'stored, but failed') throw new StoreFailed('The answer was lost.')
    return before + 1
  }
}
