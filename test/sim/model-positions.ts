// Positions in the model: shares received and given away, complete sets minted and redeemed.
// Reserved shares are computed from the open SELL orders of the player.

import { positionUpdated, publish } from './model-events.ts'
import { exceededLimit } from './model-player-limits.ts'
import { isRestricted } from './model-restrictions.ts'
import {
  addParticipant,
  type Book,
  isOpen,
  isTrading,
  type Market,
  type Position,
  type Rejection,
  type State,
  type StepOf,
  visibleMarket,
} from './model-state.ts'

export type Holder = {
  readonly market: Market
  readonly book: Book
  readonly operator: number
  readonly player: string
}

export function findPosition(holder: Holder): Position | undefined {
  return holder.market.positions.find(
    ({ book, operator, player }) =>
      book === holder.book && operator === holder.operator && player === holder.player,
  )
}

/** Creates the position if there is none. */
export function positionOf(state: State, holder: Holder): Position {
  const found = findPosition(holder)
  if (found !== undefined) return found

  const { market, book, operator, player } = holder
  const id = `position-${state.positionsMade}`
  const made = { id, market, book, operator, player, shares: 0, cost: 0n, profit: 0n }
  state.positionsMade += 1
  market.positions.push(made)
  return made
}

export function reservedShares({ book, operator, player }: Holder): number {
  return book.orders
    .filter((order) => isOpen(order) && order.side === 'SELL')
    .filter((order) => order.operator === operator && order.player === player)
    .reduce((sum, order) => sum + order.shares - order.filled, 0)
}

export function freeShares(holder: Holder): number {
  return (findPosition(holder)?.shares ?? 0) - reservedShares(holder)
}

/** Shares, and their cost or proceeds in micro-units. */
export type Parcel = { readonly shares: number; readonly value: number }

export function receive(position: Position, { shares, value }: Parcel): void {
  position.shares += shares
  position.cost += BigInt(value)
}

export function give(position: Position, { shares, value }: Parcel): void {
  const held = BigInt(position.shares)
  const costOff = (position.cost * BigInt(shares) * 2n + held) / (held * 2n)
  position.shares -= shares
  position.cost -= costOff
  position.profit += BigInt(value) - costOff
}

export function mintOrRedeem(state: State, step: StepOf<'mint' | 'redeem'>): Rejection {
  const { operator, player, shares } = step
  const { sharesMin, sharesMax } = state.rules
  if (shares < sharesMin || shares > sharesMax) return 'ORDER_INVALID_SHARES'
  const market = visibleMarket(state, step)
  if (market === undefined) return 'MARKET_NOT_FOUND'
  if (!isTrading(market, state.now)) return 'MARKET_NOT_OPEN'
  if (isRestricted(state, step, step.do === 'redeem')) return 'TRADING_RESTRICTED'
  const holders = market.books.map((book) => ({ market, book, operator, player }))
  const isShort = holders.some((holder) => freeShares(holder) < shares)
  if (step.do === 'redeem' && isShort) return 'POSITION_INSUFFICIENT_SHARES'

  const purchase = { operator, player, market, books: market.books, shares, cost: shares * 10_000 }
  const exceeded = step.do === 'mint' ? exceededLimit(state, purchase) : null
  if (exceeded !== null) return exceeded

  addParticipant(market, operator)
  market.setsOutstanding += step.do === 'mint' ? shares : -shares
  for (const [outcome, holder] of holders.entries()) {
    const position = positionOf(state, holder)
    const parcel = { shares, value: valueOfPart(shares, outcome, holders.length) }
    if (step.do === 'mint') receive(position, parcel)
    else give(position, parcel)
    publish(state, positionUpdated(position))
  }
  return null
}

/** A set is worth one unit, divided over its outcomes; the last one gets the remainder. */
function valueOfPart(shares: number, outcome: number, outcomes: number): number {
  const total = shares * 10_000
  const part = Math.floor(total / outcomes)
  return outcome < outcomes - 1 ? part : total - part * (outcomes - 1)
}
