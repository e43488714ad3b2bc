// Limits of players in the model: what a player uses is added up over its orders and positions
// every time.

import {
  type Book,
  isOpen,
  type Limits,
  type Market,
  type Order,
  openOrdersOf,
  type Rejection,
  type State,
} from './model-state.ts'

type Party = { readonly operator: number; readonly player: string }

/** What an order or a mint would add, of each of these outcomes. */
export type Purchase = Party & {
  readonly market: Market
  readonly books: readonly Book[]
  readonly shares: number
  readonly cost: number
}

/** The first limit that is exceeded; an order that is amended does not count as it was. */
export function exceededLimit(state: State, purchase: Purchase, amended?: Order): Rejection {
  const { books, cost, market, shares } = purchase
  const limits = limitsOf(state, purchase)
  const most = Math.max(...books.map((book) => usedShares(purchase, market, book, amended)))
  const wouldBe = {
    maxOrderCost: BigInt(cost),
    maxOutcomeShares: BigInt(most + shares),
    maxMarketCost: usedCost(purchase, market, amended) + BigInt(cost),
  }
  for (const [name, decimals] of [
    ['maxOrderCost', 6],
    ['maxOutcomeShares', 2],
    ['maxMarketCost', 6],
  ] as const) {
    const max = limits[name] ?? null
    if (max === null || wouldBe[name] <= BigInt(max)) continue
    return `LIMIT_EXCEEDED ${name} ${text(BigInt(max), decimals)} ${text(wouldBe[name], decimals)}`
  }
  return null
}

/** The player's own limits, and the operator's for those that it does not have. */
export function limitsOf({ brakes }: State, { operator, player }: Party): Limits {
  const own = brakes.find(
    ({ holder }) =>
      holder.kind === 'PLAYER' && holder.operator === operator && holder.player === player,
  )
  const defaults = brakes.find(
    ({ holder }) => holder.kind === 'OPERATOR' && holder.operator === operator,
  )
  return { ...defaults?.limits, ...own?.limits }
}

/** Held, and wanted by open BUY orders. */
export function usedShares(party: Party, market: Market, book: Book, without?: Order): number {
  const held = positionsOf(party, market).filter((position) => position.book === book)
  const open = openBuysOf(party, market).filter((order) => order.book === book && order !== without)
  const sum = held.reduce((total, { shares }) => total + shares, 0)
  return open.reduce((total, { shares, filled }) => total + shares - filled, sum)
}

/** Of positions and open BUY orders, in micro-units. */
export function usedCost(party: Party, market: Market, without?: Order): bigint {
  const held = positionsOf(party, market).reduce((total, { cost }) => total + cost, 0n)
  return openBuysOf(party, market)
    .filter((order) => order !== without)
    .reduce((total, order) => {
      return total + BigInt(order.shares - order.filled) * BigInt(order.price!)
    }, held)
}

function positionsOf(party: Party, market: Market) {
  return market.positions.filter((position) => isOf(party, position))
}

function openBuysOf(party: Party, market: Market): Order[] {
  return openOrdersOf(market).filter(
    (order) => isOf(party, order) && isOpen(order) && order.side === 'BUY',
  )
}

function isOf(party: Party, { operator, player }: Party): boolean {
  return operator === party.operator && player === party.player
}

function text(steps: bigint, decimals: number): string {
  const digits = String(steps).padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
