// Markets that opened at their tradingStartsAt. An operator may send `open` at that moment without
// knowing that the market is open already; that one command is accepted instead of rejected.

import type { Exchange } from '../core/state/exchange.ts'
import { MARKET, marketFact } from '../core/state/journal.ts'

const graceMs = 10_000

export class ScheduledOpenings {
  /** The time of opening by the serial of the market, until `open` is sent for it. */
  readonly #openedAt = new Map<number, number>()

  /** Called when the schedule has advanced: records the markets that it opened. */
  record({ journal, markets, now }: Exchange): void {
    const { facts, notes } = journal
    for (let at = 0; at < journal.length; at = journal.after(at)) {
      if (facts[at] !== MARKET) continue
      const note = notes[facts[at + marketFact.note]!]!
      if (note.change !== 'STATUS' || note.from !== 'UPCOMING') continue
      this.#openedAt.set(markets.at(facts[at + marketFact.market]!).serial, now)
    }
  }

  /** Whether the schedule opened the market within the last ten seconds; true once per opening. */
  consume(marketSerial: number, now: number): boolean {
    const openedAt = this.#openedAt.get(marketSerial)
    this.#openedAt.delete(marketSerial)
    return openedAt !== undefined && now - openedAt <= graceMs
  }

  delete(marketSerial: number): void {
    this.#openedAt.delete(marketSerial)
  }

  clear(): void {
    this.#openedAt.clear()
  }
}
