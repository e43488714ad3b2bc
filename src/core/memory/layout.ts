// Where the fields of each kind of row stand, in words from its start. Fields of two words are
// reals: reals[(row + field) >>> 1]. The others are words[(row + field) | 0]: the "| 0" lets V8 add
// without a look at overflows.

// 64 bytes, as much as a processor fetches at once. What few orders have stands in terms.ts.
export const orderField = {
  /** Reals. Cost is what its fills came to, in micro-units. */
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
  /** These three count only while it rests. */
  level: 12,
  next: 13,
  previous: 14,
  /** Instead of next, once it is closed. */
  closedBefore: 13,
  /** -1 where it has none. */
  terms: 15,
} as const
export const orderWidth = 16

export const levelField = {
  /** A real: the sum of what remains of its orders. */
  shares: 0,
  first: 2,
  last: 3,
  orderCount: 4,
  /** Its price, seen from its side: the higher, the better. */
  rank: 5,
  /** The handle of its side. */
  side: 6,
} as const
export const levelWidth = 8

// What a trade touches comes first.
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
