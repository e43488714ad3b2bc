// The answer to a mint or a redemption: from the facts of the command or, for a replay, from the
// store.

import { factOf } from '../core/events/answer.ts'
import type { Ids } from '../core/ids.ts'
import type { Exchange } from '../core/state/exchange.ts'
import type { PositionChanged } from '../core/state/facts.ts'
import type { CommandFacts } from '../core/state/journal.ts'
import type { PositionRow, SetsRow } from '../store/store.ts'
import type { PositionAnswer, SetsAnswer } from './commands.ts'
import { positionOfRow } from './idempotency/stored-answers.ts'

/** The answer of a command that has minted or redeemed sets. */
export function setsOf(exchange: Exchange, facts: CommandFacts): Omit<SetsAnswer, 'isReplay'> {
  const { ids, now } = exchange
  const sets = factOf(facts, 'SETS')
  return {
    id: ids.textOf(sets.serial, now),
    marketId: sets.market.id,
    playerId: sets.player.id,
    kind: sets.change,
    shares: sets.shares,
    transactionId: sets.transactionId,
    createdAt: now,
    positions: facts
      .filter((fact) => fact.kind === 'POSITION')
      .map((changed) => positionAnswer(exchange, changed)),
  }
}

function positionAnswer(exchange: Exchange, { position }: PositionChanged): PositionAnswer {
  const { books, ids, now, players, positions } = exchange
  const book = books.at(positions.book(position))
  const player = players.at(positions.player(position))
  const createdAt = positions.createdAt(position)
  return {
    id: ids.textOf(positions.serial(position), createdAt),
    marketId: book.market.id,
    outcomeId: book.id,
    operatorId: player.operator.id,
    playerId: player.id,
    shares: positions.shares(position),
    reserved: positions.reserved(position),
    cost: positions.cost(position),
    profit: positions.profit(position),
    createdAt,
    updatedAt: now,
  }
}

/** As it was stored, with the player's positions as they are now. */
export function setsAgain(ids: Ids, sets: SetsRow, held: readonly PositionRow[]): SetsAnswer {
  return {
    id: ids.textOf(sets.serial, sets.createdAt),
    marketId: ids.textOf(sets.marketSerial, sets.marketCreatedAt),
    playerId: sets.playerId,
    kind: sets.kind,
    shares: sets.shares,
    transactionId: sets.transactionId,
    createdAt: sets.createdAt,
    positions: held.map((row) => positionOfRow(ids, row)),
    isReplay: true,
  }
}
