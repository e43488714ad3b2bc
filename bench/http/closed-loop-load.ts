// A closed-loop load in a process of its own: each connection sends its next request when the last
// one is answered. The load shares the cores with the server under test, so it does little work: it
// sends prepared bytes, and reads only the status and the length of an answer.

import { type ConnectionListener, HttpConnection } from './http-connection.ts'
import type { LoadTarget } from './load-target.ts'
import { RequestCycle, type RequestShape } from './order-requests.ts'

export type LoadJob = RequestShape & {
  readonly target: LoadTarget
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
  /** Each connection reads an order, by its transactionId, before it sends the next one. */
  readonly readsOrders?: boolean
}

export type LoadResult = {
  /** Requests answered within the measured window. */
  readonly answered: number
  /** All requests, including those of the warm-up. */
  readonly sent: number
  /** Orders per second; with reads of them, orders and reads. */
  readonly perSecond: number
  /** Milliseconds per request. */
  readonly p50: number
  readonly p99: number
  readonly p999: number
  /** Average size of an answer's body. */
  readonly answerBytes: number
  readonly requestBytes: number
  /** CPU time of the load itself, in microseconds per request. */
  readonly loadMicros: number
}

/** The first message says that the first requests are sent: the warm-up begins. */
export type LoadAnswer =
  | { readonly isStarted: true }
  | { readonly result: LoadResult }
  | { readonly fault: string }

const perSecondMax = 200_000

class ClosedLoopLoad implements ConnectionListener {
  readonly #job: LoadJob
  readonly #requests: RequestCycle
  readonly #latencies: Float32Array
  /** What connections are to send instead of their next order. */
  readonly #reads = new Map<HttpConnection, Buffer>()
  readonly #over = Promise.withResolvers<void>()
  #windowStart = 0
  #windowEnd = 0
  #unanswered = 0
  #sent = 0
  #answered = 0
  #bodyBytes = 0

  constructor(job: LoadJob) {
    this.#job = job
    this.#requests = new RequestCycle(job.target, job)
    this.#latencies = new Float32Array(Math.ceil((job.measureMs / 1000) * perSecondMax))
  }

  async run(onStart: () => void): Promise<LoadResult> {
    const { warmUpMs, measureMs, target } = this.#job
    const connections = Array.from(
      { length: this.#job.connections },
      () => new HttpConnection(target.port, this),
    )
    try {
      await Promise.race([Promise.all(connections.map(({ opened }) => opened)), this.#over.promise])
      const before = process.cpuUsage()
      this.#windowStart = performance.now() + warmUpMs
      this.#windowEnd = this.#windowStart + measureMs
      onStart()
      for (const connection of connections) this.#send(connection)
      await this.#over.promise
      const { user, system } = process.cpuUsage(before)
      return { ...this.#result(), loadMicros: (user + system) / this.#sent }
    } finally {
      for (const connection of connections) connection.close()
    }
  }

  /** Any other status fails the load. */
  get expectedStatuses(): readonly number[] {
    if (this.#job.readsOrders === true) return [200, 201]
    return (this.#job.batch ?? 1) > 1 ? [200] : [201]
  }

  done(connection: HttpConnection, bodyBytes: number): void {
    const now = performance.now()
    if (now >= this.#windowStart && now < this.#windowEnd) {
      this.#latencies[this.#answered] = now - connection.sentAt
      this.#answered += 1
      this.#bodyBytes += bodyBytes
    }
    this.#unanswered -= 1
    if (now < this.#windowEnd) this.#send(connection, now)
    else if (this.#unanswered === 0) this.#over.resolve()
  }

  fail(fault: Error): void {
    this.#over.reject(fault)
  }

  #send(connection: HttpConnection, now = performance.now()): void {
    this.#unanswered += 1
    this.#sent += 1
    const read = this.#reads.get(connection)
    this.#reads.delete(connection)
    connection.send(read ?? this.#nextOrder(connection), now)
  }

  #nextOrder(connection: HttpConnection): Buffer {
    const order = this.#requests.next()
    if (this.#job.readsOrders === true) this.#reads.set(connection, this.#requests.readOfLast())
    return order
  }

  #result(): Omit<LoadResult, 'loadMicros'> {
    const sorted = this.#latencies.subarray(0, this.#answered).sort()
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
    return {
      answered: this.#answered,
      sent: this.#sent,
      perSecond: (this.#answered / this.#job.measureMs) * 1000 * (this.#job.batch ?? 1),
      p50: at(0.5),
      p99: at(0.99),
      p999: at(0.999),
      answerBytes: this.#bodyBytes / this.#answered,
      requestBytes: this.#requests.averageBytes,
    }
  }
}

function answer(message: LoadAnswer): void {
  process.send?.(message, undefined, undefined, () => process.disconnect?.())
}

if (import.meta.main) {
  process.once('message', async (job: LoadJob) => {
    try {
      const tellStart = () => process.send?.({ isStarted: true } satisfies LoadAnswer)
      answer({ result: await new ClosedLoopLoad(job).run(tellStart) })
    } catch (fault) {
      answer({ fault: fault instanceof Error ? fault.message : String(fault) })
    }
  })
}
