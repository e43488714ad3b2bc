// Where the fields of each kind of row are, in words from its start. Only this folder knows them:
// the rules read and write rows through orders.ts, levels.ts, ladders.ts and positions.ts.

// 64 bytes, as much as a processor fetches at once. What few orders have is in order-terms.ts.
export const orderField = {
  /** Reals. Cost is the value of its fills, in micro-units. */
  serial: 0,
  createdAt: 2,
  cost: 4,
  /** Words. Price is 0 for a MARKET order. */
  shares: 6,
  filled: 7,
  price: 8,
  /** The handle of its own side. */
  side: 9,
  player: 10,
  position: 11,
  /** These three are valid only while it rests. */
  level: 12,
  next: 13,
  previous: 14,
  /** Instead of next, once it is closed. */
  closedBefore: 13,
  terms: 15,
} as const
export const orderWidth = 16

export const levelField = {
  /** A real: the shares that remain of all its orders. */
  shares: 0,
  /** Words. */
  first: 2,
  last: 3,
  orderCount: 4,
  /** Its price as its side ranks it: the higher, the better. */
  rank: 5,
  /** The handle of its side. */
  side: 6,
} as const
export const levelWidth = 8

// The fields that a trade changes come first.
export const positionField = {
  /** Words. */
  book: 0,
  player: 1,
  /** Reals. Cost and profit are sums of two reals each, in micro-units. */
  shares: 2,
  reserved: 4,
  cost: 6,
  profit: 10,
  /** A word. */
  next: 14,
  /** Reals. */
  serial: 16,
  createdAt: 18,
} as const
export const positionWidth = 20
