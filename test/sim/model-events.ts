// The events of the model: their receivers and payloads. Quantities are converted to the numbers of
// the wire format only here.

import type { CancelReason, MarketStatus, TradeRole } from '../../src/core/words.ts'
import type {
  Brake,
  DeadMan,
  Limits,
  Market,
  NewEvent,
  Order,
  Position,
  Settlement,
  State,
  Trade,
} from './model-state.ts'

export function publish(state: State, event: NewEvent): void {
  const receiver = state.operators[event.operator]!
  receiver.sequence += 1
  state.events.push({
    operator: event.operator,
    sequence: receiver.sequence,
    eventType: event.eventType,
    createdAt: state.now,
    payload: { ...event.payload, timestamp: state.now },
  })
}

export function operatorId(operator: number): string {
  return `operator-${operator}`
}

export function sharesOnWire(hundredths: number): number {
  return hundredths / 100
}

export function priceOnWire(ticks: number): number {
  return ticks / 10_000
}

function moneyOnWire(microUnits: bigint): number {
  return Number(microUnits) / 1_000_000
}

export function marketCreated(market: Market): NewEvent {
  return {
    operator: market.owner,
    eventType: 'MARKET_CREATED',
    payload: {
      marketId: market.id,
      operatorId: operatorId(market.owner),
      title: market.title,
      status: market.status,
      currency: market.currency,
      categoryId: null,
      outcomes: market.books.map(({ id, name, outcome }) => ({ id, name, index: outcome })),
    },
  }
}

export type StatusChange = {
  readonly market: Market
  readonly previousStatus: MarketStatus
  readonly reason: string | null
}

export function statusChanged(change: StatusChange, operator: number): NewEvent {
  const { market, previousStatus, reason } = change
  return {
    operator,
    eventType: 'MARKET_STATUS_CHANGED',
    payload: {
      marketId: market.id,
      operatorId: operatorId(market.owner),
      previousStatus,
      status: market.status,
      reason,
    },
  }
}

export function marketUpdated(market: Market, reason: string | null, operator: number): NewEvent {
  const { priceBand: band, tradingEndsAt: endsAt } = market
  const tradingEndsAt = endsAt === null ? null : new Date(endsAt).toISOString()
  const priceBand = band === null ? null : { ...band, maxMove: priceOnWire(band.maxMove) }
  return {
    operator,
    eventType: 'MARKET_UPDATED',
    payload: { marketId: market.id, tradingEndsAt, reason, priceBand },
  }
}

export function deadManTriggered({ operator, player, deadline, timeoutMs }: DeadMan): NewEvent {
  return {
    operator,
    eventType: 'DEAD_MAN_TRIGGERED',
    payload: { playerId: player, deadline: new Date(deadline).toISOString(), timeoutMs },
  }
}

export type Resolution = {
  readonly market: Market
  readonly source: string
  readonly notes: string | null
}

export function marketResolved(resolution: Resolution, operator: number): NewEvent {
  const { market, source, notes } = resolution
  const { books, winner, payouts } = market
  return {
    operator,
    eventType: 'MARKET_RESOLVED',
    payload: {
      marketId: market.id,
      operatorId: operatorId(market.owner),
      winningOutcomeId: winner === null ? null : books[winner]!.id,
      resolutionSource: source,
      resolutionNotes: notes,
      payouts:
        winner !== null
          ? null
          : books.map(({ id, outcome }) => {
              return { outcomeId: id, payoutPerShare: priceOnWire(payouts![outcome]!) }
            }),
    },
  }
}

export function orderPlaced(order: Order): NewEvent {
  return {
    operator: order.operator,
    eventType: 'ORDER_PLACED',
    payload: {
      ...idsOfOrder(order),
      type: order.type,
      shares: sharesOnWire(order.shares),
      price: order.price === null ? null : priceOnWire(order.price),
      status: order.status,
      filledShares: sharesOnWire(order.filled),
    },
  }
}

export function orderAmended(order: Order): NewEvent {
  return { ...orderPlaced(order), eventType: 'ORDER_AMENDED' }
}

/** One order's part in a trade; the fee in units of 1e-10. */
export type TradePart = { readonly role: TradeRole; readonly fee: bigint }

