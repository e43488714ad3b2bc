// Markets that opened at their tradingStartsAt. An operator may send `open` at that moment without
// knowing that the market is open already; that one command is accepted instead of rejected.

import type { Serial } from '../core/ids.ts'
import type { Exchange } from '../core/state/exchange.ts'

const graceMs = 10_000

export class ScheduledOpenings {
  /** The time of opening by the serial of the market, until `open` is sent for it. */
  readonly #openedAt = new Map<Serial, number>()

  /** Called when the schedule has advanced: records the markets that it opened. */
  record({ journal, now }: Exchange): void {
    for (const fact of journal) {
      if (fact.kind !== 'MARKET' || fact.change !== 'STATUS') continue
      if (fact.from === 'UPCOMING') this.#openedAt.set(fact.market.serial, now)
    }
  }

  /** Whether the schedule opened the market within the last ten seconds; true once per opening. */
  consume(marketSerial: Serial, now: number): boolean {
    const openedAt = this.#openedAt.get(marketSerial)
    this.#openedAt.delete(marketSerial)
    return openedAt !== undefined && now - openedAt <= graceMs
  }

  delete(marketSerial: Serial): void {
    this.#openedAt.delete(marketSerial)
  }

  clear(): void {
    this.#openedAt.clear()
  }
}
