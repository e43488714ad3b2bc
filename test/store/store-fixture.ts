// A store with two operators, for tests that commit rows.

import assert from 'node:assert/strict'
import { rowsOf } from '../../src/store/row-bytes.ts'
import { fieldsOf } from '../../src/store/rows.ts'
import {
  CommitFailure,
  RowPacker,
  type ShardStore,
  type Store,
  type Turn,
} from '../../src/store/store.ts'
import { placesOf } from '../../src/store/unpack-rows.ts'
import { onlyShard } from '../support/store/only-shard.ts'
import { type Adding, operatorRow, owner, participant, startMs } from './sample-rows.ts'

/** The location of a store; opening it again finds the stored records. */
export type StorePlace = {
  open(): Promise<Store>
  remove(): Promise<void>
}

export type StoreTests = Readonly<Record<string, (fixture: StoreFixture) => Promise<void>>>

export class StoreFixture {
  store: Store
  epoch = 0
  /** The command sequence before the next turn. */
  sequence = 0
  /** The highest serial of all rows. */
  #lastSerial = 0
  readonly #place: StorePlace

  private constructor(place: StorePlace, store: Store) {
    this.#place = place
    this.store = store
  }

  static async open(place: StorePlace): Promise<StoreFixture> {
    const fixture = new StoreFixture(place, await place.open())
    await fixture.#claim()
    for (const number of [owner, participant]) {
      await fixture.store.registry.operators.put(operatorRow({ number }))
    }
    return fixture
  }

  get shard(): ShardStore {
    return onlyShard(this.store)
  }

  async reopen(): Promise<void> {
    await this.store.close()
    this.store = await this.#place.open()
    await this.#claim()
  }

  async close(): Promise<void> {
    await this.store.close()
    await this.#place.remove()
  }

  /** A turn of one command after the last turn. */
  turn(adding: readonly Adding[], change: Partial<Turn> = {}): Turn {
    const packer = new RowPacker()
    for (const add of adding) add(packer)
    const packed = rowsOf(packer.bytes)
    const { numbers } = packed
    for (const at of placesOf(packed)) {
      if (fieldsOf[numbers[at]!]![0]![0] !== 'serial') continue
      this.#lastSerial = Math.max(this.#lastSerial, numbers[at + 1]!)
    }
    const from = change.from ?? this.sequence
    return {
      epoch: this.epoch,
      batchId: `batch-${from}`,
      from,
      to: from + 1,
      lastSerial: this.#lastSerial,
      now: startMs,
      rows: packer.bytes,
      ...change,
    }
  }

  async commit(...adding: readonly Adding[]): Promise<void> {
    await this.shard.commit(this.turn(adding))
    this.sequence += 1
  }

  async #claim(): Promise<void> {
    const head = await this.shard.claim()
    this.epoch = head.epoch
    this.sequence = head.commandSequence
    this.#lastSerial = head.lastSerial
  }
}

/** The failure of a commit that must fail. */
export async function failureOf(commit: Promise<void>): Promise<CommitFailure> {
  const failure = await commit.then(
    () => null,
    (error: unknown) => error,
  )
  assert(failure instanceof CommitFailure, `expected a CommitFailure, not ${failure}`)
  return failure
}
