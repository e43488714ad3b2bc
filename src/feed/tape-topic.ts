// The trades of one outcome: its listeners receive each trade once, in order. Where trades may have
// been missed, they are read from the store, and those published meanwhile wait.

import type { PublicTrade } from '../core/events/committed-turn.ts'
import { Topic } from './topic.ts'

export type TapeOutcome = { readonly marketId: string; readonly outcomeId: string }

/** The stored tape. */
export type TapeSource = {
  /** The serial of the last trade of the outcome; 0 if there is none. */
  lastSerial(outcome: TapeOutcome): Promise<number>
  /** The trades with a higher serial, oldest first. */
  since(outcome: TapeOutcome, serial: number): Promise<readonly PublicTrade[]>
}

export type TapeTopicOptions = {
  readonly outcome: TapeOutcome
  /** null if no trade can be missed. */
  readonly source: TapeSource | null
  readonly publish: (trade: PublicTrade) => void
  /** Sends what was published. */
  readonly flush: () => void
  readonly onFailure: (error: unknown) => void
}

const keptMax = 10_000
const retryMs = 500

export class TapeTopic extends Topic {
  readonly #options: TapeTopicOptions
  /** The serial of the last trade that was published. */
  #last = 0
  /** That of the last one before there were listeners; null until it is known. */
  #before: number | null = null
  /** Trades that wait until missed ones are read; null if none are being read. */
  #kept: PublicTrade[] | null = null
  #mayMiss = false

  constructor(options: TapeTopicOptions) {
    super()
    this.#options = options
    if (options.source !== null) this.#findBefore(options.source).catch(() => undefined)
  }

  get marketId(): string {
    return this.#options.outcome.marketId
  }

  receive(trade: PublicTrade): void {
    if (this.#kept === null) this.#publish(trade)
    else this.#keep(trade)
  }

  /** Trades may have been missed: the listeners receive them from the store. */
  readMissed(): void {
    const { source } = this.#options
    this.#mayMiss = true
    if (source === null || this.#kept !== null) return
    this.#kept = []
    void this.#readMissed(source)
  }

  #publish(trade: PublicTrade): void {
    if (trade.serial <= this.#last) return
    this.#last = trade.serial
    this.#options.publish(trade)
  }

  // Too many: they are read from the store with the others.
  #keep(trade: PublicTrade): void {
    if (this.#kept!.length >= keptMax) {
      this.#kept = []
      this.#mayMiss = true
    }
    this.#kept!.push(trade)
  }

  async #readMissed(source: TapeSource): Promise<void> {
    const { flush, onFailure, outcome } = this.#options
    while (this.#mayMiss && this.listeners.size > 0) {
      this.#mayMiss = false
      try {
        const before = this.#before ?? (await this.#findBefore(source))
        const missed = await source.since(outcome, Math.max(this.#last, before))
        for (const trade of missed) this.#publish(trade)
        flush()
      } catch (error) {
        onFailure(error)
        this.#mayMiss = true
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref())
      }
    }
    const kept = this.#kept ?? []
    this.#kept = null
    for (const trade of kept) this.#publish(trade)
    flush()
  }

  async #findBefore(source: TapeSource): Promise<number> {
    const serial = await source.lastSerial(this.#options.outcome)
    this.#before ??= serial
    return this.#before
  }
}
