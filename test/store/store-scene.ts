// A store with two operators, and turns that are made from rows.

import assert from 'node:assert/strict'
import { fieldsOf } from '../../src/store/rows.ts'
import { CommitFailure, RowPacker, type Store, type Turn } from '../../src/store/store.ts'
import { eachGroup } from '../../src/store/unpack-rows.ts'
import { type Adding, house, operatorRow, participant, startMs } from './sample-rows.ts'

/** Where a store is kept: opening it again finds what was stored. */
export type StorePlace = {
  open(): Promise<Store>
  remove(): Promise<void>
}

export type StoreTests = Readonly<Record<string, (scene: StoreScene) => Promise<void>>>

const alone = () => 1

export class StoreScene {
  store: Store
  epoch = 0
  /** Where the next turn begins. */
  sequence = 0
  /** The highest that a row has had. */
  #lastSerial = 0
  readonly #place: StorePlace

  private constructor(place: StorePlace, store: Store) {
    this.#place = place
    this.store = store
  }

  static async open(place: StorePlace): Promise<StoreScene> {
    const scene = new StoreScene(place, await place.open())
    await scene.#take()
    for (const number of [house, participant]) {
      await scene.store.registry.operators.put(operatorRow({ number }))
    }
    return scene
  }

  async reopen(): Promise<void> {
    await this.store.close()
    this.store = await this.#place.open()
    await this.#take()
  }

  async close(): Promise<void> {
    await this.store.close()
    await this.#place.remove()
  }

  /** A turn of one command that follows the last one. */
  turn(adding: readonly Adding[], change: Partial<Turn> = {}): Turn {
    const packer = new RowPacker()
    for (const add of adding) add(packer)
    eachGroup(packer.packed, alone, (kind, _, [first]) => {
      if (fieldsOf[kind]![0]![0] !== 'serial') return
      this.#lastSerial = Math.max(this.#lastSerial, Number(first))
    })
    const from = change.from ?? this.sequence
    return {
      epoch: this.epoch,
      batchId: `batch-${from}`,
      from,
      to: from + 1,
      lastSerial: this.#lastSerial,
      now: startMs,
      rows: packer.packed,
      ...change,
    }
  }

  async commit(...adding: readonly Adding[]): Promise<void> {
    await this.store.shard.commit(this.turn(adding))
    this.sequence += 1
  }

  async #take(): Promise<void> {
    const head = await this.store.shard.take()
    this.epoch = head.epoch
    this.sequence = head.commandSequence
    this.#lastSerial = head.lastSerial
  }
}

/** The failure of a turn that must fail. */
export async function failureOf(commit: Promise<void>): Promise<CommitFailure> {
  const failure = await commit.then(
    () => null,
    (error: unknown) => error,
  )
  assert(failure instanceof CommitFailure, `expected a CommitFailure, not ${failure}`)
  return failure
}
