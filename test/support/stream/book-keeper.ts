// Rebuilds a book from its snapshot and its updates, as a client of the protocol does, and keeps
// its state at each version.

import assert from 'node:assert/strict'
import type { Json } from '../process/outcry-process.ts'

export class BookKeeper {
  version: number | null = null
  snapshots = 0
  readonly #bids = new Map<number, Json>()
  readonly #asks = new Map<number, Json>()
  readonly #past = new Map<number, string>()

  receive(message: Json): void {
    if (message.type === 'orderbook.snapshot') {
      this.snapshots += 1
      this.#bids.clear()
      this.#asks.clear()
    } else {
      assert.equal(message.version, (this.version ?? Number.NaN) + 1, 'versions follow by one')
    }
    if (this.version !== null) assert.ok(message.version >= this.version, 'never back')
    this.version = message.version
    apply(this.#bids, message.bids)
    apply(this.#asks, message.asks)
    this.#past.set(message.version, this.#text())
  }

  at(version: number): string | undefined {
    return this.#past.get(version)
  }

  #text(): string {
    const bids = [...this.#bids.values()].sort((one, other) => other.price - one.price)
    const asks = [...this.#asks.values()].sort((one, other) => one.price - other.price)
    return bookText({ bids, asks })
  }
}

export function bookText({ bids, asks }: Json): string {
  return JSON.stringify({ bids, asks })
}

function apply(side: Map<number, Json>, levels: readonly Json[]): void {
  for (const level of levels) {
    if (level.shares === 0) side.delete(level.price)
    else side.set(level.price, level)
  }
}
