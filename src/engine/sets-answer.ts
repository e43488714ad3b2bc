// What the caller of a mint or a redemption gets, from the facts of the command or, when it is
// asked again, from what is stored.

import { assert } from '../core/assert.ts'
import type { Ids } from '../core/ids.ts'
import type { Exchange } from '../core/state/exchange.ts'
import { POSITION, positionFact, SETS, setsFact } from '../core/state/journal.ts'
import type { PositionRow, SetsRow } from '../store/store.ts'
import type { PositionAnswer, SetsAnswer } from './commands.ts'
import { positionOfRow } from './idempotency/stored-answers.ts'

/** The mint or redemption whose facts start there. */
export function setsAt(exchange: Exchange, start: number): Omit<SetsAnswer, 'isReplay'> {
  const { ids, journal, markets, now, players } = exchange
  const { facts } = journal
  const at = journal.after(start)
  assert(facts[at] === SETS, 'a change of sets starts with its fact')
  const market = markets.at(facts[at + setsFact.market]!)
  const positions: PositionAnswer[] = []
  const end = journal.endOf(start)
  for (let next = journal.after(at); next < end; next = journal.after(next)) {
    if (facts[next] !== POSITION) continue
    positions.push(positionAnswer(exchange, facts[next + positionFact.position]!))
  }
  return {
    id: ids.textOf(facts[at + setsFact.serial]!, now),
    marketId: market.id,
    playerId: players.at(facts[at + setsFact.player]!).id,
    kind: facts[at + setsFact.isRedeem] === 1 ? 'REDEEM' : 'MINT',
    shares: facts[at + setsFact.shares]!,
    transactionId: journal.textAt(facts[at + setsFact.transactionId]!),
    createdAt: now,
    positions,
  }
}

function positionAnswer(exchange: Exchange, position: number): PositionAnswer {
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
