// What few orders have beside their row, which holds only numbers and has room for no more than
// every order needs: a transaction id, an expiry, options, a place in the queue other than its
// serial's.

const none = -1
const noExpiry = Infinity
/** Expiry of an order that has none. */
export const never = noExpiry

export class Terms {
  // By number: one array a field.
  private readonly transactionIds: (string | null)[] = []
  private readonly expiries: number[] = []
  private readonly packedOptions: number[] = []
  private readonly queueSerials: (number | null)[] = []
  private readonly freed: number[] = []

  /**
   * The number of an order's terms, or -1 where it has none: options are 0 for the usual, and the
   * place in the queue is null where it is the serial.
   */
  keep(
    transactionId: string | null,
    expiresAt: number | null,
    options: number,
    queueSerial: number | null,
  ): number {
    const isPlain = transactionId === null && expiresAt === null && options === 0
    if (isPlain && queueSerial === null) return none
    const number = this.freed.pop() ?? this.expiries.length
    this.transactionIds[number] = transactionId
    this.expiries[number] = expiresAt ?? noExpiry
    this.packedOptions[number] = options
    this.queueSerials[number] = queueSerial
    return number
  }

  transactionId(number: number): string | null {
    return number === none ? null : this.transactionIds[number]!
  }

  expiresAt(number: number): number {
    return number === none ? noExpiry : this.expiries[number]!
  }

  hasExpiry(number: number): boolean {
    return number !== none && this.expiries[number] !== noExpiry
  }

  options(number: number): number {
    return number === none ? 0 : this.packedOptions[number]!
  }

  queueSerial(number: number): number | null {
    return number === none ? null : this.queueSerials[number]!
  }

  free(number: number): void {
    if (number === none) return
    this.transactionIds[number] = null
    this.freed.push(number)
  }

  clear(): void {
    this.transactionIds.length = 0
    this.expiries.length = 0
    this.packedOptions.length = 0
    this.queueSerials.length = 0
    this.freed.length = 0
  }
}
