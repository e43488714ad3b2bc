// Markets in the model: creation, edits and status changes up to the resolution. One table has the
// statuses in which each action is allowed.

import { isDeepStrictEqual } from 'node:util'
import type { MarketStatus } from '../../src/core/words.ts'
import {
  marketCreated,
  marketResolved,
  marketUpdated,
  publish,
  type Resolution,
  statusChanged,
} from './model-events.ts'
import { exceedsLimit, exceedsTextLimit, isCounted, textBytesOf } from './model-limits.ts'
import {
  type Market,
  type Rejection,
  type State,
  type StepOf,
  visibleMarket,
} from './model-state.ts'

export function createMarket(state: State, step: StepOf<'createMarket'>): Rejection {
  const names = step.outcomes ?? ['Yes', 'No']
  const { currencies } = state.operators[step.operator]!
  if (!currencies.includes(step.currency)) return 'VALIDATION_ERROR'
  if (names.length < 2 || names.length > 256) return 'VALIDATION_ERROR'
  if (new Set(names).size < names.length) return 'VALIDATION_ERROR'
  if (!isWindow(step.tradingStartsAt, step.tradingEndsAt)) return 'VALIDATION_ERROR'
  const { title, description } = step
  const added = { title, description, imageUrl: null, books: names.map((name) => ({ name })) }
  if (exceedsLimit(state, step.operator, [added])) return 'OPERATOR_LIMIT'

  const number = state.markets.length
  const market: Market = {
    number,
    id: `market-${number}`,
    owner: step.operator,
    currency: step.currency,
    isShared: step.isShared,
    hasCompleteSets: step.hasCompleteSets,
    books: names.map((name, outcome) => ({
      id: `outcome-${number}-${outcome}`,
      name,
      outcome,
      orders: [],
      trades: [],
      version: 0,
    })),
    positions: [],
    participants: [],
    title,
    description,
    imageUrl: null,
    feeSchedule: step.feeSchedule,
    priceBand: step.priceBand,
    tradingStartsAt: step.tradingStartsAt,
    tradingEndsAt: step.tradingEndsAt,
    status: 'DRAFT',
    isSettling: false,
    isCancelDone: false,
    setsOutstanding: 0,
    winner: null,
    payouts: null,
  }
  state.markets.push(market)
  publish(state, marketCreated(market))
  return null
}

export function edit(state: State, step: StepOf<'edit'>): Rejection {
  const owned = ownedMarket(state, step)
  if (owned.market === undefined) return owned.rejection
  const { market } = owned
  const { changes } = step
  const isEarly = market.status === 'DRAFT' || market.status === 'UPCOMING'
  const early = ['title', 'description', 'tradingStartsAt', 'tradingEndsAt', 'feeSchedule']
  if (!isEarly && early.some((field) => field in changes)) return 'MARKET_NOT_EDITABLE'
  const isOver = /RESOLVED|SETTLED|CANCELLED/.test(market.status)
  if (isOver && 'priceBand' in changes) return 'MARKET_NOT_EDITABLE'

  const edited = { ...market, ...changes }
  const { title, description, imageUrl, tradingStartsAt, tradingEndsAt } = edited
  if (!isWindow(tradingStartsAt, tradingEndsAt)) return 'VALIDATION_ERROR'
  const isLonger = textBytesOf(edited) > textBytesOf(market)
  if (isCounted(market) && isLonger && exceedsTextLimit(state, market.owner, [edited], market)) {
    return 'OPERATOR_LIMIT'
  }

  market.title = title
  market.description = description
  market.imageUrl = imageUrl
  market.feeSchedule = edited.feeSchedule
  market.tradingStartsAt = tradingStartsAt
  market.tradingEndsAt = tradingEndsAt
  const isSameBand = isDeepStrictEqual(market.priceBand, edited.priceBand)
  market.priceBand = edited.priceBand
  if (!isSameBand) publishUpdate(state, market, null)
  return null
}

export function changeWindow(state: State, step: StepOf<'changeWindow'>): Rejection {
  const owned = ownedMarket(state, step)
  if (owned.market === undefined) return owned.rejection
  const { market } = owned
  if (market.status !== 'OPEN' && market.status !== 'SUSPENDED') return 'MARKET_NOT_EDITABLE'
  if (step.tradingEndsAt <= state.now) return 'VALIDATION_ERROR'
  if (!isWindow(market.tradingStartsAt, step.tradingEndsAt)) return 'VALIDATION_ERROR'
  market.tradingEndsAt = step.tradingEndsAt
  publishUpdate(state, market, step.reason)
  return null
}

