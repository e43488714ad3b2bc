// The positions of the players in a market.

import { none, type PositionRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book, Market } from '../state/market.ts'
import type { Player } from '../state/operator.ts'

/** The player's position in that outcome; a new one where it has none yet. */
export function positionOf(exchange: Exchange, book: Book, player: Player): PositionRow {
  const { positions } = exchange
  const known = positions.find(book.handle, player.handle)
  if (known !== none) return known
  const added = positions.add({
    book: book.handle,
    player: player.handle,
    serial: exchange.nextSerial(),
    createdAt: exchange.now,
  })
  const { market } = book
  if (market.lastPosition === none) market.firstPosition = added
  else positions.setNext(market.lastPosition, added)
  market.lastPosition = added
  market.addParticipant(player.operator)
  return added
}

/** The player's position in that outcome, or none. */
export function findPosition(
  { positions }: Exchange,
  book: Book,
  player: Player | undefined,
): PositionRow {
  return player === undefined ? none : positions.find(book.handle, player.handle)
}

/** How many shares of a position can be sold: those held and not reserved. */
export function availableShares({ positions }: Exchange, position: PositionRow): number {
  return position === none ? 0 : positions.available(position)
}

/** The positions of a market, in the order in which they were made. */
export function* positionsOf({ positions }: Exchange, market: Market): Generator<PositionRow> {
  for (let at = market.firstPosition; at !== none; at = positions.next(at)) yield at
}

/** Writes the fact of a position that has changed. */
export function writePosition({ journal, positions }: Exchange, position: PositionRow): void {
  journal.add({
    kind: 'POSITION',
    position,
    shares: positions.shares(position),
    cost: positions.compactCost(position),
    profit: positions.compactProfit(position),
  })
}
