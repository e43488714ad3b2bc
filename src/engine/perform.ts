// Carries out one command on the core and makes its answer, within a turn. What needs the store
// (replays, markets that have left the memory) happens around this.

import { assert } from '../core/assert.ts'
import type { Book } from '../core/book/book.ts'
import { depthOf, pricesOf } from '../core/book/prices.ts'
import { closedOrderAt, placementAt } from '../core/events/answer.ts'
import { createMarket, editMarket } from '../core/markets/create-market.ts'
import { manage } from '../core/markets/lifecycle.ts'
import { changeSets } from '../core/markets/sets.ts'
import { settle } from '../core/markets/settle.ts'
import { acknowledge, retrySettlements } from '../core/markets/settlement.ts'
import { bestPrice } from '../core/memory/ladders.ts'
import { amend } from '../core/orders/amend.ts'
import { cancel } from '../core/orders/cancel.ts'
import { cancelMany } from '../core/orders/cancel-many.ts'
import { depthWithImplied } from '../core/orders/implied.ts'
import { place } from '../core/orders/place.ts'
import { preview } from '../core/orders/preview.ts'
import { marketNotFound, type Reject } from '../core/reject.ts'
import type { Exchange } from '../core/state/exchange.ts'
import { marketFact, SETTLEMENT, settlementFact } from '../core/state/journal.ts'
import type { Market } from '../core/state/market.ts'
import type { Operator } from '../core/state/operator.ts'
import type { SettlementRow } from '../store/store.ts'
import type {
  AcknowledgeAsk,
  BookAnswer,
  BookAsk,
  CancelAsk,
  CommandKind,
  Commands,
  MarketAnswer,
  PricesAnswer,
  Result,
  RetryAnswer,
  SetsAsk,
} from './commands.ts'
import { setsAt } from './sets-answer.ts'

/** What a command may need besides what was asked. */
export type Situation = {
  readonly exchange: Exchange
  /** Of the clock, for what changes nothing. */
  readonly now: number
  /** Of an acknowledgement: what it is about. */
  readonly settlement: SettlementRow | null
}

export type Performers = {
  readonly [Kind in CommandKind]: (
    situation: Situation,
    ask: Commands[Kind]['ask'],
  ) => Result<Commands[Kind]['answer']>
}

/** Commands that only look. */
export const readingKinds: ReadonlySet<CommandKind> = new Set(['book', 'preview', 'prices'])

export const performers: Performers = {
  place: ({ exchange }, ask) => {
    const reject = place(exchange, { ...ask, operator: operatorOf(exchange, ask) })
    if (reject !== null) return refused(reject)
    return taken({ ...placementAt(exchange, exchange.journal.start), isReplay: false })
  },
  cancel: ({ exchange }, ask: CancelAsk) => {
    const reject = cancel(exchange, operatorOf(exchange, ask), ask.orderId)
    return reject === null
      ? taken(closedOrderAt(exchange, exchange.journal.start))
      : refused(reject)
  },
  cancelMany: ({ exchange }, ask) =>
    taken({ cancelled: cancelMany(exchange, operatorOf(exchange, ask), ask.orders) }),
  amend: ({ exchange }, ask) => {
    const reject = amend(exchange, { ...ask, operator: operatorOf(exchange, ask) })
    return reject === null ? taken(placementAt(exchange, exchange.journal.start)) : refused(reject)
  },
  changeSets: ({ exchange }, ask: SetsAsk) => {
    const reject = changeSets(exchange, { ...ask, operator: operatorOf(exchange, ask) })
    if (reject !== null) return refused(reject)
    return taken({ ...setsAt(exchange, exchange.journal.start), isReplay: false })
  },
  createMarket: ({ exchange }, ask) => {
    const reject = createMarket(exchange, { ...ask, operator: operatorOf(exchange, ask) })
    if (reject !== null) return refused(reject)
    const { journal, markets } = exchange
    return taken(marketAnswer(markets.at(journal.facts[journal.start + 1 + marketFact.market]!)))
  },
  editMarket: ({ exchange }, ask) =>
    aboutMarket(exchange, ask.marketId, (operator) =>
      editMarket(exchange, { ...ask, operator: operator(ask) }),
    ),
  manage: ({ exchange }, ask) =>
    aboutMarket(exchange, ask.marketId, (operator) =>
      manage(exchange, { ...ask, operator: operator(ask) }),
    ),
  settle: ({ exchange }, ask) => {
    const reject = settle(exchange, { ...ask, operator: operatorOf(exchange, ask) })
    // The engine answers in its place when the last slice is done.
    return reject === null ? taken({ cancelledOrders: 0, settled: 0, payout: 0n }) : refused(reject)
  },
  retrySettlements: ({ exchange }, ask) => {
    const { sequence } = exchange
    const command = { ...ask, operator: operatorOf(exchange, ask) }
    const reject = retrySettlements(exchange, command, Number.MAX_SAFE_INTEGER)
    if (reject !== null) return refused(reject)
    return taken(exchange.sequence > sequence ? settledNow(exchange) : nothingSettled)
  },
  acknowledge: ({ exchange, settlement }, ask) => acknowledgement(exchange, settlement, ask),
  preview: ({ exchange }, ask) => {
    const order = { ...ask, operator: operatorOf(exchange, ask), transactionId: null }
    const found = preview(exchange, order)
    return 'code' in found ? refused(found) : taken(found)
  },
  book: ({ exchange, now }, ask) => {
    const found = bookOf(exchange, ask.marketId, ask.outcomeId)
    return 'code' in found ? refused(found) : taken(bookAnswer(exchange, found, ask, now))
  },
  prices: ({ exchange, now }, { marketId, outcomeId }) => {
    if (outcomeId !== null) {
      const found = bookOf(exchange, marketId, outcomeId)
      return 'code' in found ? refused(found) : taken([priceAnswer(exchange, found, now)])
    }
    const market = publicMarket(exchange, marketId)
    if (market === undefined) return refused(marketNotFound)
    return taken(market.books.map((book) => priceAnswer(exchange, book, now)))
  },
}

