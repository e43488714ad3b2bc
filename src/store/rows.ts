// The rows that a turn writes. Each kind of row has its fields here, in the order in which
// row-bytes.ts encodes them. Rows that are decoded are packed: numbers in one array, texts in
// another. A column of a table is the snake case of its field.

/** A number; a text or null; a whole number of any size. */
export type FieldType = 'number' | 'text' | 'exact'

type Fields = Readonly<Record<string, FieldType>>

const when = { createdAt: 'number', updatedAt: 'number' } as const

/**
 * The operator number on the side of a trade that has no order, because complete sets are issued or
 * redeemed there. Reads show the market's owner on that side; the owner does not see the trade
 * because of it.
 */
export const issuer = 0

/** Times are Unix milliseconds, quantities whole steps, operators the numbers that a store gave. */
export const rowKinds = {
  /** An order that was placed in this turn, as of the end of the turn. */
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
    /** Index in orderStatuses. */
    status: 'number',
    /** 0 for never. */
    expiresAt: 'number',
    /** As core/orders/options.ts packs them; 0 for the defaults. With why it is REJECTED. */
    options: 'number',
    transactionId: 'text',
    /** Hash of the request; 0 without a transactionId. */
    fingerprint: 'number',
  },
  /** An order of an earlier turn, as of the end of this one. */
  order: {
    serial: 'number',
    filled: 'number',
    cost: 'number',
    status: 'number',
    updatedAt: 'number',
  },
  /** The same for an order that was amended in this turn. */
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
    /** The issuer on a side without an order; the order serial of that side is the match. */
    buyerNumber: 'number',
    sellerNumber: 'number',
    price: 'number',
    shares: 'number',
    buyerFee: 'number',
    sellerFee: 'number',
    /** 1 if the incoming order is the SELL; for a leg, if its order is one. */
    isSellIncoming: 'number',
    /** Index in tradeKinds. */
    kind: 'number',
  },
  /** New or changed. updatedAt is 0 if only the reserved shares have changed. */
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
  /**
   * New or changed. The description, the image URL and the metadata of a changed one are kept, and
   * its resolution unless the row has one.
   */
  market: {
    serial: 'number',
    ...when,
    ownerNumber: 'number',
    currency: 'text',
    isShared: 'number',
    hasCompleteSetMatching: 'number',
    /** Index in marketStatuses. */
    status: 'number',
    title: 'text',
    description: 'text',
    imageUrl: 'text',
    categoryId: 'text',
    metadata: 'text',
    /** 0 for none; the same for tradingEndsAt. */
    tradingStartsAt: 'number',
    tradingEndsAt: 'number',
    /** A Resolution with its ResolutionText as JSON, or null. */
    resolution: 'text',
  },
  /** The texts of an earlier turn's market, where they were edited. */
  marketDescription: { serial: 'number', description: 'text' },
  marketImageUrl: { serial: 'number', imageUrl: 'text' },
  marketMetadata: { serial: 'number', metadata: 'text' },
  /** The fields of a market that trading changes. */
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
  /** The fields of an outcome that trading changes. */
  outcome: { outcomeSerial: 'number', version: 'number', lastPrice: 'number' },
  /** The trades of one outcome in one minute that this turn adds. */
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
  /** An operator other than the owner that has traded in a market. */
  participant: { marketSerial: 'number', operatorNumber: 'number' },
  /** Work on a market that is done in slices. `job` is a Job as JSON. */
  job: { marketSerial: 'number', isDone: 'number', job: 'text' },
  /** A mint or redemption of complete sets. */
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
  /** New, or with a changed status. A COMPLETED settlement loses its error message. */
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
    /** Index in settlementStatuses. */
    status: 'number',
  },
  /** What an operator reported with the acknowledgement of a settlement. */
  settlementNote: {
    serial: 'number',
    transactionId: 'text',
    errorMessage: 'text',
    updatedAt: 'number',
  },
  /** Events of consecutive commands to one operator about one market. */
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
  /** The sequence of an operator's last event. */
  eventSequence: { operatorNumber: 'number', eventSequence: 'number' },
  /** Orders and trades that an operator gets in a market; market 0 counts those of all markets. */
  tally: { operatorNumber: 'number', marketSerial: 'number', orders: 'number', trades: 'number' },
  /** 1 if the market has a public page, where that was stated; a new market has none. */
  marketPublicPage: { serial: 'number', hasPublicPage: 'number' },
  /** A dead-man switch, new or changed. */
  deadMan: {
    operatorNumber: 'number',
    /** Empty for the whole operator. */
    playerId: 'text',
    timeoutMs: 'number',
    deadline: 'number',
    /** Index in deadManStates. */
    state: 'number',
    cancelUpTo: 'number',
  },
  /** JSON or null, where that was stated; a new market has none. */
  marketFees: { serial: 'number', feeSchedule: 'text' },
  /** The brake of an exchange, an operator or a player. */
  controls: {
    /** Index in controlsHolders. */
    holderKind: 'number',
    /** 0 and the empty text where the holder has none. */
    operatorNumber: 'number',
    playerId: 'text',
    /** A ControlsRecord as JSON; null if it says nothing. */
    record: 'text',
  },
  /** JSON or null, where that was stated; a new market has none. */
  marketBand: { serial: 'number', priceBand: 'text' },
  /** An order group, new or changed. */
  orderGroup: {
    serial: 'number',
    createdAt: 'number',
    operatorNumber: 'number',
    playerId: 'text',
    limitShares: 'number',
    windowMs: 'number',
    /** Index in orderGroupStatuses. */
    status: 'number',
    generation: 'number',
    cancelUpTo: 'number',
  },
  /**
   * What was filled of a group at one time, in a slot of its window: an entry that has left the
   * window is overwritten, and one of an earlier generation does not count.
   */
  orderGroupFill: {
    groupSerial: 'number',
    slot: 'number',
    generation: 'number',
    filledAt: 'number',
    shares: 'number',
  },
  /** That a new order is in a group. */
  orderGroupOrder: { orderSerial: 'number', groupSerial: 'number', groupCreatedAt: 'number' },
  /** Of a new order that has an amount instead of shares. */
  orderAmount: {
    serial: 'number',
    /** In micro-units. */
    amount: 'number',
    /** With fees, in units of 1e-10. */
    spent: 'number',
  },
} as const satisfies Readonly<Record<string, Fields>>