/** Created at the trade itself, because later trades of the same command change the order. */
export function orderMatched(order: Order, trade: Trade, { role, fee }: TradePart): NewEvent {
  return {
    operator: order.operator,
    eventType: 'ORDER_MATCHED',
    payload: {
      ...idsOfOrder(order),
      tradeId: trade.id,
      role,
      price: priceOnWire(trade.price),
      shares: sharesOnWire(trade.shares),
      fee: Number(fee) / 10_000_000_000,
      filledShares: sharesOnWire(order.filled),
      remainingShares: sharesOnWire(order.shares - order.filled),
      status: order.status,
    },
  }
}

export function orderCancelled(order: Order, reason: CancelReason): NewEvent {
  return {
    operator: order.operator,
    eventType: 'ORDER_CANCELLED',
    payload: {
      ...idsOfOrder(order),
      price: order.price === null ? null : priceOnWire(order.price),
      shares: sharesOnWire(order.shares),
      filledShares: sharesOnWire(order.filled),
      cancelledShares: sharesOnWire(order.shares - order.filled),
      status: order.status,
      reason,
    },
  }
}

export function positionUpdated(position: Position): NewEvent {
  return {
    operator: position.operator,
    eventType: 'POSITION_UPDATED',
    payload: {
      ...idsOfPosition(position),
      shares: sharesOnWire(position.shares),
      avgPrice: averageOnWire(position),
      totalCost: moneyOnWire(position.cost),
      realizedPnl: moneyOnWire(position.profit),
    },
  }
}

export function settlementCompleted(settlement: Settlement): NewEvent {
  const { position, payoutPerShare } = settlement
  return {
    operator: position.operator,
    eventType: 'SETTLEMENT_COMPLETED',
    payload: {
      settlementId: settlement.id,
      ...idsOfPosition(position),
      shares: sharesOnWire(position.shares),
      payoutPerShare: priceOnWire(payoutPerShare),
      totalPayout: moneyOnWire(BigInt(position.shares) * BigInt(payoutPerShare)),
      status: settlement.status,
    },
  }
}

export function controlsChanged(
  { holder, mode, reason, until, limits }: Brake,
  operator: number,
): NewEvent {
  const isOwn = holder.kind === 'OPERATOR' || holder.kind === 'PLAYER'
  return {
    operator,
    eventType: 'CONTROLS_CHANGED',
    payload: {
      scope: holder.kind === 'ADMINISTRATOR' ? 'OPERATOR' : holder.kind,
      playerId: holder.kind === 'PLAYER' ? holder.player : null,
      mode,
      reason: isOwn ? reason : null,
      until: until === null ? null : new Date(until).toISOString(),
      limits: limits === null ? null : limitsOnWire(limits),
    },
  }
}

function limitsOnWire({ maxOrderCost, maxOutcomeShares, maxMarketCost }: Limits): Limits {
  const given: [string, number | null | undefined][] = [
    ['maxOrderCost', maxOrderCost && maxOrderCost / 1_000_000],
    ['maxOutcomeShares', maxOutcomeShares && maxOutcomeShares / 100],
    ['maxMarketCost', maxMarketCost && maxMarketCost / 1_000_000],
  ]
  return Object.fromEntries(given.filter(([, limit]) => limit !== undefined))
}

function idsOfOrder(order: Order): Record<string, string | null> {
  return {
    orderId: order.id,
    marketId: order.market.id,
    outcomeId: order.book.id,
    operatorId: operatorId(order.operator),
    side: order.side,
    playerId: order.player,
    transactionId: order.transactionId,
  }
}

function idsOfPosition(position: Position): Record<string, string> {
  return {
    positionId: position.id,
    marketId: position.market.id,
    outcomeId: position.book.id,
    operatorId: operatorId(position.operator),
    playerId: position.player,
  }
}

/** Micro-units by hundredths of a share are ticks; the 8th decimal is 10,000 times finer. */
function averageOnWire({ cost, shares }: Position): number {
  if (shares === 0) return 0
  const divisor = BigInt(shares)
  const eighthDecimals = (cost * 10_000n * 2n + divisor) / (divisor * 2n)
  return Number(eighthDecimals) / 100_000_000
}