export function taken<Answer>(answer: Answer): Result<Answer> {
  return { isTaken: true, answer }
}

export function refused(reject: Reject): Result<never> {
  return { isTaken: false, reject }
}

function operatorOf(exchange: Exchange, { operatorId }: { operatorId: string }): Operator {
  const operator = exchange.operator(operatorId)
  assert(operator !== undefined, 'whoever asks is known to the shard')
  return operator
}

function aboutMarket(
  exchange: Exchange,
  marketId: number,
  change: (operator: (ask: { operatorId: string }) => Operator) => Reject | null,
): Result<MarketAnswer> {
  const reject = change((ask) => operatorOf(exchange, ask))
  return reject === null ? taken(marketAnswer(exchange.market(marketId)!)) : refused(reject)
}

function marketAnswer({ serial, status }: Market): MarketAnswer {
  return { marketId: serial, status }
}

const nothingSettled: RetryAnswer = { settlements: [], payout: 0n }

function settledNow({ journal }: Exchange): RetryAnswer {
  const { facts } = journal
  const settlements: number[] = []
  let payout = 0n
  for (let at = journal.start; at < journal.length; at = journal.after(at)) {
    if (facts[at] !== SETTLEMENT) continue
    const shares = BigInt(facts[at + settlementFact.shares]!)
    settlements.push(facts[at + settlementFact.serial]!)
    payout += shares * BigInt(facts[at + settlementFact.payoutPerShare]!)
  }
  return { settlements, payout }
}

function acknowledgement(
  exchange: Exchange,
  row: SettlementRow | null,
  ask: AcknowledgeAsk,
): Result<{ readonly settlementId: number }> {
  if (row === null) return refused({ code: 'SETTLEMENT_NOT_FOUND' })
  const reject = acknowledge(exchange, {
    operator: operatorOf(exchange, ask),
    marketId: row.market,
    status: ask.status,
    settlement: {
      serial: row.serial,
      createdAt: row.createdAt,
      positionSerial: row.positionSerial,
      positionCreatedAt: row.positionCreatedAt,
      outcome: row.outcomeIndex,
      operatorId: row.operatorId,
      playerId: row.playerId,
      shares: row.shares,
      payoutPerShare: row.payoutPerShare,
    },
  })
  return reject === null ? taken({ settlementId: row.serial }) : refused(reject)
}

// A DRAFT is not there yet for the public.
function publicMarket(exchange: Exchange, marketId: number): Market | undefined {
  const market = exchange.market(marketId)
  return market?.status === 'DRAFT' ? undefined : market
}

function bookOf(exchange: Exchange, marketId: number, outcomeId: number): Book | Reject {
  const market = publicMarket(exchange, marketId)
  if (market === undefined) return marketNotFound
  const book = market.books.find(({ serial }) => serial === outcomeId)
  return book ?? { code: 'OUTCOME_NOT_FOUND' }
}

function bookAnswer(exchange: Exchange, book: Book, ask: BookAsk, now: number): BookAnswer {
  const { depth, withImplied = false } = ask
  return {
    marketId: book.market.id,
    outcomeId: book.id,
    ...depthOf(exchange, book, depth),
    ...(withImplied ? { withImplied: depthWithImplied(exchange, book, depth) } : {}),
    version: book.version,
    timestamp: now,
  }
}

function priceAnswer(exchange: Exchange, book: Book, now: number): PricesAnswer[number] {
  const { memory } = exchange
  const bestBid = bestPrice(memory, book.bids)
  const bestAsk = bestPrice(memory, book.asks)
  return {
    marketId: book.market.id,
    outcomeId: book.id,
    outcomeName: book.name,
    version: book.version,
    ...pricesOf(bestBid, bestAsk, book.lastPrice),
    volume24h: book.volume.total(now),
  }
}