function publishUpdate(state: State, market: Market, reason: string | null): void {
  for (const operator of [market.owner, ...market.participants]) {
    publish(state, marketUpdated(market, reason, operator))
  }
}

type Move = StepOf<'open' | 'resume' | 'close' | 'suspend' | 'cancelMarket' | 'resolve'>

const movableFrom: Readonly<Record<Move['do'], readonly MarketStatus[]>> = {
  open: ['DRAFT', 'UPCOMING'],
  suspend: ['OPEN'],
  resume: ['SUSPENDED'],
  close: ['OPEN', 'SUSPENDED'],
  resolve: ['CLOSED'],
  cancelMarket: ['DRAFT', 'UPCOMING', 'OPEN', 'SUSPENDED', 'CLOSED'],
}

export function move(state: State, step: Move): Rejection {
  if (step.do === 'resolve' && !isWholeUnit(step.payouts)) return 'VALIDATION_ERROR'
  const owned = ownedMarket(state, step)
  if (owned.market === undefined) return owned.rejection
  const { market } = owned
  if (!movableFrom[step.do].includes(market.status)) return 'MARKET_INVALID_TRANSITION'
  switch (step.do) {
    case 'open':
      return open(state, market)
    case 'resume':
      changeStatus(state, market, { status: 'OPEN' })
      return null
    case 'close':
      changeStatus(state, market, { status: 'CLOSED' })
      return null
    case 'suspend':
      changeStatus(state, market, { status: 'SUSPENDED', reason: step.reason })
      return null
    case 'cancelMarket':
      changeStatus(state, market, { status: 'CANCELLED', reason: step.reason })
      return null
    case 'resolve':
      return resolve(state, market, step)
  }
}

export type Ownership =
  | { readonly market: Market }
  | { readonly market: undefined; readonly rejection: string }

/** The market, if the operator may manage it. */
export function ownedMarket(
  state: State,
  step: { readonly operator: number; readonly market: number },
): Ownership {
  const market = visibleMarket(state, step)
  if (market === undefined) return { market, rejection: 'MARKET_NOT_FOUND' }
  if (market.owner !== step.operator) return { market: undefined, rejection: 'FORBIDDEN' }
  return { market }
}

export function hasStarted(state: State, market: Market): boolean {
  return market.tradingStartsAt === null || market.tradingStartsAt <= state.now
}

type Change = {
  readonly status: MarketStatus
  readonly reason?: string
  readonly resolution?: Resolution
}

/** Changes the status and publishes it to the owner and then to the participants. */
export function changeStatus(state: State, market: Market, change: Change): void {
  const { status, reason = null, resolution } = change
  const previousStatus = market.status
  market.status = status
  for (const operator of [market.owner, ...market.participants]) {
    publish(state, statusChanged({ market, previousStatus, reason }, operator))
    if (resolution !== undefined) publish(state, marketResolved(resolution, operator))
  }
}

function open(state: State, market: Market): Rejection {
  const status = hasStarted(state, market) ? 'OPEN' : 'UPCOMING'
  if (status === market.status) return 'MARKET_INVALID_TRANSITION'
  changeStatus(state, market, { status })
  return null
}

function resolve(state: State, market: Market, step: StepOf<'resolve'>): Rejection {
  const { source, notes } = step
  const winner = step.payouts === null ? step.winner : null
  const paying = step.payouts ?? [{ outcome: step.winner, payout: 10_000 }]
  if (paying.some(({ outcome }) => market.books[outcome] === undefined)) return 'VALIDATION_ERROR'
  market.winner = winner
  market.payouts = market.books.map(
    (book) => paying.find(({ outcome }) => outcome === book.outcome)?.payout ?? 0,
  )
  const resolution = { market, source, notes }
  changeStatus(state, market, { status: 'RESOLVED', resolution })
  return null
}

function isWholeUnit(payouts: StepOf<'resolve'>['payouts']): boolean {
  if (payouts === null) return true
  const outcomes = new Set(payouts.map(({ outcome }) => outcome))
  const sum = payouts.reduce((total, { payout }) => total + payout, 0)
  const isNegative = payouts.some(({ payout }) => payout < 0)
  return outcomes.size === payouts.length && sum === 10_000 && !isNegative
}

function isWindow(startsAt: number | null, endsAt: number | null): boolean {
  return startsAt === null || endsAt === null || startsAt < endsAt
}
