// The state of a book or of an outcome's prices, which changes can follow. Equal queries that are
// pending at the same time share one answer: after a burst, many connections fall behind together.

import type { BookAnswer, PricesAnswer, Result } from '../../engine/commands.ts'
import type { Piece } from '../../feed/outbox.ts'
import { type Refusal, refusalOf } from '../errors.ts'
import { serialOf } from '../parse/serial.ts'
import type { ShardAccess } from '../shards.ts'
import type { StreamContext } from './context.ts'
import { priceSnapshotFrame, snapshotFrame } from './encode.ts'

export type Outcome = { readonly marketId: string; readonly outcomeId: string }

const depth = 1_000

type Context = Pick<StreamContext, 'shards' | 'now'> & {
  readonly outbox: Pick<StreamContext['outbox'], 'resyncs'>
}

export class Snapshots {
  readonly #context: Context
  readonly #pending = new Map<string, Promise<Piece>>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Every outcome of a public market. */
  async outcomesOf(marketId: string): Promise<PricesAnswer | Refusal> {
    const { submit, ids } = this.#context.shards.ofId(marketId)
    const query = { marketSerial: serialOf(ids, marketId), outcomeSerial: null }
    const result = await submit('prices', query)
    return result.isAccepted ? result.answer : refusalOf(result.reject)
  }

  book(outcome: Outcome): Promise<Piece> {
    return this.#share(`book ${outcome.outcomeId}`, async () => {
      const shard = this.#context.shards.ofId(outcome.marketId)
      const query = { ...serialsOf(shard, outcome), depth }
      const answer: BookAnswer = answered(await shard.submit('book', query))
      return { number: answer.version, frame: snapshotFrame(answer) }
    })
  }

  prices(outcome: Outcome): Promise<Piece> {
    return this.#share(`prices ${outcome.outcomeId}`, async () => {
      const { shards, now } = this.#context
      const shard = shards.ofId(outcome.marketId)
      const [prices] = answered(await shard.submit('prices', serialsOf(shard, outcome)))
      if (prices === undefined) throw new Error('A subscribed outcome has no prices.')
      return { number: prices.version, frame: priceSnapshotFrame(prices, now()) }
    })
  }

  // An answer to a query from before turns were missed may be out of date.
  #share(ofWhat: string, query: () => Promise<Piece>): Promise<Piece> {
    const name = `${this.#context.outbox.resyncs} ${ofWhat}`
    const pending = this.#pending.get(name)
    if (pending !== undefined) return pending
    const started = query().finally(() => this.#pending.delete(name))
    this.#pending.set(name, started)
    return started
  }
}

function serialsOf({ ids }: ShardAccess, { marketId, outcomeId }: Outcome) {
  return { marketSerial: serialOf(ids, marketId), outcomeSerial: serialOf(ids, outcomeId) }
}

function answered<Answer>(result: Result<Answer>): Answer {
  if (result.isAccepted) return result.answer
  throw new Error(`A subscribed outcome is not readable: ${result.reject.code}`)
}
