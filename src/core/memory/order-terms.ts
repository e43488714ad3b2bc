// What few orders have, kept beside their rows: a transaction id, an expiry, options, a place in
// the queue other than that of their serial, an order group.

import type { Serial } from '../ids.ts'

const noTerms = -1
/** Expiry of an order that has none. */
export const never = Infinity

export type Terms = {
  readonly transactionId: string | null
  /** null where it does not expire. */
  readonly expiresAt: number | null
  /** As orders/options.ts packs them; 0 for the usual. */
  readonly options: number
  /** Its place in the queue; null where that is its serial's. */
  readonly queueSerial: Serial | null
  /** That of the order group that it is in; null for none. */
  readonly groupSerial: Serial | null
}

export class OrderTerms {
  // By number: one array a field.
  private readonly transactionIds: (string | null)[] = []
  private readonly expiries: number[] = []
  private readonly packedOptions: number[] = []
  private readonly queueSerials: (Serial | null)[] = []
  private readonly groupSerials: (Serial | null)[] = []
  private readonly freed: number[] = []

  /** The number under which they are kept, or -1 where the order has none. */
  add({ transactionId, expiresAt, options, queueSerial, groupSerial }: Terms): number {
    const isPlain = transactionId === null && expiresAt === null && options === 0
    if (isPlain && queueSerial === null && groupSerial === null) return noTerms
    const number = this.freed.pop() ?? this.expiries.length
    this.transactionIds[number] = transactionId
    this.expiries[number] = expiresAt ?? never
    this.packedOptions[number] = options
    this.queueSerials[number] = queueSerial
    this.groupSerials[number] = groupSerial
    return number
  }

  transactionId(number: number): string | null {
    return number === noTerms ? null : this.transactionIds[number]!
  }

  expiresAt(number: number): number {
    return number === noTerms ? never : this.expiries[number]!
  }

  hasExpiry(number: number): boolean {
    return number !== noTerms && this.expiries[number] !== never
  }

  options(number: number): number {
    return number === noTerms ? 0 : this.packedOptions[number]!
  }

  queueSerial(number: number): Serial | null {
    return number === noTerms ? null : this.queueSerials[number]!
  }

  groupSerial(number: number): Serial | null {
    return number === noTerms ? null : this.groupSerials[number]!
  }

  free(number: number): void {
    if (number === noTerms) return
    this.transactionIds[number] = null
    this.freed.push(number)
  }

  clear(): void {
    this.transactionIds.length = 0
    this.expiries.length = 0
    this.packedOptions.length = 0
    this.queueSerials.length = 0
    this.groupSerials.length = 0
    this.freed.length = 0
  }
}
