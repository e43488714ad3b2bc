// How each kind of command is executed on the core and answered, within a turn. What a command
// needs from the store (an earlier answer, a market that is not in memory) is fetched before.

import { assert } from '../core/assert.ts'
import { depthOf } from '../core/book/depth.ts'
import { pricesOf } from '../core/book/prices.ts'
import { queuePositions } from '../core/book/queue-position.ts'
import { changeControls } from '../core/controls/change-controls.ts'
import { closedOrderOf, factOf, orderIdOf, placementOf } from '../core/events/answer.ts'
import type { Serial } from '../core/ids.ts'
import { createMarket, editMarket } from '../core/markets/create-market.ts'
import { manage } from '../core/markets/lifecycle.ts'
import { changeSets } from '../core/markets/sets.ts'
import { settle } from '../core/markets/settle.ts'
import { acknowledge, retrySettlements } from '../core/markets/settlement.ts'
import { changeTradingWindow } from '../core/markets/trading-window.ts'
import { none } from '../core/memory/memory.ts'
import { amend } from '../core/orders/amend.ts'
import { cancel, openOrderOf } from '../core/orders/cancel.ts'
import { cancelMany } from '../core/orders/cancel-many.ts'
import { armDeadMan, clearDeadMan, findDeadMan, noDeadMan } from '../core/orders/dead-man.ts'
import { depthWithImplied } from '../core/orders/implied.ts'
import { place } from '../core/orders/place.ts'
import { preview } from '../core/orders/preview.ts'
import { marketNotFound, type Reject } from '../core/reject.ts'
import { isPublic } from '../core/state/access.ts'
import type { Controls } from '../core/state/controls.ts'
import type { Exchange } from '../core/state/exchange.ts'
import type { Book, Market } from '../core/state/market.ts'
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
  ControlsAnswer,
  DeadManAnswer,
  DeadManQuery,
  MarketAnswer,
  PricesAnswer,
  QueueAnswer,
  QueueQuery,
  Result,
  RetryAnswer,
} from './commands.ts'
import { type GroupKind, groupExecutors } from './order-groups.ts'
import { setsOf } from './sets-answer.ts'

export type ExecutionContext = {
  readonly exchange: Exchange
  /** The time at which queries are answered; commands use the time of the exchange. */
  readonly now: number
  /** The settlement that an `acknowledge` command is about. */
  readonly settlement: SettlementRow | null
}

export type Executors = {
  readonly [Kind in CommandKind]: (
    context: ExecutionContext,
    command: Commands[Kind]['command'],
  ) => Result<Commands[Kind]['answer']>
}

/** Commands that change nothing. */
export const queryKinds: ReadonlySet<CommandKind> = new Set([
  'book',
  'preview',
  'prices',
  'queue',
  'deadMan',
  'orderGroup',
  'orderGroups',
])

