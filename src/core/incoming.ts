// The order that is being placed. There is one at a time, so one object serves them all.

import type { Book } from './book.ts'
import type { Player } from './operator.ts'
import type { NewOrder } from './orders.ts'

export class Incoming implements NewOrder {
  book!: Book
  player!: Player
  serial = 0
  createdAt = 0
  expiresAt = Infinity
  isSell = false
  price = 0
  shares = 0
  position = -1
  transactionId: string | null = null
  /** Its row. */
  order = -1
  remaining = 0
  /** The worst rank of a resting order that it may meet. */
  worstRank = 0
  feeRate = 0
}
