// Those who are told of each turn once it is stored.

import type { Log } from '../ops/log.ts'
import type { StoredTurn } from './options.ts'
import type { Turn } from './turn.ts'

export class Listeners {
  readonly #log: Pick<Log, 'error'>
  readonly #list: ((turn: StoredTurn) => void)[] = []

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log
  }

  get hasAny(): boolean {
    return this.#list.length > 0
  }

  add(listener: (turn: StoredTurn) => void): void {
    this.#list.push(listener)
  }

  // What goes wrong with a listener is no reason to stop trading.
  tell({ eventRecords, tape: trades }: Turn): void {
    for (const listener of this.#list) {
      try {
        listener({ eventRecords, trades })
      } catch (error) {
        this.#log.error('a turn could not be told', { error: String(error) })
      }
    }
  }
}