/**
 * To be raised with every change of the kinds, of their fields, or of the encoding in row-bytes.ts:
 * rows may be stored as bytes, and read by another version than that which has written them.
 */
export const rowsVersion = 6
/** The rows of all versions since this one are read: only kinds were added, behind the others. */
export const oldestRowsVersion = 1

export type RowKind = keyof typeof rowKinds
type ValueOf<Type extends FieldType> = Type extends 'number'
  ? number
  : Type extends 'text'
    ? string | null
    : bigint
/** A row before it is packed. */
export type Row<Kind extends RowKind> = {
  readonly [Field in keyof (typeof rowKinds)[Kind]]: ValueOf<
    (typeof rowKinds)[Kind][Field] extends FieldType ? (typeof rowKinds)[Kind][Field] : never
  >
}

export const kindNames = Object.keys(rowKinds) as RowKind[]
/** By the number of the kind: its fields in the order in which they are packed. */
export const fieldsOf = kindNames.map((kind) => Object.entries(rowKinds[kind])) as [
  string,
  FieldType,
][][]
export const kindNumbers = new Map(kindNames.map((kind, number) => [kind, number]))

/** Where a field is packed, counted from the first field of its row. */
export function fieldIndex<Kind extends RowKind>(kind: Kind, field: keyof Row<Kind>): number {
  return Object.keys(rowKinds[kind]).indexOf(String(field))
}

/** Rows one after the other, each with the number of its kind before its fields. */
export type PackedRows = {
  readonly numbers: Float64Array
  readonly length: number
  readonly texts: readonly string[]
}

/** The index of a text that is null. */
export const noText = -1
