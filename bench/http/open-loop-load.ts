// An open-loop load in a process of its own: requests arrive at a fixed rate. A request that finds
// no free connection waits for one. Its latency counts from when it was due and not from when it
// was sent, so a server that stalls cannot hide the stall by delaying the load.

import { percentile } from '../support/percentiles.ts'
import { ArrivalSchedule } from './arrival-schedule.ts'
import { type ConnectionListener, HttpConnection } from './http-connection.ts'
import type { LoadTarget } from './load-target.ts'
import { RequestCycle, type RequestShape } from './order-requests.ts'

export type OpenLoopLoadJob = RequestShape & {
  readonly target: LoadTarget
  readonly connections: number
  readonly perSecond: number
  /** Requests that are due in the warm-up are sent and not counted. */
  readonly warmUpMs: number
  readonly measureMs: number
}

export type OpenLoopLoadResult = {
  readonly answered: number
  /** Answers per second until the last one; below the given rate if the server fell behind. */
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly worst: number
  /** Median delay between when a request was due and when it was sent. */
  readonly lateP50: number
}

export type OpenLoopLoadAnswer =
  | { readonly result: OpenLoopLoadResult }
  | { readonly fault: string }

/** How often the schedule is checked while no answer arrives; the finest interval of Node. */
const checkEveryMs = 1

export class OpenLoopLoad implements ConnectionListener {
  readonly expectedStatuses = [201]
  readonly #job: OpenLoopLoadJob
  readonly #requests: RequestCycle
  readonly #over = Promise.withResolvers<void>()
  readonly #idle: HttpConnection[] = []
  readonly #latencies: Float64Array
  readonly #lateness: Float64Array
  #schedule = new ArrivalSchedule({ perSecond: 1, startAt: 0, endAt: 0 })
  #windowStart = 0
  #unanswered = 0
  /** Requests of the measured window: sent, and answered. */
  #counted = 0
  #answered = 0
  #lastAt = 0

  constructor(job: OpenLoopLoadJob) {
    this.#job = job
    this.#requests = new RequestCycle(job.target, job)
    const countMax = Math.ceil((job.measureMs / 1000) * job.perSecond) + 1
    this.#latencies = new Float64Array(countMax)
    this.#lateness = new Float64Array(countMax)
  }

  async run(): Promise<OpenLoopLoadResult> {
    const { perSecond, warmUpMs, measureMs, target } = this.#job
    const connections = Array.from(
      { length: this.#job.connections },
      () => new HttpConnection(target.port, this),
    )
    let timer: NodeJS.Timeout | undefined
    try {
      await Promise.race([Promise.all(connections.map(({ opened }) => opened)), this.#over.promise])
      this.#idle.push(...connections)
      const startAt = performance.now()
      this.#windowStart = startAt + warmUpMs
      const endAt = this.#windowStart + measureMs
      this.#schedule = new ArrivalSchedule({ perSecond, startAt, endAt })
      timer = setInterval(() => this.#sendDue(), checkEveryMs)
      await this.#over.promise
      return this.#result()
    } finally {
      clearInterval(timer)
      for (const connection of connections) connection.close()
    }
  }

  /** The connection's `sentAt` is when its request was due. */
  done(connection: HttpConnection): void {
    const now = performance.now()
    if (connection.sentAt >= this.#windowStart) {
      this.#latencies[this.#answered] = now - connection.sentAt
      this.#answered += 1
      this.#lastAt = now
    }
    this.#unanswered -= 1
    this.#idle.push(connection)
    this.#sendDue(now)
  }

  fail(fault: Error): void {
    this.#over.reject(fault)
  }

  #sendDue(now = performance.now()): void {
    for (let next = this.#idle.at(-1); next !== undefined; next = this.#idle.at(-1)) {
      const dueAt = this.#schedule.startDue(now)
      if (dueAt === null) break
      this.#idle.pop()
      this.#send(next, dueAt, now)
    }
    if (this.#unanswered === 0 && this.#schedule.nextAt === null) this.#over.resolve()
  }

  #send(connection: HttpConnection, dueAt: number, now: number): void {
    if (dueAt >= this.#windowStart) {
      this.#lateness[this.#counted] = now - dueAt
      this.#counted += 1
    }
    this.#unanswered += 1
    connection.send(this.#requests.next(), dueAt)
  }

  #result(): OpenLoopLoadResult {
    const sorted = this.#latencies.subarray(0, this.#answered).sort()
    const late = this.#lateness.subarray(0, this.#counted).sort()
    return {
      answered: this.#answered,
      perSecond: (this.#answered * 1000) / (this.#lastAt - this.#windowStart),
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      p999: percentile(sorted, 0.999),
      worst: percentile(sorted, 1),
      lateP50: percentile(late, 0.5),
    }
  }
}

function answer(message: OpenLoopLoadAnswer): void {
  process.send?.(message, undefined, undefined, () => process.disconnect?.())
}

if (import.meta.main) {
  process.once('message', async (job: OpenLoopLoadJob) => {
    try {
      answer({ result: await new OpenLoopLoad(job).run() })
    } catch (fault) {
      answer({ fault: fault instanceof Error ? fault.message : String(fault) })
    }
  })
}
