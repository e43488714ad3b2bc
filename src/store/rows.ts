// The rows that a turn writes, in one packed form: numbers in one array, texts in another, so
// that handing a turn to another thread costs next to nothing. Each kind of row has its columns
// here, in the order in which they are packed; every store reads its parameters from this table.

/** A number; a text or null; a whole number of any size. */
export type ColumnType = 'number' | 'text' | 'exact'

type Columns = Readonly<Record<string, ColumnType>>

const when = { createdAt: 'number', updatedAt: 'number' } as const

/**
 * In place of an operator, on the side of a trade where no order stands: whoever issues complete
 * sets, or takes them back. Reads show the market's owner there, who does not see the trade for it.
 */
export const issuer = 0

/** Times are Unix milliseconds, quantities whole steps, operators the numbers a store gave them. */
export const rowKinds = {
  /** An order that was taken in this turn, as it stands at its end. */
  newOrder: {
    serial: 'number',
    ...when,
    queueSerial: 'number',
    marketSerial: 'number',
    outcomeSerial: 'number',
    operatorNumber: 'number',
    playerId: 'text',
    /** 1 for SELL. */
    isSell: 'number',
    shares: 'number',
    /** 0 for a MARKET order. */
    price: 'number',
    filled: 'number',
    cost: 'number',
    /** Its place in orderStatuses. */
    status: 'number',
    /** 0 for never. */
    expiresAt: 'number',
    /** As core/orders/options.ts packs them; 0 for the usual. */
    options: 'number',
    transactionId: 'text',
    /** What was asked, as a hash; 0 without a transactionId. */
    fingerprint: 'number',
  },
  /** An order from before, as it stands at the end of the turn. */
  order: {
    serial: 'number',
    filled: 'number',
    cost: 'number',
    status: 'number',
    updatedAt: 'number',
  },
  /** The same for one that was amended in this turn. */
  amendedOrder: {
    serial: 'number',
    queueSerial: 'number',
    shares: 'number',
    price: 'number',
    filled: 'number',
    cost: 'number',
    status: 'number',
    updatedAt: 'number',
  },
  trade: {
    serial: 'number',
    createdAt: 'number',
    marketSerial: 'number',
    outcomeSerial: 'number',
    buyOrderSerial: 'number',
    buyOrderCreatedAt: 'number',
    sellOrderSerial: 'number',
    sellOrderCreatedAt: 'number',
    /** The issuer where no order stands; its order is then the match, a serial of its own. */
    buyerNumber: 'number',
    sellerNumber: 'number',
    price: 'number',
    shares: 'number',
    buyerFee: 'number',
    sellerFee: 'number',
    /** 1 where the incoming order was the SELL; of a leg, where its order is one. */
    isSellIncoming: 'number',
    /** Its place in tradeKinds. */
    kind: 'number',
  },
  /** New or changed. updatedAt is 0 where only the reserved shares have changed. */
  position: {
    serial: 'number',
    ...when,
    marketSerial: 'number',
    outcomeSerial: 'number',
    operatorNumber: 'number',
    playerId: 'text',
    shares: 'number',
    reserved: 'number',
    cost: 'exact',
    profit: 'exact',
  },
  /** New or changed, whole. */
  market: {
    serial: 'number',
    ...when,
    ownerNumber: 'number',
    currency: 'text',
    isShared: 'number',
    hasCompleteSetMatching: 'number',
    /** Its place in marketStatuses. */
    status: 'number',
    title: 'text',
    description: 'text',
    imageUrl: 'text',
    categoryId: 'text',
    metadata: 'text',
    /** 0 for none, as the next. */
    tradingStartsAt: 'number',
    tradingEndsAt: 'number',
    /** A Resolution as JSON, or null. */
    resolution: 'text',
  },
  /** What trading changes of a market. */
  marketCounters: {
    marketSerial: 'number',
    volume: 'exact',
    tradeCount: 'number',
    setsMinted: 'exact',
    setsRedeemed: 'exact',
  },
  newOutcome: {
    serial: 'number',
    marketSerial: 'number',
    place: 'number',
    name: 'text',
    description: 'text',
  },
  /** What trading changes of an outcome. */
  outcome: { outcomeSerial: 'number', version: 'number', lastPrice: 'number' },
  /** The trades of one outcome in one minute, as far as this turn adds to them. */
  candle: {
    outcomeSerial: 'number',
    minute: 'number',
    open: 'number',
    high: 'number',
    low: 'number',
    close: 'number',
    shares: 'number',
    trades: 'number',
  },
  /** An operator that is not the owner came to a market. */
  participant: { marketSerial: 'number', operatorNumber: 'number' },
  /** Work on a market that is done in slices: as it stands. A Run as JSON. */
  job: { marketSerial: 'number', isDone: 'number', job: 'text' },
  /** Complete sets, minted or redeemed. */
  sets: {
    serial: 'number',
    createdAt: 'number',
    marketSerial: 'number',
    operatorNumber: 'number',
    playerId: 'text',
    isRedeem: 'number',
    shares: 'number',
    transactionId: 'text',
    fingerprint: 'number',
  },
  /** New, or the status of an old one has changed. What is COMPLETED has no error any more. */
  settlement: {
    serial: 'number',
    ...when,
    positionSerial: 'number',
    positionCreatedAt: 'number',
    marketSerial: 'number',
    outcomeSerial: 'number',
    operatorNumber: 'number',
    playerId: 'text',
    shares: 'number',
    payoutPerShare: 'number',
    /** Its place in settlementStatuses. */
    status: 'number',
  },
  /** What an operator said of a settlement. */
  settlementNote: {
    serial: 'number',
    transactionId: 'text',
    errorMessage: 'text',
    updatedAt: 'number',
  },
  /** What one command told one operator. */
  eventRecord: {
    operatorNumber: 'number',
    firstSequence: 'number',
    lastSequence: 'number',
    createdAt: 'number',
    marketSerial: 'number',
    marketCreatedAt: 'number',
    /** Bit n stands for eventTypes[n]. */
    types: 'number',
    /** JSON. */
    body: 'text',
  },
  /** The number of an operator's last event. */
  eventSequence: { operatorNumber: 'number', eventSequence: 'number' },
  /** How many orders and trades an operator got in a market; market 0 counts all of them. */
  tally: { operatorNumber: 'number', marketSerial: 'number', orders: 'number', trades: 'number' },
} as const satisfies Readonly<Record<string, Columns>>

