// What an attack is: an operator, or a caller without a key, that prepares its data and then sends
// at fixed rates. Rates stay below the rate limits of a service with default settings.

import type { HttpCaller } from './http-caller.ts'

export type Attack = {
  readonly name: string
  /** Settings of the service, where the attack needs other limits than the defaults. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether other attacks or honest clients could not run beside it; a siege leaves it out. */
  readonly isAlone?: boolean
  /**
   * What the attacker must get at least once, or it has attacked nothing: a status, an error code
   * behind it, or what `count` was called with.
   */
  readonly expected: string
  /** Returns the attack proper, which starts at once and lasts until the signal of the context. */
  prepare(context: AttackContext): Promise<() => void>
}

export type AttackContext = {
  readonly url: string
  /** Requests of the attacking operator. */
  readonly operator: HttpCaller
  /** The API key of the attacking operator. */
  readonly key: string
  /** Requests without a key. */
  readonly anonymous: HttpCaller
  /** The address from which the attacker connects; undefined for any. */
  readonly address: string | undefined
  /** How many resting orders an attack on a large book or store prepares. */
  readonly orders: number
  readonly signal: AbortSignal
  /** Sends at a fixed rate until the signal, and counts the answers. */
  repeat(perSecond: number, send: (number: number) => Promise<{ readonly status: number }>): void
  /** Counts what is no HTTP answer. */
  count(what: string): void
}
