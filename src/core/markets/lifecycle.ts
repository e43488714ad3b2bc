// The lifecycle of a market: which action leads from which status to which. settle.ts settles a
// market, cancel-orders.ts cancels the orders of one that was cancelled.

import type { Serial } from '../ids.ts'
import { marketNotFound, type Reject } from '../reject.ts'
import { checkManages } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import { changeStatus } from '../state/market-status.ts'
import type { Operator } from '../state/operator.ts'
import type { MarketStatus } from '../words.ts'
import { startJob } from './cancel-orders.ts'
import { scheduleOpening } from './schedule.ts'
import { checkPayouts, type Payout, verdictOf } from './verdict.ts'

export type ManageMarket = { readonly operator: Operator; readonly marketSerial: Serial }

export type LifecycleAction =
  | (ManageMarket & { readonly action: 'open' | 'resume' | 'close' })
  | (ManageMarket & { readonly action: 'suspend' | 'cancel'; readonly reason: string })
  | (ManageMarket & Resolving & { readonly winningOutcomeSerial: Serial })
  | (ManageMarket & Resolving & { readonly payouts: readonly Payout[] })

type Resolving = {
  readonly action: 'resolve'
  readonly source: string
  readonly notes: string | null
}

const fromStates: Record<LifecycleAction['action'], readonly MarketStatus[]> = {
  open: ['DRAFT', 'UPCOMING'],
  suspend: ['OPEN'],
  resume: ['SUSPENDED'],
  close: ['OPEN', 'SUSPENDED'],
  resolve: ['CLOSED'],
  cancel: ['DRAFT', 'UPCOMING', 'OPEN', 'SUSPENDED', 'CLOSED'],
}

const pastTense: Record<LifecycleAction['action'], string> = {
  open: 'opened',
  suspend: 'suspended',
  resume: 'resumed',
  close: 'closed',
  resolve: 'resolved',
  cancel: 'cancelled',
}

export function manage(exchange: Exchange, command: LifecycleAction): Reject | null {
  const malformed = 'payouts' in command ? checkPayouts(command.payouts) : null
  if (malformed !== null) return malformed
  const market = exchange.market(command.marketSerial)
  if (market === undefined) return marketNotFound
  const rejection = checkManages(market, command.operator)
  if (rejection !== null) return rejection
  if (!isAllowed(exchange, market, command.action)) {
    const action = pastTense[command.action]
    return { code: 'MARKET_INVALID_TRANSITION', status: market.status, action }
  }
  if (command.action === 'resolve') return resolve(exchange, market, command)

  exchange.begin()
  switch (command.action) {
    case 'open':
      changeStatus(exchange, market, isStarted(market, exchange.now) ? 'OPEN' : 'UPCOMING')
      break
    case 'resume':
      changeStatus(exchange, market, 'OPEN')
      break
    case 'suspend':
      changeStatus(exchange, market, 'SUSPENDED', { reason: command.reason })
      break
    case 'close':
      changeStatus(exchange, market, 'CLOSED')
      break
    case 'cancel':
      changeStatus(exchange, market, 'CANCELLED', { reason: command.reason })
      startJob(exchange, market, 'CANCEL')
      break
  }
  scheduleOpening(exchange, market)
  return null
}

function isAllowed(exchange: Exchange, market: Market, action: LifecycleAction['action']): boolean {
  // An UPCOMING market opens at its time and not before, even for its owner.
  if (action === 'open' && market.status === 'UPCOMING') return isStarted(market, exchange.now)
  return fromStates[action].includes(market.status)
}

function isStarted(market: Market, now: number): boolean {
  return market.tradingStartsAt === null || market.tradingStartsAt <= now
}

type Resolve = Extract<LifecycleAction, { action: 'resolve' }>

function resolve(exchange: Exchange, market: Market, command: Resolve): Reject | null {
  const verdict = verdictOf(
    market.books.map(({ serial }) => serial),
    command,
  )
  if ('code' in verdict) return verdict

  exchange.begin()
  const { source, notes } = command
  market.resolution = { ...verdict, resolvedAt: exchange.now }
  changeStatus(exchange, market, 'RESOLVED', { resolution: { source, notes } })
  return null
}
