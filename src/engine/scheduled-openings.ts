// Markets that have opened because their time had come. Whoever asks to open one then may not know
// it yet, and gets what was asked for.

import type { Exchange } from '../core/state/exchange.ts'
import { MARKET, marketFact } from '../core/state/journal.ts'

const justMs = 10_000

export class SelfOpened {
  /** By serial: when they opened, until somebody asks to open them. */
  readonly #openedAt = new Map<number, number>()

  /** After what is due has happened: those that it has opened. */
  note({ journal, markets, now }: Exchange): void {
    const { facts, notes } = journal
    for (let at = 0; at < journal.length; at = journal.after(at)) {
      if (facts[at] !== MARKET) continue
      const note = notes[facts[at + marketFact.note]!]!
      if (note.change !== 'STATUS' || note.from !== 'UPCOMING') continue
      this.#openedAt.set(markets.at(facts[at + marketFact.market]!).serial, now)
    }
  }

  /** Whether it has opened by itself just before; says so once. */
  consume(market: number, now: number): boolean {
    const openedAt = this.#openedAt.get(market)
    this.#openedAt.delete(market)
    return openedAt !== undefined && now - openedAt <= justMs
  }

  delete(market: number): void {
    this.#openedAt.delete(market)
  }

  clear(): void {
    this.#openedAt.clear()
  }
}
