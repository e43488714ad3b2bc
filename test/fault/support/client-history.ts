// The requests of clients and their answers, which are compared with the records of the service
// after a fault. A request is done, rejected, unavailable (not executed), or of unknown outcome.

import type { Answer, Json, Requestable } from '../../support/process/outcry-process.ts'
import type { Trader } from './trading-fixture.ts'

/** `unknown` is no answer, or COMMIT_UNKNOWN. All others say what happened. */
export type Verdict = 'done' | 'rejected' | 'unavailable' | 'unknown'

export type Operation = {
  readonly kind: 'place' | 'mint' | 'redeem' | 'cancel'
  readonly trader: Trader
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly body: Json
  /** The transactionId; null for a cancel, which can be repeated without one. */
  readonly key: string | null
  readonly verdicts: Verdict[]
  /** When it was first sent and last answered, by the wall clock. */
  sentAt: number | null
  answeredAt: number | null
  /** The data of the first successful answer. */
  data: Json
  /** The code of the last rejection. */
  code: string | null
  /** Of the last answer UNAVAILABLE. */
  message: string | null
}

/** A request that was answered, or that will never be. */
export type Sent = {
  readonly verdict: Verdict
  /** The code of a rejection. */
  readonly code: string | null
  /** Why the service was unavailable. */
  readonly message: string | null
  readonly ms: number
}

/** A request that was not answered, or with 503. */
export type Failure = {
  /** null without an answer. */
  readonly code: string | null
  readonly text: string
  /** How long it took. */
  readonly ms: number
}

/** No more are kept. */
export const failuresMax = 1_000

export class History {
  /** Called after each request. */
  onSent: (sent: Sent) => void = () => undefined
  /** Milliseconds, by which requests are measured. */
  clock: () => number = () => performance.now()
  readonly operations: Operation[] = []
  /** Answers that a client must never get. */
  readonly unexpected: string[] = []
  /** Requests that were not answered, or with 503. */
  readonly failures: Failure[] = []
  /** The number of answers with a known outcome. */
  answered = 0

  add(operation: Pick<Operation, 'kind' | 'trader' | 'method' | 'path' | 'body' | 'key'>) {
    const times = { sentAt: null, answeredAt: null }
    const added: Operation = {
      ...operation,
      ...times,
      verdicts: [],
      data: null,
      code: null,
      message: null,
    }
    this.operations.push(added)
    return added
  }

  /** Sends or repeats a request, and records the verdict. */
  async send(service: Requestable, operation: Operation): Promise<Verdict> {
    operation.sentAt ??= Date.now()
    const startedAt = this.clock()
    const verdict = await this.#verdictOf(service, operation)
    operation.verdicts.push(verdict)
    operation.answeredAt = Date.now()
    const code = verdict === 'rejected' ? operation.code : null
    const message = verdict === 'unavailable' ? operation.message : null
    this.onSent({ verdict, code, message, ms: this.clock() - startedAt })
    if (verdict !== 'unknown') this.answered += 1
    return verdict
  }

  async #verdictOf(service: Requestable, operation: Operation): Promise<Verdict> {
    const { method, path, body, trader } = operation
    const startedAt = this.clock()
    let answer: Answer
    try {
      const request = body === null ? { key: trader.key } : { key: trader.key, body }
      answer = await service.request(method, path, request)
    } catch (error) {
      this.#addFailure(lostAnswer(error, this.clock() - startedAt))
      return 'unknown'
    }
    if (answer.status === 503) this.#addFailure(failureOf(answer, this.clock() - startedAt))
    // The connection was closed in the middle of an answer.
    if (typeof answer.body !== 'object') return 'unknown'
    return this.#judge(operation, answer)
  }

  #judge(operation: Operation, { status, headers, body }: Answer): Verdict {
    if (status === 200 || status === 201) {
      const earlier = operation.data
      operation.data ??= body.data
      if (earlier !== null && idOf(earlier) !== idOf(body.data)) {
        this.unexpected.push(`${operation.key} was answered with two records`)
      }
      return 'done'
    }
    const code: string = body.error?.code ?? ''
    if (status === 503 && headers.get('retry-after') !== null) {
      if (code === 'COMMIT_UNKNOWN') return 'unknown'
      if (code === 'UNAVAILABLE') {
        operation.message = body.error.message
        return 'unavailable'
      }
    }
    if (status >= 400 && status < 500) {
      operation.code = code
      return 'rejected'
    }
    this.unexpected.push(`${operation.key ?? operation.path} was answered ${status} ${code}`)
    return 'unknown'
  }

  #addFailure(failure: Failure): void {
    if (this.failures.length < failuresMax) this.failures.push(failure)
  }

  /** What clients knew at a moment: later answers are unknown, later requests were not sent. */
  before(timeMs: number): History {
    // Times are rounded down.
    const isBefore = (time: number | null) => time !== null && time + 1 <= timeMs
    const earlier = new History()
    for (const operation of this.operations) {
      const { kind, sentAt, answeredAt } = operation
      if (isBefore(answeredAt)) earlier.operations.push(operation)
      else if (sentAt !== null && sentAt <= timeMs) {
        // A cancel may have been sent after the answer to its order.
        if (kind === 'cancel' && !isBefore(sentAt)) continue
        earlier.operations.push({ ...operation, verdicts: ['unknown'], data: null, code: null })
      }
    }
    return earlier
  }

  count(verdict: Verdict): number {
    return this.operations.reduce(
      (sum, { verdicts }) => sum + verdicts.filter((one) => one === verdict).length,
      0,
    )
  }
}

/** Of an error of fetch, whose cause says more. */
export function lostAnswer(error: unknown, ms: number): Failure {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return { code: null, text: cause instanceof Error ? cause.message : String(cause), ms }
}

export function failureOf({ body }: Answer, ms: number): Failure {
  return { code: body.error?.code ?? '', text: body.error?.message ?? '', ms }
}

/** The id in the data of a placement, an order or a sets change. */
export function idOf(data: Json): string {
  return data.order?.id ?? data.id
}