export type RowKind = keyof typeof rowKinds
type ValueOf<Type extends ColumnType> = Type extends 'number'
  ? number
  : Type extends 'text'
    ? string | null
    : bigint
/** A row before it is packed. */
export type Row<Kind extends RowKind> = {
  readonly [Column in keyof (typeof rowKinds)[Kind]]: ValueOf<
    (typeof rowKinds)[Kind][Column] extends ColumnType ? (typeof rowKinds)[Kind][Column] : never
  >
}

export const kindNames = Object.keys(rowKinds) as RowKind[]
/** By the number of the kind: its columns in the order in which they are packed. */
export const columnsOf = kindNames.map((kind) => Object.entries(rowKinds[kind])) as [
  string,
  ColumnType,
][][]
const kindNumbers = new Map(kindNames.map((kind, number) => [kind, number]))

export type PackedRows = {
  readonly numbers: Float64Array
  readonly length: number
  readonly texts: readonly string[]
}

/** In place of a text that is null. */
export const noText = -1
const firstCapacity = 1_024

export class RowPacker {
  #numbers = new Float64Array(firstCapacity)
  #length = 0
  readonly #texts: string[] = []

  add<Kind extends RowKind>(kind: Kind, row: Row<Kind>): void {
    const number = kindNumbers.get(kind)!
    const columns = columnsOf[number]!
    this.#reserve(columns.length + 1)
    this.#push(number)
    const values = row as Readonly<Record<string, number | string | bigint | null>>
    for (const [column, type] of columns) {
      const value = values[column]!
      this.#push(
        type === 'number' ? (value as number) : this.#keep(value as string | bigint | null),
      )
    }
  }

  get packed(): PackedRows {
    return { numbers: this.#numbers, length: this.#length, texts: this.#texts }
  }

  #keep(value: string | bigint | null): number {
    if (value === null) return noText
    this.#texts.push(String(value))
    return this.#texts.length - 1
  }

  #push(value: number): void {
    this.#numbers[this.#length] = value
    this.#length += 1
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#numbers.length) return
    const numbers = new Float64Array(this.#numbers.length * 2)
    numbers.set(this.#numbers)
    this.#numbers = numbers
  }
}
