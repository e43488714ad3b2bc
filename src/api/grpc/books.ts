// Books as bytes. Those who ask for the same one while the question is under way share its answer:
// after a change, everybody asks at once.

import { invalidField, type Refusal, refusalOf } from '../errors.ts'
import { serialOf } from '../parse/serial.ts'
import { depthDefault, depthMax } from '../schemas/market-data.ts'
import type { GrpcContext } from './context.ts'
import { bookBytes } from './write-book.ts'

export type BookAsk = {
  readonly marketId: string
  readonly outcomeId: string
  /** Levels of each side; 0 where it was left out. */
  readonly depth: number
  /** Whether what complete sets would offer is asked for too. */
  readonly implied?: boolean
}

export type Book = { readonly version: number; readonly bytes: Buffer }

const wrongDepth = invalidField('depth', `must be at most ${depthMax}`)

export class Books {
  readonly #context: Pick<GrpcContext, 'submit' | 'ids'>
  readonly #asked = new Map<string, Promise<Book | Refusal>>()

  constructor(context: Pick<GrpcContext, 'submit' | 'ids'>) {
    this.#context = context
  }

  async ask(ask: BookAsk): Promise<Book | Refusal> {
    const { marketId, outcomeId, depth, implied = false } = ask
    if (depth > depthMax) return wrongDepth
    const name = `${marketId} ${outcomeId} ${depth} ${implied}`
    const asked = this.#asked.get(name)
    if (asked !== undefined) return asked
    const asking = this.#ask(ask).finally(() => this.#asked.delete(name))
    this.#asked.set(name, asking)
    return asking
  }

  async #ask(ask: BookAsk): Promise<Book | Refusal> {
    const { submit, ids } = this.#context
    const result = await submit('book', {
      marketId: serialOf(ids, ask.marketId),
      outcomeId: serialOf(ids, ask.outcomeId),
      depth: ask.depth === 0 ? depthDefault : ask.depth,
      withImplied: ask.implied ?? false,
    })
    if (!result.isTaken) return refusalOf(result.reject)
    return { version: result.answer.version, bytes: bookBytes(result.answer) }
  }
}