export const executors: Executors = {
  place: ({ exchange }, command) => {
    const reject = place(exchange, { ...command, operator: operatorOf(exchange, command) })
    if (reject !== null) return rejected(reject)
    return accepted({ ...placementOf(exchange, exchange.journal.current), isReplay: false })
  },
  cancel: ({ exchange }, command: CancelOrder) => {
    const reject = cancel(exchange, operatorOf(exchange, command), command.orderSerial)
    return reject === null
      ? accepted(closedOrderOf(exchange, exchange.journal.current))
      : rejected(reject)
  },
  cancelMany: ({ exchange }, command) =>
    accepted({
      cancelled: cancelMany(exchange, operatorOf(exchange, command), command.orderSerials),
    }),
  amend: ({ exchange }, command) => {
    const reject = amend(exchange, { ...command, operator: operatorOf(exchange, command) })
    return reject === null
      ? accepted(placementOf(exchange, exchange.journal.current))
      : rejected(reject)
  },
  changeSets: ({ exchange }, command: ChangeSets) => {
    const reject = changeSets(exchange, { ...command, operator: operatorOf(exchange, command) })
    if (reject !== null) return rejected(reject)
    return accepted({ ...setsOf(exchange, exchange.journal.current), isReplay: false })
  },
  createMarket: ({ exchange }, command) => {
    const reject = createMarket(exchange, { ...command, operator: operatorOf(exchange, command) })
    if (reject !== null) return rejected(reject)
    return accepted(marketAnswer(factOf(exchange.journal.current, 'MARKET').market))
  },
  editMarket: ({ exchange }, command) => {
    const reject = editMarket(exchange, { ...command, operator: operatorOf(exchange, command) })
    if (reject !== null) return rejected(reject)
    return accepted(marketAnswer(exchange.market(command.marketSerial)!))
  },
  manage: ({ exchange }, command) => {
    const reject = manage(exchange, { ...command, operator: operatorOf(exchange, command) })
    if (reject !== null) return rejected(reject)
    return accepted(marketAnswer(exchange.market(command.marketSerial)!))
  },
  changeTradingWindow: ({ exchange }, command) => {
    const change = { ...command, operator: operatorOf(exchange, command) }
    const reject = changeTradingWindow(exchange, change)
    if (reject !== null) return rejected(reject)
    return accepted(marketAnswer(exchange.market(command.marketSerial)!))
  },
  changeControls: ({ exchange }, command) => {
    const reject = changeControls(exchange, command)
    if (reject !== null) return rejected(reject)
    const { mode, reason, until, limits } = command
    const known = exchange.knownControlsOf(command.holder)
    // Not sent while orders are being cancelled: the turn that ends it sends the real answer.
    return accepted(
      known === null
        ? { terms: { mode, reason, until, limits }, changedAt: exchange.now, cancelled: 0 }
        : controlsAnswer(known),
    )
  },
  settle: ({ exchange }, command) => {
    const reject = settle(exchange, { ...command, operator: operatorOf(exchange, command) })
    // Not sent: the turn that finishes the settlement job sends the real answer.
    return reject === null
      ? accepted({ cancelledOrders: 0, settled: 0, payout: 0n })
      : rejected(reject)
  },
  retrySettlements: ({ exchange }, command) => {
    const { commandSequence } = exchange
    const retry = { ...command, operator: operatorOf(exchange, command) }
    const reject = retrySettlements(exchange, retry, Number.MAX_SAFE_INTEGER)
    if (reject !== null) return rejected(reject)
    return accepted(
      exchange.commandSequence > commandSequence ? settledNow(exchange) : nothingSettled,
    )
  },
  acknowledge: ({ exchange, settlement }, command) =>
    acknowledgement(exchange, settlement, command),
  armDeadMan: ({ exchange }, command) => {
    const armed = { ...command, operator: operatorOf(exchange, command) }
    const reject = armDeadMan(exchange, armed)
    return reject === null ? deadManAnswer(exchange, command) : rejected(reject)
  },
  clearDeadMan: ({ exchange }, command) => {
    const { playerId } = command
    const reject = clearDeadMan(exchange, { operator: operatorOf(exchange, command), playerId })
    return reject === null ? accepted(null) : rejected(reject)
  },
  deadMan: ({ exchange }, command) => deadManAnswer(exchange, command),
  createOrderGroup: executeOnGroups('createOrderGroup'),
  limitOrderGroup: executeOnGroups('limitOrderGroup'),
  triggerOrderGroup: executeOnGroups('triggerOrderGroup'),
  resetOrderGroup: executeOnGroups('resetOrderGroup'),
  deleteOrderGroup: executeOnGroups('deleteOrderGroup'),
  orderGroup: executeOnGroups('orderGroup'),
  orderGroups: executeOnGroups('orderGroups'),
  preview: ({ exchange }, command) => {
    const order = { ...command, operator: operatorOf(exchange, command), transactionId: null }
    const found = preview(exchange, order)
    return 'code' in found ? rejected(found) : accepted(found)
  },
  book: ({ exchange, now }, command) => {
    const found = bookOf(exchange, command.marketSerial, command.outcomeSerial)
    return 'code' in found ? rejected(found) : accepted(bookAnswer(exchange, found, command, now))
  },
  prices: ({ exchange, now }, { marketSerial, outcomeSerial }) => {
    if (outcomeSerial !== null) {
      const found = bookOf(exchange, marketSerial, outcomeSerial)
      return 'code' in found ? rejected(found) : accepted([priceAnswer(found, now)])
    }
    const market = publicMarket(exchange, marketSerial)
    if (market === undefined) return rejected(marketNotFound)
    return accepted(market.books.map((book) => priceAnswer(book, now)))
  },
  queue: ({ exchange }, command) => accepted(queueAnswer(exchange, command)),
}

