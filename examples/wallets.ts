// The wallets of an operator's players: balances, and amounts locked for open orders. Amounts are
// whole numbers of 1e-10, the exact unit of fees.

const decimals = 10

/** "6.12" as a whole number of units. */
export function unitsOf(decimal: string | number): bigint {
  const text = typeof decimal === 'number' ? decimal.toFixed(decimals) : decimal
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

export function textOf(units: bigint): string {
  const digits = String(units).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}

type Charge = {
  readonly playerId: string
  readonly transactionId: string | null
  readonly units: bigint
}

export class Wallets {
  readonly #balances = new Map<string, bigint>()
  /** By the transactionId of the order. */
  readonly #locks = new Map<string, { readonly playerId: string; units: bigint }>()

  balance(playerId: string): bigint {
    return this.#balances.get(playerId) ?? 0n
  }

  credit(playerId: string, units: bigint): void {
    this.#balances.set(playerId, this.balance(playerId) + units)
  }

  /** Moves an amount from the balance to a lock; returns false if the balance is too low. */
  lock(playerId: string, transactionId: string, units: bigint): boolean {
    if (this.balance(playerId) < units) return false
    this.credit(playerId, -units)
    this.#locks.set(transactionId, { playerId, units })
    return true
  }

  /** What is locked for open orders of the player. */
  locked(playerId: string): bigint {
    const own = [...this.#locks.values()].filter((lock) => lock.playerId === playerId)
    return own.reduce((sum, { units }) => sum + units, 0n)
  }

  /** Pays from the lock of the order; from the balance if the order was placed without one. */
  charge({ playerId, transactionId, units }: Charge): void {
    const lock = this.#locks.get(transactionId ?? '')
    if (lock === undefined) this.credit(playerId, -units)
    else lock.units -= units
  }

  /** Returns the rest of the lock to the balance when the order is closed. */
  release(transactionId: string | null): void {
    const lock = this.#locks.get(transactionId ?? '')
    if (lock === undefined || transactionId === null) return
    this.#locks.delete(transactionId)
    this.credit(lock.playerId, lock.units)
  }
}
