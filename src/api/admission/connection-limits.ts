// How many connections may be open: in all, of one address without a key, of one operator.

import { Refusal } from '../errors.ts'

export type ConnectionLimitSettings = {
  readonly connectionsMax: number
  /** Of connections without a key. */
  readonly connectionsPerAddressMax: number
  readonly connectionsPerOperatorMax: number
}

export const usualConnectionLimits: ConnectionLimitSettings = {
  connectionsMax: 10_000,
  connectionsPerAddressMax: 2_000,
  connectionsPerOperatorMax: 1_000,
}

/** Who a connection belongs to: an operator, or an address without a key. */
export type Holder = { readonly address: string; readonly operatorId: string | null }

const full = new Refusal('UNAVAILABLE', 'Too many open connections; try again later.')

export class ConnectionLimits {
  readonly #limits: ConnectionLimitSettings
  readonly #counts = new Map<string, number>()
  #total = 0

  constructor(limits: ConnectionLimitSettings) {
    this.#limits = limits
  }

  /** Counts a new connection, or refuses it. */
  enter(holder: Holder): Refusal | null {
    if (this.#total >= this.#limits.connectionsMax) return full
    const refusal = this.#refusalFor(holder)
    if (refusal !== null) return refusal
    this.#total += 1
    this.#add(holder, 1)
    return null
  }

  /** Counts an open connection for the operator whose key it has sent. */
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
    const hasKey = holder.operatorId !== null
    const max = hasKey ? connectionsPerOperatorMax : connectionsPerAddressMax
    if ((this.#counts.get(nameOf(holder)) ?? 0) < max) return null
    const who = hasKey ? 'operator' : 'address without an API key'
    return new Refusal('RATE_LIMITED', `At most ${max} connections are allowed per ${who}.`)
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
