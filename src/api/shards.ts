// The shards of the exchange as the API uses them. The records of an operator are all in one shard,
// and a public id has the number of its shard.

import { assert } from '../core/assert.ts'
import { type Ids, shardOfId } from '../core/ids.ts'
import type { Rules } from '../core/state/exchange.ts'
import { type CostOf, type Submit, type SubmitAll, Unavailable } from '../engine/commands.ts'
import type { ReadsFor, RecordStore } from '../store/store.ts'

export type ShardAccess = {
  readonly ids: Ids
  /** The same in every shard. */
  readonly rules: Rules
  readonly submit: Submit
  readonly submitAll: SubmitAll
  readonly costOf: CostOf
  /** For commands and streams: an answer to a command that was carried out must not be refused. */
  readonly reads: RecordStore
  /** For requests that only read. */
  readonly readsFor: ReadsFor
}

export class Shards {
  readonly #shards: readonly ShardAccess[]
  readonly #first: ShardAccess

  /** In order of their numbers, which count from 0. */
  constructor(shards: readonly ShardAccess[]) {
    const [first] = shards
    assert(first !== undefined, 'an exchange has a shard')
    this.#shards = shards
    this.#first = first
  }

  get all(): readonly ShardAccess[] {
    return this.#shards
  }

  /** Throws Unavailable for a shard that another node has added since this one has started. */
  of({ shard }: { readonly shard: number }): ShardAccess {
    const found = this.#shards[shard]
    if (found === undefined) throw new Unavailable(`This node does not know shard ${shard} yet.`)
    return found
  }

  /** The first shard for an id of no shard: like any unknown id, it is not found there. */
  ofId(id: string): ShardAccess {
    return this.#shards[shardOfId(id) ?? 0] ?? this.#first
  }
}
