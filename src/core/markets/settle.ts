// Settling a resolved market: its open orders are cancelled, then every position gets a settlement
// record. It is done in slices; a slice stores the records of its positions, so that none is
// settled twice.

import { assert } from '../assert.ts'
import { none, type PositionRow } from '../memory/memory.ts'
import { ticksPerUnit } from '../money.ts'
import { marketNotFound, type Reject } from '../reject.ts'
import { checkManages } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Job, Market } from '../state/market.ts'
import { changeStatus } from '../state/market-status.ts'
import { cancelOrders, startJob, writeJob } from './cancel-orders.ts'
import type { ManageMarket } from './lifecycle.ts'

/** Starts a settlement; continueJob does the work. One that is under way goes on. */
export function settle(exchange: Exchange, command: ManageMarket): Reject | null {
  const market = exchange.market(command.marketSerial)
  if (market === undefined) return marketNotFound
  const rejection = checkManages(market, command.operator)
  if (rejection !== null) return rejection
  if (market.status === 'SETTLED') return { code: 'SETTLEMENT_ALREADY_COMPLETED' }
  if (market.status !== 'RESOLVED') {
    return { code: 'MARKET_INVALID_TRANSITION', status: market.status, action: 'settled' }
  }
  if (market.job !== null) return null

  exchange.begin()
  startJob(exchange, market, 'SETTLE')
  return null
}

/** Does one slice of the market's job, of at most that many orders or positions. */
export function continueJob(exchange: Exchange, market: Market, atMost: number): void {
  const { job } = market
  if (job === null || job.phase === 'DONE') return
  exchange.begin()
  if (market.hasOpenOrders) job.cancelledOrders += cancelOrders(exchange, market, atMost)
  else if (job.kind === 'SETTLE') payPositions(exchange, market, job, atMost)
  if (job.kind === 'CANCEL' && !market.hasOpenOrders) job.phase = 'DONE'
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
  assert(job.payout.exact === owed, 'a settlement pays out one unit for each complete set')
  job.phase = 'DONE'
  changeStatus(exchange, market, 'SETTLED')
}

function payPosition(exchange: Exchange, market: Market, job: Job, position: PositionRow): void {
  const { positions } = exchange
  const book = exchange.books.at(positions.book(position))
  assert(market.resolution !== null, 'only a resolved market pays')
  const shares = positions.shares(position)
  const payoutPerShare = market.resolution.payouts[book.index]!
  job.payout.addProduct(shares, payoutPerShare)
  exchange.journal.add({
    kind: 'SETTLEMENT',
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