export function accepted<Answer>(answer: Answer): Result<Answer> {
  return { isAccepted: true, answer }
}

export function rejected(reject: Reject): Result<never> {
  return { isAccepted: false, reject }
}

function executeOnGroups<Kind extends GroupKind>(kind: Kind) {
  return (context: ExecutionContext, command: Commands[Kind]['command']) =>
    groupExecutors[kind](context, command, operatorOf(context.exchange, command))
}

function operatorOf(exchange: Exchange, { operatorId }: { operatorId: string }): Operator {
  const operator = exchange.operator(operatorId)
  assert(operator !== undefined, 'the shard knows the operator of every command')
  return operator
}

export function marketAnswer({ serial, status }: Market): MarketAnswer {
  return { marketSerial: serial, status }
}

export function controlsAnswer({ terms, changedAt, cancelled }: Controls): ControlsAnswer {
  return { terms, changedAt, cancelled }
}

const nothingSettled: RetryAnswer = { settlementSerials: [], payout: 0n }

function settledNow({ journal }: Exchange): RetryAnswer {
  const settlementSerials: Serial[] = []
  let payout = 0n
  for (const fact of journal.current) {
    if (fact.kind !== 'SETTLEMENT') continue
    settlementSerials.push(fact.serial)
    payout += BigInt(fact.shares) * BigInt(fact.payoutPerShare)
  }
  return { settlementSerials, payout }
}

function acknowledgement(
  exchange: Exchange,
  row: SettlementRow | null,
  command: AcknowledgeSettlement,
): Result<{ readonly settlementSerial: Serial }> {
  if (row === null) return rejected({ code: 'SETTLEMENT_NOT_FOUND' })
  const reject = acknowledge(exchange, {
    operator: operatorOf(exchange, command),
    marketSerial: row.marketSerial,
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
  return reject === null ? accepted({ settlementSerial: row.serial }) : rejected(reject)
}

function publicMarket(exchange: Exchange, marketSerial: Serial): Market | undefined {
  const market = exchange.market(marketSerial)
  return market !== undefined && isPublic(market) ? market : undefined
}

function bookOf(exchange: Exchange, marketSerial: Serial, outcomeSerial: Serial): Book | Reject {
  const market = publicMarket(exchange, marketSerial)
  if (market === undefined) return marketNotFound
  const book = market.books.find(({ serial }) => serial === outcomeSerial)
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

function priceAnswer(book: Book, now: number): PricesAnswer[number] {
  return {
    marketId: book.market.id,
    outcomeId: book.id,
    outcomeName: book.name,
    version: book.version,
    ...pricesOf(book.bids.bestPrice, book.asks.bestPrice, book.lastPrice),
    volume24h: book.volume.total(now),
  }
}

function deadManAnswer(exchange: Exchange, command: DeadManQuery): Result<DeadManAnswer> {
  const { playerId } = command
  const found = findDeadMan({ operator: operatorOf(exchange, command), playerId })
  if (found === null || found.state === 'CLEARED') return rejected(noDeadMan)
  const { state, deadline, timeoutMs } = found
  return accepted({ playerId, state, deadline, timeoutMs })
}

function queueAnswer(exchange: Exchange, command: QueueQuery): QueueAnswer {
  const operator = operatorOf(exchange, command)
  const open = command.orderSerials
    .map((serial) => openOrderOf(exchange, operator, serial))
    .filter((order) => order !== none)
  return queuePositions(exchange, open).map(({ order, ordersAhead, sharesAhead }) => ({
    orderId: orderIdOf(exchange, order),
    ordersAhead,
    sharesAhead,
    version: exchange.bookOf(order).version,
  }))
}
