// The store of the registry, with the version that the memory is decided on: every write states it,
// so that none is stored that another node's change has overtaken.

import type {
  BrakeRow,
  CategoryRow,
  Collection,
  KeyRow,
  OperatorRow,
  RegistryStore,
  WebhookRow,
} from '../store/store.ts'

/** Writes state the version themselves. */
export type VersionedCollection<Item> = {
  readonly all: () => Promise<readonly Item[]>
  readonly put: (item: Item) => Promise<void>
  readonly delete: (id: string) => Promise<void>
}

export class VersionedStore {
  readonly operators: VersionedCollection<OperatorRow>
  readonly keys: VersionedCollection<KeyRow>
  readonly categories: VersionedCollection<CategoryRow>
  readonly webhooks: VersionedCollection<WebhookRow>
  readonly brakes: VersionedCollection<BrakeRow>
  /** Of the last change that was read or written here. */
  version = 0
  readonly #store: RegistryStore

  constructor(store: RegistryStore) {
    this.#store = store
    this.operators = this.#collection(store.operators)
    this.keys = this.#collection(store.keys)
    this.categories = this.#collection(store.categories)
    this.webhooks = this.#collection(store.webhooks)
    this.brakes = this.#collection(store.brakes)
  }

  async addOperator(operator: OperatorRow, key: KeyRow): Promise<void> {
    this.version = await this.#store.addOperator(operator, key, this.version)
  }

  #collection<Item extends { readonly id: string }>(
    stored: Collection<Item>,
  ): VersionedCollection<Item> {
    return {
      all: () => stored.all(),
      put: async (item) => {
        this.version = await stored.put(item, this.version)
      },
      delete: async (id) => {
        this.version = await stored.delete(id, this.version)
      },
    }
  }
}
