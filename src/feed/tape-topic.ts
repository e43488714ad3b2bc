// The trades of one outcome: its listeners receive each trade once, in order. Where trades may have
// been missed, they are read from the store, and those published meanwhile wait.

import type { PublicTrade } from '../core/events/committed-turn.ts'
import { Topic } from './topic.ts'

export type TapeOutcome = { readonly marketId: string; readonly outcomeId: string }

/** The stored tape. */
export type TapeSource = {
  /** The last serial of a shard: later trades have higher ones. */
  lastSerial(shard: number): Promise<number>
  /** The trades with a higher serial, oldest first. */
  since(outcome: TapeOutcome, serial: number): Promise<readonly PublicTrade[]>
}

export type TapeTopicOptions = {
  readonly outcome: TapeOutcome
  /** null if no trade can be missed. */
  readonly source: TapeSource | null
  /** A serial from before there were listeners: they receive the trades after it. */
  readonly after: number
  readonly publish: (trade: PublicTrade) => void
  /** Sends what was published. */
  readonly flush: () => void
  readonly onFailure: (error: unknown) => void
}

const keptMax = 10_000
const retryMs = 500

export class TapeTopic extends Topic {
  readonly #options: TapeTopicOptions
  /** The serial up to which no trade is missing: that of the last one that was published. */
  #last: number
  /** Trades that wait until those before them are read. */
  #kept: PublicTrade[] = []
  #isHeld = false
  #isReading = false
  #mayMiss = false

  constructor(options: TapeTopicOptions) {
    super()
    this.#options = options
    this.#last = options.after
  }

  get marketId(): string {
    return this.#options.outcome.marketId
  }

  receive(trade: PublicTrade): void {
    if (this.#isHeld || this.#isReading) this.#keep(trade)
    else this.#publish(trade)
  }

  /**
   * Trades may be missing before those that arrive from now on. These wait for `readMissed`: once
   * they were published, the missing ones would be too old.
   */
  hold(): void {
    if (this.#options.source !== null) this.#isHeld = true
  }

  /** Trades may have been missed: the listeners receive them from the store. */
  readMissed(): void {
    const { source } = this.#options
    if (source === null) return
    this.#isHeld = false
    this.#mayMiss = true
    if (!this.#isReading) void this.#readMissed(source)
  }

  #publish(trade: PublicTrade): void {
    if (trade.serial <= this.#last) return
    this.#last = trade.serial
    this.#options.publish(trade)
  }

  // Too many: they are read from the store with the others.
  #keep(trade: PublicTrade): void {
    if (this.#kept.length >= keptMax) {
      this.#kept = []
      this.#mayMiss = true
    }
    this.#kept.push(trade)
  }

  async #readMissed(source: TapeSource): Promise<void> {
    const { flush, onFailure, outcome } = this.#options
    this.#isReading = true
    while (this.#mayMiss && this.listeners.size > 0) {
      this.#mayMiss = false
      try {
        const missed = await source.since(outcome, this.#last)
        for (const trade of missed) this.#publish(trade)
        flush()
      } catch (error) {
        onFailure(error)
        this.#mayMiss = true
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref())
      }
    }
    this.#isReading = false
    if (this.#isHeld) return
    const kept = this.#kept
    this.#kept = []
    for (const trade of kept) this.#publish(trade)
    flush()
  }
}
