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
  AcknowledgeSettlement,
  BookAnswer,
  BookQuery,
  CancelOrder,
  ChangeSets,
  CommandKind,
  Commands,
  MarketAnswer,
  PricesAnswer,
  Result,
  RetryAnswer,
} from './commands.ts'
import { setsAt } from './sets-answer.ts'

/** What a command may need besides what was asked. */
export type PerformContext = {
  readonly exchange: Exchange
  /** Of the clock, for what changes nothing. */
  readonly now: number
  /** Of an acknowledgement: what it is about. */
  readonly settlement: SettlementRow | null
}

export type Performers = {
  readonly [Kind in CommandKind]: (
    context: PerformContext,
    command: Commands[Kind]['command'],
  ) => Result<Commands[Kind]['answer']>
}

/** Commands that only look. */
export const readingKinds: ReadonlySet<CommandKind> = new Set(['book', 'preview', 'prices'])

export const performers: Performers = {
  place: ({ exchange }, command) => {
    const reject = place(exchange, { ...command, operator: operatorOf(exchange, command) })
    if (reject !== null) return refused(reject)
    return accepted({ ...placementAt(exchange, exchange.journal.start), isReplay: false })
  },
  cancel: ({ exchange }, command: CancelOrder) => {
    const reject = cancel(exchange, operatorOf(exchange, command), command.orderSerial)
    return reject === null
      ? accepted(closedOrderAt(exchange, exchange.journal.start))
      : refused(reject)
  },
  cancelMany: ({ exchange }, command) =>
    accepted({
      cancelled: cancelMany(exchange, operatorOf(exchange, command), command.orderSerials),
    }),
  amend: ({ exchange }, command) => {
    const reject = amend(exchange, { ...command, operator: operatorOf(exchange, command) })
    return reject === null
      ? accepted(placementAt(exchange, exchange.journal.start))
      : refused(reject)
  },
  changeSets: ({ exchange }, command: ChangeSets) => {
    const reject = changeSets(exchange, { ...command, operator: operatorOf(exchange, command) })
    if (reject !== null) return refused(reject)
    return accepted({ ...setsAt(exchange, exchange.journal.start), isReplay: false })
  },
  createMarket: ({ exchange }, command) => {
    const reject = createMarket(exchange, { ...command, operator: operatorOf(exchange, command) })
    if (reject !== null) return refused(reject)
    const { journal, markets } = exchange
    return accepted(marketAnswer(markets.at(journal.facts[journal.start + 1 + marketFact.market]!)))
  },
  editMarket: ({ exchange }, command) =>
    aboutMarket(exchange, command.marketSerial, (operator) =>
      editMarket(exchange, { ...command, operator: operator(command) }),
    ),
  manage: ({ exchange }, command) =>
    aboutMarket(exchange, command.marketSerial, (operator) =>
      manage(exchange, { ...command, operator: operator(command) }),
    ),
  settle: ({ exchange }, command) => {
    const reject = settle(exchange, { ...command, operator: operatorOf(exchange, command) })
    // The engine answers in its place when the last slice is done.
    return reject === null
      ? accepted({ cancelledOrders: 0, settled: 0, payout: 0n })
      : refused(reject)
  },
  retrySettlements: ({ exchange }, command) => {
    const { commandSequence } = exchange
    const retry = { ...command, operator: operatorOf(exchange, command) }
    const reject = retrySettlements(exchange, retry, Number.MAX_SAFE_INTEGER)
    if (reject !== null) return refused(reject)
    return accepted(
      exchange.commandSequence > commandSequence ? settledNow(exchange) : nothingSettled,
    )
  },
  acknowledge: ({ exchange, settlement }, command) =>
    acknowledgement(exchange, settlement, command),
  preview: ({ exchange }, command) => {
    const order = { ...command, operator: operatorOf(exchange, command), transactionId: null }
    const found = preview(exchange, order)
    return 'code' in found ? refused(found) : accepted(found)
  },
  book: ({ exchange, now }, command) => {
    const found = bookOf(exchange, command.marketSerial, command.outcomeSerial)
    return 'code' in found ? refused(found) : accepted(bookAnswer(exchange, found, command, now))
  },
  prices: ({ exchange, now }, { marketSerial, outcomeSerial }) => {
    if (outcomeSerial !== null) {
      const found = bookOf(exchange, marketSerial, outcomeSerial)
      return 'code' in found ? refused(found) : accepted([priceAnswer(exchange, found, now)])
    }
    const market = publicMarket(exchange, marketSerial)
    if (market === undefined) return refused(marketNotFound)
    return accepted(market.books.map((book) => priceAnswer(exchange, book, now)))
  },
}

export function accepted<Answer>(answer: Answer): Result<Answer> {
  return { isAccepted: true, answer }
}

export function refused(reject: Reject): Result<never> {
  return { isAccepted: false, reject }
}

function operatorOf(exchange: Exchange, { operatorId }: { operatorId: string }): Operator {
  const operator = exchange.operator(operatorId)
  assert(operator !== undefined, 'whoever asks is known to the shard')
  return operator
}

function aboutMarket(
  exchange: Exchange,
  marketId: number,
  change: (operator: (command: { operatorId: string }) => Operator) => Reject | null,
): Result<MarketAnswer> {
  const reject = change((command) => operatorOf(exchange, command))
  return reject === null ? accepted(marketAnswer(exchange.market(marketId)!)) : refused(reject)
}

function marketAnswer({ serial, status }: Market): MarketAnswer {
  return { marketSerial: serial, status }
}

const nothingSettled: RetryAnswer = { settlementSerials: [], payout: 0n }

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
  return { settlementSerials: settlements, payout }
}

function acknowledgement(
  exchange: Exchange,
  row: SettlementRow | null,
  command: AcknowledgeSettlement,
): Result<{ readonly settlementSerial: number }> {
  if (row === null) return refused({ code: 'SETTLEMENT_NOT_FOUND' })
  const reject = acknowledge(exchange, {
    operator: operatorOf(exchange, command),
    marketSerial: row.market,
    status: command.status,
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
  return reject === null ? accepted({ settlementSerial: row.serial }) : refused(reject)
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

function bookAnswer(exchange: Exchange, book: Book, command: BookQuery, now: number): BookAnswer {
  const { depth, withImplied = false } = command
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
