// A registry's store in memory, for tests of what is built on the port: it keeps copies, writes
// take a moment, and it fails when it is told to, before or after it has stored.

import type {
  CategoryRow,
  Collection,
  KeyRow,
  OperatorRow,
  RegistryStore,
  WebhookRow,
} from '../../../src/store/store.ts'

export class StoreFailed extends Error {
  override readonly name = 'StoreFailed'
}

export class MemoryRegistryStore implements RegistryStore {
  readonly operators = this.#collection<OperatorRow>()
  readonly keys = this.#collection<KeyRow>()
  readonly categories = this.#collection<CategoryRow>()
  readonly webhooks = this.#collection<WebhookRow>()
  /** What becomes of the next write. */
  nextWrite: 'stored' | 'lost' | 'stored, but failed' = 'stored'
  /** Called when a write is stored and not yet answered. */
  onStored: () => void = () => undefined

  async addOperator(operator: OperatorRow, key: KeyRow): Promise<void> {
    await this.#write(() => {
      this.operators.rows.set(operator.id, structuredClone(operator))
      this.keys.rows.set(key.id, structuredClone(key))
    })
  }

  #collection<Item extends { readonly id: string }>() {
    const rows = new Map<string, Item>()
    const collection: Collection<Item> & { readonly rows: Map<string, Item> } = {
      rows,
      all: async () => structuredClone([...rows.values()]).reverse(),
      put: (item) => this.#write(() => rows.set(item.id, structuredClone(item))),
      delete: (id) => this.#write(() => rows.delete(id)),
    }
    return collection
  }

  async #write(store: () => void): Promise<void> {
    const fate = this.nextWrite
    this.nextWrite = 'stored'
    await new Promise((resolve) => setImmediate(resolve))
    if (fate === 'lost') throw new StoreFailed('The write was lost.')
    store()
    this.onStored()
    await new Promise((resolve) => setImmediate(resolve))
    if (fate === 'stored, but failed') throw new StoreFailed('The answer was lost.')
  }
}
