// How long do pages of records take while orders arrive as fast as they are answered? Reads the
// newest orders of the operator, and its events as a consumer that follows them, each at a fixed
// rate. As in an open-loop load, the latency of a page counts from when it was due.

import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../support/percentiles.ts'
import type { LoadTarget } from './load-target.ts'

/** Milliseconds, and of how many pages. */
export type PageLatency = { readonly p50: number; readonly p99: number; readonly count: number }
export type PageLatencies = Readonly<Record<PageName, PageLatency>>

export type PageName = 'orders' | 'events'

/** Milliseconds, unsorted. */
export type PageTimes = Readonly<Record<PageName, readonly number[]>>

export const ordersPerPage = 20
export const eventsPerPage = 100
export const pageEveryMs = 20
/** Reads of one kind that are unanswered at a time, at most. */
const readsAtOnce = 8

type EventPage = { readonly events: readonly object[]; readonly lastSequence: number }

export class PageReads {
  readonly #target: LoadTarget
  readonly #latencies: Readonly<Record<PageName, number[]>> = { orders: [], events: [] }
  readonly #faults: unknown[] = []
  #since = 0
  #countedFrom = Infinity
  #countedUntil = Infinity
  #loops: Promise<unknown> = Promise.resolve()

  constructor(target: LoadTarget) {
    this.#target = target
  }

  /** Starts to read; the pages that are due between `countFrom` and `stop` count. */
  async start(): Promise<void> {
    this.#since = await this.#lastSequence()
    const orders = () => this.#get(`orders?limit=${ordersPerPage}`)
    const events = async () => {
      const { lastSequence } = await this.#events(this.#since, eventsPerPage)
      this.#since = Math.max(this.#since, lastSequence)
    }
    this.#loops = Promise.all([this.#loop('orders', orders), this.#loop('events', events)])
  }

  countFrom(at: number): void {
    this.#countedFrom = at
  }

  /** Waits for the pages that are due; throws if one could not be read. */
  async stop(): Promise<PageTimes> {
    this.#countedUntil = Math.min(this.#countedUntil, performance.now())
    await this.#loops
    if (this.#faults.length > 0) throw this.#faults[0]
    return this.#latencies
  }

  async #loop(name: PageName, read: () => Promise<unknown>): Promise<void> {
    const reading = new Set<Promise<void>>()
    const time = async (dueAt: number) => {
      try {
        await read()
        if (dueAt >= this.#countedFrom) this.#latencies[name].push(performance.now() - dueAt)
      } catch (fault) {
        this.#faults.push(fault)
        this.#countedUntil = 0
      }
    }
    for (let dueAt = performance.now(); dueAt < this.#countedUntil; dueAt += pageEveryMs) {
      await pause(Math.max(0, dueAt - performance.now()))
      const page = time(dueAt).then(() => {
        reading.delete(page)
      })
      reading.add(page)
      if (reading.size === readsAtOnce) await Promise.race(reading)
    }
    await Promise.all(reading)
  }

  // No route tells the last sequence, so it is found by halving.
  async #lastSequence(): Promise<number> {
    const hasEventsAfter = async (since: number) => (await this.#events(since, 1)).events.length > 0
    let [before, after] = [0, 1]
    while (await hasEventsAfter(after)) [before, after] = [after, 2 * after]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (await hasEventsAfter(middle)) before = middle
      else after = middle
    }
    return after
  }

  async #events(since: number, limit: number): Promise<EventPage> {
    const page: { readonly data: EventPage } = JSON.parse(
      await this.#get(`events?limit=${limit}&since=${since}`),
    )
    return page.data
  }

  async #get(path: string): Promise<string> {
    const { port, apiKey } = this.#target
    const url = `http://127.0.0.1:${port}/api/v1/${path}`
    const response = await fetch(url, { headers: { 'x-api-key': apiKey } })
    const text = await response.text()
    if (!response.ok) throw new Error(`GET ${path}: ${text}`)
    return text
  }
}

export function pageLatencyOf(latencies: readonly number[]): PageLatency {
  const sorted = latencies.toSorted((one, other) => one - other)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), count: sorted.length }
}
