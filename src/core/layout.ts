// Where the fields of each kind of row stand, in words from its start. Fields of two words are
// reals: reals[(row + field) >> 1].

// What a match touches of an order fills its first 64 bytes.
export const orderField = {
  /** Reals. Cost is what its fills came to, in micro-units. */
  serial: 0,
  createdAt: 2,
  expiresAt: 4,
  cost: 6,
  /** Words. Level, next and previous count only while it rests. */
  shares: 8,
  filled: 9,
  level: 10,
  next: 11,
  previous: 12,
  player: 13,
  position: 14,
  isSell: 15,
  /** A real: its place in the queue. */
  queueSerial: 16,
  /** Words. Price is 0 for a MARKET order. */
  book: 18,
  price: 19,
  transactionId: 20,
} as const
export const orderWidth = 22

export const levelField = {
  /** A real: the sum of what remains of its orders. */
  shares: 0,
  first: 2,
  last: 3,
  orderCount: 4,
  /** Its price, seen from its side: the higher, the better. */
  rank: 5,
  side: 6,
} as const
export const levelWidth = 8

export const positionField = {
  /** Reals. Cost and profit are sums of two reals each, in micro-units. */
  serial: 0,
  createdAt: 2,
  shares: 4,
  reserved: 6,
  cost: 8,
  profit: 12,
  /** Words. */
  book: 16,
  player: 17,
  next: 18,
} as const
export const positionWidth = 20
