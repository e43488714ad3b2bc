// Random values for the fields of commands and answers, and those fields that several share.

import type { Serial } from '../../../src/core/ids.ts'
import type { Price, Shares } from '../../../src/core/money.ts'
import type { ControlsTerms } from '../../../src/core/state/controls.ts'
import { timesInForce, tradingModes } from '../../../src/core/words.ts'
import type { Random } from '../process/random.ts'

/** For each name, what makes a random value of its type. */
export type Makers<Table> = { readonly [Name in keyof Table]: () => Table[Name] }

export class Values {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  readonly bool = () => this.#random.fraction() < 0.5
  readonly number = () => this.#random.whole(53)
  readonly signed = () => this.number() - this.number()
  readonly bigint = () => BigInt(this.signed()) * BigInt(this.number())
  readonly serial = () => this.number() as Serial
  readonly shares = () => this.number() as Shares
  readonly price = () => this.#random.between(1, 9_999) as Price
  readonly options = () => this.#random.between(0, timesInForce.length - 1) | (this.bool() ? 4 : 0)
  readonly id = () => `0190${this.number().toString(16).padStart(14, '0')}`

  /** With characters that JSON escapes, that have several bytes, or that look like a mark. */
  readonly text = () => {
    const pieces = ['', 'bigint', '{"bigint":"1"}', '\u2028', '\ud83d\ude00', '"', '\\', '\n', 'é']
    return this.list(() => this.of(pieces), 4).join('')
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.#random.between(0, values.length - 1)]!
  }

  orNull<Value>(make: () => Value): Value | null {
    return this.bool() ? make() : null
  }

  list<Value>(make: () => Value, most = 5): Value[] {
    return Array.from({ length: this.#random.between(0, most) }, make)
  }

  maybe<Fields extends object>(make: () => Fields): Fields | Record<never, never> {
    return this.bool() ? make() : {}
  }
}

export function controlsTerms(v: Values): ControlsTerms {
  return {
    mode: v.of(tradingModes),
    reason: v.orNull(v.text),
    until: v.orNull(v.number),
    limits: v.orNull(() => ({
      ...v.maybe(() => ({ maxOrderCost: v.orNull(v.number) })),
      ...v.maybe(() => ({ maxMarketCost: v.orNull(v.number) })),
    })),
  }
}
