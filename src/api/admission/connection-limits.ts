// How many connections there may be: in all, of one address without a key, of one operator.

import { Refusal } from '../errors.ts'
import type { StreamSettings } from '../ws/context.ts'

/** Whose connection it is. */
export type Holder = { readonly address: string; readonly operatorId: string | null }

type Limits = Pick<
  StreamSettings,
  'connectionsMax' | 'connectionsPerAddressMax' | 'connectionsPerOperatorMax'
>

const full = new Refusal('UNAVAILABLE', 'There are too many connections; try again later.')

export class ConnectionLimits {
  readonly #limits: Limits
  readonly #counts = new Map<string, number>()
  #total = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Counts it, or says why not. */
  enter(holder: Holder): Refusal | null {
    if (this.#total >= this.#limits.connectionsMax) return full
    const refusal = this.#refusalFor(holder)
    if (refusal !== null) return refusal
    this.#total += 1
    this.#add(holder, 1)
    return null
  }

  /** It has shown a key. */
  move(from: Holder, to: Holder): Refusal | null {
    const refusal = this.#refusalFor(to)
    if (refusal !== null) return refusal
    this.#add(from, -1)
    this.#add(to, 1)
    return null
  }

  leave(holder: Holder): void {
    this.#total -= 1
    this.#add(holder, -1)
  }

  #refusalFor(holder: Holder): Refusal | null {
    const { connectionsPerAddressMax, connectionsPerOperatorMax } = this.#limits
    const isKnown = holder.operatorId !== null
    const max = isKnown ? connectionsPerOperatorMax : connectionsPerAddressMax
    if ((this.#counts.get(nameOf(holder)) ?? 0) < max) return null
    const who = isKnown ? 'An operator' : 'An address without a key'
    return new Refusal('RATE_LIMITED', `${who} may have ${max} connections.`)
  }

  #add(holder: Holder, change: number): void {
    const name = nameOf(holder)
    const count = (this.#counts.get(name) ?? 0) + change
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }
}

function nameOf({ address, operatorId }: Holder): string {
  return operatorId === null ? `address ${address}` : `operator ${operatorId}`
}
