// Settling a resolved market: its open orders go, then every position gets its record. Done in
// slices; a position is settled in the slice that stores its record, so never twice.

import { assert } from '../assert.ts'
import { none } from '../memory/memory.ts'
import { ticksPerUnit } from '../money.ts'
import { marketNotFound, type Reject } from '../reject.ts'
import { checkManages } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Job, Market } from '../state/market.ts'
import { cancelOrders, hasOpenOrders, startJob, writeJob } from './cancel-orders.ts'
import type { ManageMarket } from './lifecycle.ts'
import { writeSettlement } from './settlement.ts'
import { changeStatus } from './status.ts'

/** Begins a settlement; `carryOn` does the work. One that is under way is left alone. */
export function settle(exchange: Exchange, command: ManageMarket): Reject | null {
  const market = exchange.market(command.marketSerial)
  if (market === undefined) return marketNotFound
  const refused = checkManages(market, command.operator)
  if (refused !== null) return refused
  if (market.status === 'SETTLED') return { code: 'SETTLEMENT_ALREADY_COMPLETED' }
  if (market.status !== 'RESOLVED') {
    return { code: 'MARKET_INVALID_TRANSITION', status: market.status, action: 'settled' }
  }
  if (market.job !== null) return null

  exchange.begin()
  startJob(exchange, market, 'SETTLE')
  return null
}

/** One slice of what a market still has to do, of at most that many orders or positions. */
export function continueJob(exchange: Exchange, market: Market, atMost: number): void {
  const { job } = market
  if (job === null || job.phase === 'DONE') return
  exchange.begin()
  if (hasOpenOrders(market)) job.cancelledOrders += cancelOrders(exchange, market, atMost)
  else if (job.kind === 'SETTLE') payPositions(exchange, market, job, atMost)
  if (job.kind === 'CANCEL' && !hasOpenOrders(market)) job.phase = 'DONE'
  writeJob(exchange, market, job)
  if (market.job?.phase === 'DONE') exchange.endMarket(market)
}

function payPositions(exchange: Exchange, market: Market, job: Job, atMost: number): void {
  const { positions } = exchange
  job.phase = 'PAYING'
  for (let paid = 0; paid < atMost && market.nextToSettle !== none; paid += 1) {
    const position = market.nextToSettle
    payPosition(exchange, market, job, position)
    job.settled += 1
    job.lastPosition = positions.serial(position)
    market.nextToSettle = positions.next(position)
  }
  if (market.nextToSettle !== none) return
  const owed = BigInt(market.setsOutstanding) * BigInt(ticksPerUnit)
  assert(job.payout.exact === owed, 'what is paid out is what was paid in for the sets')
  job.phase = 'DONE'
  changeStatus(exchange, market, 'SETTLED')
}

function payPosition(exchange: Exchange, market: Market, job: Job, position: number): void {
  const { positions } = exchange
  const book = exchange.books.at(positions.book(position))
  assert(market.resolution !== null, 'only a resolved market pays')
  const shares = positions.shares(position)
  const payoutPerShare = market.resolution.payouts[book.index]!
  job.payout.addProduct(shares, payoutPerShare)
  writeSettlement(exchange, {
    serial: exchange.nextSerial(),
    createdAt: exchange.now,
    book,
    player: exchange.players.at(positions.player(position)),
    positionSerial: positions.serial(position),
    positionCreatedAt: positions.createdAt(position),
    shares,
    payoutPerShare,
    status: 'COMPLETED',
    hasEvent: true,
  })
}
