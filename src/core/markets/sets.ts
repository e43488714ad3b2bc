// Complete sets: one share of every outcome of a market costs and fetches exactly one unit,
// because exactly one of them will pay it. This is how shares come to be, and how they end.

import { none } from '../memory/memory.ts'
import { microsPerSet, type Shares } from '../money.ts'
import { positionOf } from '../orders/match.ts'
import { invalid, marketNotFound, type Reject } from '../reject.ts'
import { isVisibleTo } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import { factSizes, SETS, setsFact } from '../state/journal.ts'
import { isTrading, type Market } from '../state/market.ts'
import type { Operator, Player } from '../state/operator.ts'

export type SetsChange = {
  readonly kind: 'MINT' | 'REDEEM'
  readonly operator: Operator
  readonly marketSerial: number
  readonly playerId: string
  readonly shares: Shares
  readonly transactionId: string | null
}

export function changeSets(exchange: Exchange, command: SetsChange): Reject | null {
  const { rules } = exchange
  const { shares } = command
  if (!(shares >= rules.sharesMin && shares <= rules.sharesMax)) {
    return { code: 'ORDER_INVALID_SHARES', shares, min: rules.sharesMin, max: rules.sharesMax }
  }
  const market = exchange.market(command.marketSerial)
  if (market === undefined || !isVisibleTo(market, command.operator)) return marketNotFound
  if (!isTrading(market, exchange.now)) return { code: 'MARKET_NOT_OPEN', status: market.status }
  const known = command.operator.players.get(command.playerId)
  const refused =
    command.kind === 'MINT' ? checkRoom(market, shares) : checkHeld(exchange, market, known, shares)
  if (refused !== null) return refused

  exchange.begin()
  const player = known ?? exchange.player(command.operator, command.playerId)
  writeSets(exchange, market, player, command)
  market.books.forEach((book, index) => {
    const value = partOfSet(shares, market.books.length, index)
    const position = positionOf(exchange, book, player)
    if (command.kind === 'MINT') exchange.positions.receive(position, shares, value)
    else exchange.positions.give(position, shares, value)
    exchange.journal.reserve()
    exchange.positions.write(position, exchange.journal)
  })
  if (command.kind === 'MINT') market.setsMinted.add(shares)
  else market.setsRedeemed.add(shares)
  market.setsOutstanding += command.kind === 'MINT' ? shares : -shares
  return null
}

/** What one outcome's part of complete sets counts for, in micro-units; the last has the rest. */
export function partOfSet(shares: number, outcomeCount: number, index: number): number {
  const total = shares * microsPerSet
  const part = Math.floor(total / outcomeCount)
  return index < outcomeCount - 1 ? part : total - part * (outcomeCount - 1)
}

// The law of conservation then keeps every position below 2^53 as well.
function checkRoom(market: Market, shares: number): Reject | null {
  if (Number.isSafeInteger(market.setsOutstanding + shares)) return null
  return invalid('shares', 'the market cannot hold this many more complete sets')
}

function checkHeld(
  exchange: Exchange,
  market: Market,
  player: Player | undefined,
  wanted: number,
): Reject | null {
  const { positions } = exchange
  for (const book of market.books) {
    const position = player === undefined ? none : positions.find(book.handle, player.handle)
    const free = position === none ? 0 : positions.freeShares(position)
    if (free < wanted) return { code: 'POSITION_INSUFFICIENT_SHARES', wanted, free }
  }
  return null
}

function writeSets(exchange: Exchange, market: Market, player: Player, command: SetsChange): void {
  const { journal } = exchange
  const at = journal.add(SETS, factSizes[SETS]!)
  const facts = journal.facts
  facts[at + setsFact.serial] = exchange.nextSerial()
  facts[at + setsFact.market] = market.handle
  facts[at + setsFact.player] = player.handle
  facts[at + setsFact.isRedeem] = command.kind === 'REDEEM' ? 1 : 0
  facts[at + setsFact.shares] = command.shares
  facts[at + setsFact.transactionId] = journal.keep(command.transactionId)
}
