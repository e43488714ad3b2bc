// Whether a player may buy or mint so much: the limits that its operator has set, without fees.

import { findPosition } from '../book/holdings.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import { microsPerSet, noPrice, textOf } from '../money.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import { areAnyInForce, type LimitSources, limitDecimals, limitInForce } from '../state/limits.ts'
import type { Book, Market } from '../state/market.ts'
import { limitSourcesOf, type Operator, type Player } from '../state/operator.ts'
import type { LimitName } from '../words.ts'
import { type Planned, planOf } from './plan.ts'

/** Of a BUY order, or of an amendment that makes it of an open order. */
export function checkOrderLimits(
  exchange: Exchange,
  operator: Operator,
  planned: Planned,
  amended: OrderRow = none,
): Reject | null {
  const { book, player } = planned
  const limits = limitsOn(operator, player)
  if (limits === null) return null
  const { cost, shares } = wantedBy(exchange, planned)
  // An amended order is one of the open ones: what is left of it is not counted twice.
  const { orders } = exchange
  const openShares = amended === none ? 0 : orders.remaining(amended)
  const openCost = amended === none ? 0 : openShares * orders.price(amended)
  return (
    checkLimit(limits, 'maxOrderCost', cost) ??
    checkLimit(limits, 'maxOutcomeShares', wanted(exchange, book, player) - openShares + shares) ??
    checkMarketCost(exchange, limits, { market: book.market, player, cost: cost - openCost })
  )
}

/** Of complete sets that are minted. */
export function checkMintLimits(
  exchange: Exchange,
  operator: Operator,
  player: Player | undefined,
  { market, shares }: { readonly market: Market; readonly shares: number },
): Reject | null {
  const limits = limitsOn(operator, player)
  if (limits === null) return null
  const cost = shares * microsPerSet
  const most = Math.max(...market.books.map((book) => wanted(exchange, book, player)))
  return (
    checkLimit(limits, 'maxOrderCost', cost) ??
    checkLimit(limits, 'maxOutcomeShares', most + shares) ??
    checkMarketCost(exchange, limits, { market, player, cost })
  )
}

/** Whether there is anything to check: it costs every BUY order two reads. */
export function mayBeLimited(operator: Operator, player: Player | undefined): boolean {
  return operator.controls !== null || (player !== undefined && player.controls !== null)
}

function limitsOn(operator: Operator, player: Player | undefined): LimitSources | null {
  if (!mayBeLimited(operator, player)) return null
  const sources = limitSourcesOf(operator, player)
  return areAnyInForce(sources) ? sources : null
}

// A MARKET order costs what it would match now. An order by amount costs the whole amount, and
// wants the shares that it would match now.
function wantedBy(exchange: Exchange, planned: Planned): { cost: number; shares: number } {
  const { budget = null, limit, shares } = planned
  if (budget !== null) return { cost: budget.amount, shares: planOf(exchange, planned).filled }
  const cost = limit === noPrice ? planOf(exchange, planned).value : shares * limit
  return { cost, shares }
}

/** The shares that the player holds and those that its open orders want. */
function wanted(exchange: Exchange, book: Book, player: Player | undefined): number {
  const position = findPosition(exchange, book, player)
  const held = position === none ? 0 : exchange.positions.shares(position)
  return held + (player?.openBuys?.shares(book.handle) ?? 0)
}

type MarketCost = {
  readonly market: Market
  readonly player: Player | undefined
  /** That is added to it. */
  readonly cost: number
}

function checkMarketCost(
  exchange: Exchange,
  limits: LimitSources,
  { market, player, cost }: MarketCost,
): Reject | null {
  if (limitInForce(limits, 'maxMarketCost') === null) return null
  let sum = BigInt(cost)
  for (const book of market.books) {
    const position = findPosition(exchange, book, player)
    if (position !== none) sum += exchange.positions.cost(position)
    sum += player?.openBuys?.cost(book.handle) ?? 0n
  }
  return checkLimit(limits, 'maxMarketCost', sum)
}

function checkLimit(limits: LimitSources, limit: LimitName, would: number | bigint): Reject | null {
  const max = limitInForce(limits, limit)
  if (max === null || would <= max) return null
  const places = limitDecimals[limit]
  return { code: 'LIMIT_EXCEEDED', limit, max: textOf(max, places), would: textOf(would, places) }
}
