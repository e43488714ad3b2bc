// How a book or an outcome's prices stand, as pieces that changes can follow. Those who ask while
// the same question is under way share its answer: after a burst, many fall behind together.

import type { BookAnswer, PricesAnswer, Result } from '../../engine/commands.ts'
import type { Piece } from '../../feed/outbox.ts'
import { type Refusal, refusalOf } from '../errors.ts'
import { serialOf } from '../parse/serial.ts'
import type { StreamContext } from './context.ts'
import { priceStand, snapshotFrame } from './encode.ts'

export type Outcome = { readonly marketId: string; readonly outcomeId: string }

const depth = 1_000

type Context = Pick<StreamContext, 'submit' | 'ids' | 'now'>

export class Snapshots {
  readonly #context: Context
  readonly #asked = new Map<string, Promise<Piece>>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Every outcome of a market that everybody may see. */
  async outcomesOf(marketId: string): Promise<PricesAnswer | Refusal> {
    const { submit, ids } = this.#context
    const command = { marketSerial: serialOf(ids, marketId), outcomeSerial: null }
    const result = await submit('prices', command)
    return result.isAccepted ? result.answer : refusalOf(result.reject)
  }

  book(outcome: Outcome): Promise<Piece> {
    return this.#share(`book ${outcome.outcomeId}`, async () => {
      const command = { ...this.#serialsOf(outcome), depth }
      const answer: BookAnswer = answered(await this.#context.submit('book', command))
      return { number: answer.version, frame: snapshotFrame(answer) }
    })
  }

  prices(outcome: Outcome): Promise<Piece> {
    return this.#share(`prices ${outcome.outcomeId}`, async () => {
      const { submit, now } = this.#context
      const [prices] = answered(await submit('prices', this.#serialsOf(outcome)))
      if (prices === undefined) throw new Error('An outcome that was found has prices.')
      return { number: prices.version, frame: priceStand(prices, now()) }
    })
  }

  #serialsOf({ marketId, outcomeId }: Outcome) {
    const { ids } = this.#context
    return { marketSerial: serialOf(ids, marketId), outcomeSerial: serialOf(ids, outcomeId) }
  }

  #share(name: string, command: () => Promise<Piece>): Promise<Piece> {
    const asked = this.#asked.get(name)
    if (asked !== undefined) return asked
    const asking = command().finally(() => this.#asked.delete(name))
    this.#asked.set(name, asking)
    return asking
  }
}

function answered<Answer>(result: Result<Answer>): Answer {
  if (result.isAccepted) return result.answer
  throw new Error(`It could be seen before: ${result.reject.code}`)
}
