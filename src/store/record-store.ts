// What can be read of a shard's records: pages of orders, trades, positions, and so on. Only what
// is committed is seen here.

import type { OrderOptions } from '../core/orders/options.ts'
import type { MarketRecord } from '../core/snapshot/records.ts'
import type { MarketStatus, OrderStatus, SettlementStatus, Side, TradeKind } from '../core/words.ts'
import type { Exposure, PlayerQuery, Reconciliation } from './reconciliation.ts'
import type { CandleQuery, CandleRow, TapeQuery, TapeRow } from './trade-data.ts'

export type * from './reconciliation.ts'
export type * from './trade-data.ts'

/** Committed records. Ids are serials; what belongs to another operator is not found. */
export interface RecordStore {
  /** Whoever asks: visibility is the caller's affair. */
  market(serial: number): Promise<MarketRow | null>
  markets(query: MarketQuery): Promise<Page<MarketRow>>
  /** As the core loads it; for a market that has left the memory. */
  marketRecord(serial: number): Promise<MarketRecord | null>
  order(operator: number, serial: number): Promise<OrderRow | null>
  orders(query: OrderQuery): Promise<Page<OrderRow>>
  /** A slice of an operator's open orders, newest first, of which those that fit are named. */
  openOrders(query: OpenOrdersQuery): Promise<OpenOrdersSlice>
  /** The newest order or mint or redemption with that transactionId. */
  byTransactionId(operator: number, transactionId: string): Promise<Replayable | null>
  /** The trades of an order's own placement, in order, of those that its operator may see. */
  placementTrades(order: number): Promise<readonly TradeRow[]>
  trades(query: TradeQuery): Promise<Page<TradeRow>>
  /** Of one outcome, whoever traded. */
  tape(query: TapeQuery): Promise<Page<TapeRow>>
  /** In the order of time; those without a trade are not there. */
  candles(query: CandleQuery): Promise<readonly CandleRow[]>
  positions(query: HoldingQuery): Promise<Page<PositionRow>>
  settlements(query: HoldingQuery): Promise<Page<SettlementRow>>
  settlement(operator: number, serial: number): Promise<SettlementRow | null>
  /** Over all operators: what a market's settlement has come to. */
  settlementCounts(market: number): Promise<SettlementCounts>
  /** What a player has at stake; nothing for one who is not known. */
  exposure(query: PlayerQuery): Promise<Exposure>
  /** Everything that is stored of a market, added up; may take long, and delays no other read. */
  reconciliation(market: number): Promise<Reconciliation>
  marketCounts(operator: number): Promise<Readonly<Record<MarketStatus, number>>>
  events(query: EventQuery): Promise<EventPage>
}

/** One page, newest first. */
export type Page<Item> = {
  readonly rows: readonly Item[]
  /** Of all pages. */
  readonly total: number
  readonly hasMore: boolean
}

type Paging = {
  /** The serial of the last row of the page before; null for the first page. */
  readonly after: number | null
  readonly limit: number
}

export type MarketQuery = Paging & {
  readonly operatorNumber: number
  readonly categoryId: string | null
  readonly statuses: readonly MarketStatus[] | null
  /** Anywhere in the title, whatever the case. */
  readonly search: string | null
  /** Adds the shared markets of others in these currencies that are no DRAFT; null for none. */
  readonly sharedIn: readonly string[] | null
}

/** Without what only the rules need: no volumes, no failed settlements; see marketRecord. */
export type MarketRow = MarketRecord & {
  readonly ownerNumber: number
  readonly category: { readonly id: string; readonly name: string; readonly slug: string } | null
}

/** A record of an operator; that of another operator is not found. */
export type RecordQuery = { readonly operatorNumber: number; readonly serial: number }

export type TransactionQuery = { readonly operatorNumber: number; readonly transactionId: string }

export type OrderQuery = Paging & {
  readonly operatorNumber: number
  readonly marketSerial: number | null
  readonly outcomeSerial: number | null
  readonly playerId: string | null
  readonly side: Side | null
  readonly type: 'LIMIT' | 'MARKET' | null
  readonly statuses: readonly OrderStatus[] | null
  readonly transactionId: string | null
}

/** At most `limit` open orders are looked at, whether they fit or not. */
export type OpenOrdersQuery = Paging &
  Pick<OrderQuery, 'operatorNumber' | 'marketSerial' | 'outcomeSerial' | 'playerId' | 'side'>

