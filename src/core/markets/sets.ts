// Complete sets: one share of every outcome of a market costs exactly one unit and can be redeemed
// for it, because the payouts of all outcomes together are one unit. Shares are made and ended
// here, and by orders that match by complete sets.

import { availableShares, findPosition, positionOf, writePosition } from '../book/holdings.ts'
import type { Serial } from '../ids.ts'
import { microsPerSet, type Shares } from '../money.ts'
import { checkAvailable, checkShares, checkTrading } from '../orders/checks.ts'
import { checkMintLimits } from '../orders/player-limits.ts'
import { invalid, marketNotFound, type Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import type { Operator, Player } from '../state/operator.ts'
import { checkMode } from '../state/trading-mode.ts'

export type SetsChange = {
  readonly kind: 'MINT' | 'REDEEM'
  readonly operator: Operator
  readonly marketSerial: Serial
  readonly playerId: string
  readonly shares: Shares
  readonly transactionId: string | null
}

export function changeSets(exchange: Exchange, command: SetsChange): Reject | null {
  const { operator, shares } = command
  const malformed = checkShares(exchange.rules, shares)
  if (malformed !== null) return malformed
  const market = exchange.market(command.marketSerial)
  if (market === undefined) return marketNotFound
  const known = operator.players.get(command.playerId)
  const rejection =
    checkTrading(exchange, market, operator) ??
    checkMode(exchange, { operator, player: known }, command.kind === 'REDEEM') ??
    (command.kind === 'MINT'
      ? (checkOutstanding(market, shares) ??
        checkMintLimits(exchange, operator, known, { market, shares }))
      : checkHeld(exchange, market, known, shares))
  if (rejection !== null) return rejection

  exchange.begin()
  const player = known ?? exchange.player(operator, command.playerId)
  writeSets(exchange, market, player, command)
  market.books.forEach((book, index) => {
    const value = partOfSet(shares, market.books.length, index)
    const position = positionOf(exchange, book, player)
    if (command.kind === 'MINT') exchange.positions.receive(position, shares, value)
    else exchange.positions.give(position, shares, value)
    writePosition(exchange, position)
  })
  if (command.kind === 'MINT') market.setsMinted.add(shares)
  else market.setsRedeemed.add(shares)
  market.setsOutstanding += command.kind === 'MINT' ? shares : -shares
  return null
}

/** The value of one outcome's part of complete sets, in micro-units; the last has the remainder. */
export function partOfSet(shares: number, outcomeCount: number, index: number): number {
  const total = shares * microsPerSet
  const part = Math.floor(total / outcomeCount)
  return index < outcomeCount - 1 ? part : total - part * (outcomeCount - 1)
}

// No position can have more shares than there are sets, so this keeps positions below 2^53 as well.
function checkOutstanding(market: Market, shares: number): Reject | null {
  if (Number.isSafeInteger(market.setsOutstanding + shares)) return null
  return invalid('shares', 'the market cannot hold this many more complete sets')
}

function checkHeld(
  exchange: Exchange,
  market: Market,
  player: Player | undefined,
  wanted: number,
): Reject | null {
  for (const book of market.books) {
    const short = checkAvailable(
      wanted,
      availableShares(exchange, findPosition(exchange, book, player)),
    )
    if (short !== null) return short
  }
  return null
}

function writeSets(exchange: Exchange, market: Market, player: Player, command: SetsChange): void {
  exchange.journal.add({
    kind: 'SETS',
    serial: exchange.nextSerial(),
    market,
    player,
    change: command.kind,
    shares: command.shares,
    transactionId: command.transactionId,
  })
}
