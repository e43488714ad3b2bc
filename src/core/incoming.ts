// The order that is being placed. There is one at a time, so one object serves them all; what
// will be remembered of it stands in its row.

import type { Book } from './book.ts'
import type { Player } from './operator.ts'

export class Incoming {
  book!: Book
  player!: Player
  /** Its row. */
  order = -1
  isSell = false
  remaining = 0
  /** The worst rank of a resting order that it may meet. */
  worstRank = 0
  /** Its player's position in that outcome, or -1 while there is none. */
  position = -1
  feeRate = 0
}
