// What clients asked and what they were told: the record that is held against the service after it
// broke. An answer is one of four: done, refused, not taken, or not known.

import type { Answer, Json, Service } from '../../support/process/outcry-process.ts'
import type { Trader } from './trading-fixture.ts'

/** `unknown`: no answer, or one that says so. Nothing else leaves open what happened. */
export type Verdict = 'done' | 'refused' | 'unavailable' | 'unknown'

export type Operation = {
  readonly kind: 'place' | 'mint' | 'redeem' | 'cancel'
  readonly trader: Trader
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly body: Json
  /** null for a cancel, which needs none: it can be asked twice. */
  readonly key: string | null
  readonly verdicts: Verdict[]
  /** Of the first answer that said done. */
  data: Json
  /** The code of the last refusal. */
  code: string | null
}

export class History {
  readonly operations: Operation[] = []
  /** Answers that no client may ever get. */
  readonly surprises: string[] = []
  /** How often somebody heard what became of a request. */
  answered = 0

  add(operation: Pick<Operation, 'kind' | 'trader' | 'method' | 'path' | 'body' | 'key'>) {
    const added: Operation = { ...operation, verdicts: [], data: null, code: null }
    this.operations.push(added)
    return added
  }

  /** Sends it, again where it was sent before, and notes the verdict. */
  async send(service: Service, operation: Operation): Promise<Verdict> {
    const verdict = await this.#verdictOf(service, operation)
    operation.verdicts.push(verdict)
    if (verdict !== 'unknown') this.answered += 1
    return verdict
  }

  async #verdictOf(service: Service, operation: Operation): Promise<Verdict> {
    const { method, path, body, trader } = operation
    let answer: Answer
    try {
      const asked = body === null ? { key: trader.key } : { key: trader.key, body }
      answer = await service.ask(method, path, asked)
    } catch {
      return 'unknown'
    }
    // Cut off in the middle of an answer.
    if (typeof answer.body !== 'object') return 'unknown'
    return this.#judge(operation, answer)
  }

  #judge(operation: Operation, { status, headers, body }: Answer): Verdict {
    if (status === 200 || status === 201) {
      const earlier = operation.data
      operation.data ??= body.data
      if (earlier !== null && idOf(earlier) !== idOf(body.data)) {
        this.surprises.push(`${operation.key} was answered with two records`)
      }
      return 'done'
    }
    const code: string = body.error?.code ?? ''
    if (status === 503 && headers.get('retry-after') !== null) {
      if (code === 'COMMIT_UNKNOWN') return 'unknown'
      if (code === 'UNAVAILABLE') return 'unavailable'
    }
    if (status >= 400 && status < 500) {
      operation.code = code
      return 'refused'
    }
    this.surprises.push(`${operation.key ?? operation.path} was answered ${status} ${code}`)
    return 'unknown'
  }

  count(verdict: Verdict): number {
    return this.operations.reduce(
      (sum, { verdicts }) => sum + verdicts.filter((one) => one === verdict).length,
      0,
    )
  }
}

/** Of a placement, an order or complete sets. */
export function idOf(data: Json): string {
  return data.order?.id ?? data.id
}
