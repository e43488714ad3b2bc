// A load whose requests arrive at a fixed rate, in a process of its own. A request that finds no
// free connection waits for one; its time counts from when it was meant to start, not from when it
// was sent, so that a server that stalls cannot hide it by holding up the load.

import { percentile } from '../support/percentiles.ts'
import { Arrivals } from './arrivals.ts'
import { Line, type LineOwner } from './http-load.ts'
import type { LoadTarget } from './load-target.ts'
import { orderRequests, type RequestShape } from './order-requests.ts'

export type OpenLoadJob = RequestShape & {
  readonly target: LoadTarget
  readonly connections: number
  readonly perSecond: number
  /** Requests that arrive in it are sent and not counted. */
  readonly warmUpMs: number
  readonly measureMs: number
}

export type OpenLoadResult = {
  readonly answered: number
  /** Answered a second, until the last of them was: less than asked for where it fell behind. */
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly worst: number
  /** How much later than meant half of the requests were sent at most: the load's own part. */
  readonly lateP50: number
}

export type OpenLoadAnswer = { readonly result: OpenLoadResult } | { readonly fault: string }

/** How often the clock is looked at where no answer comes; Node's timers know no less. */
const lookEveryMs = 1

export class OpenLoad implements LineOwner {
  readonly expected = 201
  readonly #job: OpenLoadJob
  readonly #requests: readonly Buffer[]
  readonly #over = Promise.withResolvers<void>()
  readonly #free: Line[] = []
  readonly #latencies: Float64Array
  readonly #lateness: Float64Array
  #arrivals = new Arrivals({ perSecond: 1, startAt: 0, endAt: 0 })
  #windowStart = 0
  #next = 0
  #waiting = 0
  /** Sent in the window, and answered of those. */
  #counted = 0
  #answered = 0
  #lastAt = 0

  constructor(job: OpenLoadJob) {
    this.#job = job
    this.#requests = orderRequests(job.target, job)
    const countMax = Math.ceil((job.measureMs / 1000) * job.perSecond) + 1
    this.#latencies = new Float64Array(countMax)
    this.#lateness = new Float64Array(countMax)
  }

  async run(): Promise<OpenLoadResult> {
    const { connections, perSecond, warmUpMs, measureMs, target } = this.#job
    const lines = Array.from({ length: connections }, () => new Line(target.port, this))
    let timer: NodeJS.Timeout | undefined
    try {
      await Promise.race([Promise.all(lines.map(({ opened }) => opened)), this.#over.promise])
      this.#free.push(...lines)
      const startAt = performance.now()
      this.#windowStart = startAt + warmUpMs
      const endAt = this.#windowStart + measureMs
      this.#arrivals = new Arrivals({ perSecond, startAt, endAt })
      timer = setInterval(() => this.#look(), lookEveryMs)
      await this.#over.promise
      return this.#result()
    } finally {
      clearInterval(timer)
      for (const line of lines) line.close()
    }
  }

  /** An answer has come whole; its line was sent off with the time it was meant to start. */
  done(line: Line): void {
    const now = performance.now()
    if (line.sentAt >= this.#windowStart) {
      this.#latencies[this.#answered] = now - line.sentAt
      this.#answered += 1
      this.#lastAt = now
    }
    this.#waiting -= 1
    this.#free.push(line)
    this.#look(now)
  }

  fail(fault: Error): void {
    this.#over.reject(fault)
  }

  #look(now = performance.now()): void {
    for (let line = this.#free.at(-1); line !== undefined; line = this.#free.at(-1)) {
      const meantAt = this.#arrivals.take(now)
      if (meantAt === null) break
      this.#free.pop()
      this.#send(line, meantAt, now)
    }
    if (this.#waiting === 0 && this.#arrivals.nextAt === null) this.#over.resolve()
  }

  #send(line: Line, meantAt: number, now: number): void {
    const request = this.#requests[this.#next]!
    this.#next = (this.#next + 1) % this.#requests.length
    if (meantAt >= this.#windowStart) {
      this.#lateness[this.#counted] = now - meantAt
      this.#counted += 1
    }
    this.#waiting += 1
    line.send(request, meantAt)
  }

  #result(): OpenLoadResult {
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

function answer(message: OpenLoadAnswer): void {
  process.send?.(message, undefined, undefined, () => process.disconnect?.())
}

if (import.meta.main) {
  process.once('message', async (job: OpenLoadJob) => {
    try {
      answer({ result: await new OpenLoad(job).run() })
    } catch (fault) {
      answer({ fault: fault instanceof Error ? fault.message : String(fault) })
    }
  })
}
