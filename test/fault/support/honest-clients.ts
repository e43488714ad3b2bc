// Honest clients of a service that is interrupted again and again: between two interruptions, each
// request must be answered in time, and none may be refused because of the load of others.

import { percentile } from '../../../bench/support/percentiles.ts'
import type { Service } from '../../support/process/outcry-process.ts'
import type { Sent } from './client-history.ts'
import type { Clients } from './clients.ts'
import { CpuWait } from './cpu-wait.ts'

/** A client that waits longer is starved; an answer before that may be as slow as it likes. */
const answerMsMax = 10_000
/** Fewer requests per second and client show a service that was hardly there. */
const donePerSecondMin = 0.5

export class HonestClients {
  readonly #clients: Clients
  readonly #latencies: number[] = []
  readonly #refused = new Map<string, number>()
  #load: Promise<void> = Promise.resolve()
  #isServing = false
  #startedAt = 0
  #stoppedAt = 0
  #servedMs = 0
  #wait: CpuWait | null = null
  #waitedMs = 0

  constructor(clients: Clients) {
    this.#clients = clients
    clients.history.onSent = (sent) => this.#count(sent)
    clients.history.clock = () => this.#now
  }

  start(service: Service): void {
    this.#wait = new CpuWait(service.process.pid!)
    this.#isServing = true
    this.#startedAt = this.#now
    this.#load = this.#clients.run(service)
  }

  /** From here on, requests may fail. */
  stop(): void {
    this.#stoppedAt = this.#now
    if (this.#isServing) {
      this.#servedMs += this.#stoppedAt - this.#startedAt
      this.#waitedMs += this.#wait?.ms ?? 0
    }
    this.#isServing = false
    this.#clients.stop()
  }

  /** Resolves when no request is under way. */
  stopped(): Promise<void> {
    return this.#load
  }

  /** For how long the services had no processor, all together. */
  get waitedMs(): number {
    return this.#waitedMs
  }

  get p99(): number {
    return percentile(this.#sorted, 0.99)
  }

  get worst(): number {
    return this.#sorted.at(-1) ?? 0
  }

  get text(): string {
    const { history } = this.#clients
    return `${history.count('done')} done, p99 ${this.p99.toFixed(0)} ms`
  }

  violations(clients: number): string[] {
    const found: string[] = []
    const starved = this.#latencies.filter((ms) => ms > answerMsMax).length
    if (starved > 0) found.push(`${starved} honest requests took more than ${answerMsMax} ms`)
    for (const [what, count] of this.#refused) {
      found.push(`${count} honest requests were answered ${what} while the service was up`)
    }
    const done = this.#clients.history.count('done')
    const least = Math.floor((this.#servedMs / 1_000) * clients * donePerSecondMin)
    if (done < least) found.push(`only ${done} honest requests were done, expected ${least}`)
    return found
  }

  // A service without a processor serves nobody, which is no unfairness of it. No request is under
  // way when another service starts.
  get #now(): number {
    return performance.now() - (this.#wait?.ms ?? 0)
  }

  get #sorted(): number[] {
    return this.#latencies.sort((a, b) => a - b)
  }

  #count({ verdict, code, message, ms }: Sent): void {
    // Time in which the service was being stopped does not count.
    const stoppedMs = this.#isServing ? 0 : this.#now - this.#stoppedAt
    this.#latencies.push(Math.max(0, ms - stoppedMs))
    if (!this.#isServing) return
    const isRefused = verdict === 'unavailable' || verdict === 'unknown' || code === 'RATE_LIMITED'
    if (!isRefused) return
    const what = code ?? (message === null ? verdict : `${verdict} (${message})`)
    this.#refused.set(what, (this.#refused.get(what) ?? 0) + 1)
  }
}