export type OpenOrdersSlice = {
  readonly serials: readonly number[]
  /** `after` of the next slice; null where this is the last. */
  readonly next: number | null
}

/** What orders, positions and settlements have in common. */
export type PlayerRecord = {
  readonly serial: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly marketSerial: number
  readonly marketCreatedAt: number
  readonly outcomeSerial: number
  readonly operatorId: string
  readonly playerId: string
}

export type OrderRow = PlayerRecord & {
  readonly side: Side
  readonly shares: number
  /** null for a MARKET order. */
  readonly price: number | null
  readonly filled: number
  readonly cost: number
  readonly status: OrderStatus
  readonly expiresAt: number | null
  readonly options: OrderOptions
  readonly transactionId: string | null
}

export type Replayable =
  | {
      readonly kind: 'ORDER'
      readonly order: OrderRow
      readonly fingerprint: number
      /** Whether the key may be used again: its market has ended and a day has passed. */
      readonly marketStatus: MarketStatus
    }
  | {
      readonly kind: 'SETS'
      readonly sets: SetsRow
      readonly fingerprint: number
      readonly marketStatus: MarketStatus
    }

export type SetsRow = {
  readonly serial: number
  readonly createdAt: number
  readonly marketSerial: number
  readonly marketCreatedAt: number
  readonly playerId: string
  readonly kind: 'MINT' | 'REDEEM'
  readonly shares: number
  readonly transactionId: string | null
}

export type TradeQuery = Paging & {
  readonly operatorNumber: number
  readonly marketSerial: number | null
  readonly outcomeSerial: number | null
}

export type TradeRow = {
  readonly serial: number
  readonly createdAt: number
  readonly marketSerial: number
  readonly marketCreatedAt: number
  readonly outcomeSerial: number
  readonly buyOrderSerial: number
  readonly buyOrderCreatedAt: number
  readonly sellOrderSerial: number
  readonly sellOrderCreatedAt: number
  readonly buyerOperatorId: string
  readonly sellerOperatorId: string
  readonly price: number
  readonly shares: number
  readonly buyerFee: number
  readonly sellerFee: number
  readonly kind: TradeKind
}

export type HoldingQuery = {
  readonly operatorNumber: number
  /** false: whoever reads a whole list piece by piece needs no total, and it may be anything. */
  readonly isCounted?: boolean
  readonly isOldestFirst?: boolean
  readonly marketSerial: number | null
  readonly playerId: string | null
  /** The serial of the last row of the page before; null for the first page. */
  readonly after: number | null
  readonly limit: number
}

export type PositionRow = PlayerRecord & {
  readonly shares: number
  readonly reserved: number
  readonly cost: bigint
  readonly profit: bigint
}

export type SettlementRow = PlayerRecord & {
  readonly positionSerial: number
  readonly positionCreatedAt: number
  /** Index of the outcome in its market. */
  readonly outcomeIndex: number
  readonly shares: number
  readonly payoutPerShare: number
  readonly status: SettlementStatus
  readonly transactionId: string | null
  readonly errorMessage: string | null
}

export type SettlementCounts = {
  readonly positions: number
  /** How many records there are of each status. */
  readonly byStatus: Readonly<Record<SettlementStatus, number>>
  /** In micro-units: of all records, and of the COMPLETED ones. */
  readonly payout: bigint
  readonly completedPayout: bigint
}

export type EventQuery = {
  readonly operatorNumber: number
  /** Events with a greater sequence. */
  readonly since: number
  /** Bit n stands for eventTypes[n]; null for all types. */
  readonly types: number | null
  readonly marketSerial: number | null
  readonly limit: number
  /** Nothing that was created before. */
  readonly notBefore: number
}

/** A row holds several events: the caller expands it and leaves out those not asked for. */
export type EventPage = {
  readonly rows: readonly EventRecordRow[]
  /** Whether there are rows behind the last of these. */
  readonly hasMore: boolean
  /** Of the first event that is still kept; one past the last where there is none. */
  readonly earliestSequence: number
  /** Of the last event that there ever was; 0 before the first. */
  readonly lastSequence: number
}

export type EventRecordRow = {
  readonly firstSequence: number
  readonly lastSequence: number
  readonly createdAt: number
  readonly marketSerial: number
  readonly marketCreatedAt: number
  readonly types: number
  /** JSON. */
  readonly body: string
}
