// The brake on the whole exchange. The registry stores it, so that every owner of a shard applies
// it. Each shard also stores a copy, as of the last change that has reached it.

import type { BrakeRow } from '../store/store.ts'
import type { RecordCache } from './record-cache.ts'
import type { WriteQueue } from './write-queue.ts'

/** There is one exchange. */
const id = 'exchange'

export type NewBrake = Pick<BrakeRow, 'mode' | 'reason' | 'until' | 'cancelsOrders'>

export type BrakesOptions = {
  readonly cache: RecordCache<BrakeRow>
  readonly writes: WriteQueue
  readonly now: () => number
  /** Called when a change is visible, so that the shards of this process obey it. */
  readonly onChanged: (brake: BrakeRow) => void
}

export class Brakes {
  readonly #options: BrakesOptions

  constructor(options: BrakesOptions) {
    this.#options = options
  }

  /** null if there was never one. */
  get current(): BrakeRow | null {
    return this.#options.cache.get(id) ?? null
  }

  put(brake: NewBrake): Promise<BrakeRow> {
    const { cache, writes, now, onChanged } = this.#options
    return writes.run(async () => {
      const { current } = this
      const updatedAt = now()
      const createdAt = current?.createdAt ?? updatedAt
      const number = (current?.number ?? 0) + 1
      const row = { id, ...brake, number, createdAt, updatedAt }
      await cache.put(row)
      onChanged(row)
      return row
    })
  }

  /** For a row that is stored already. */
  show(row: BrakeRow): void {
    this.#options.cache.putInMemory(row)
    this.#options.onChanged(row)
  }

  replaceAll(rows: readonly BrakeRow[], { isStart }: { readonly isStart: boolean }): void {
    const before = this.current?.number
    this.#options.cache.replaceAll(rows)
    const { current } = this
    if (!isStart && current !== null && current.number !== before) this.#options.onChanged(current)
  }
}
