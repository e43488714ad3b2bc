// The reads of a shard's records: pages of orders, trades, positions and so on. They return
// committed records only.

import type { Spent } from '../core/events/answer.ts'
import type { Serial } from '../core/ids.ts'
import type { OrderOptions } from '../core/orders/options.ts'
import type { MarketRecord, OutcomeRecord } from '../core/snapshot/records.ts'
import type { ControlsHolder, ControlsRecord } from '../core/state/controls.ts'
import type { Resolution, ResolutionText, StoredText } from '../core/state/market.ts'
import type { Mark } from '../core/valuation.ts'
import type { MarketStatus, OrderStatus, SettlementStatus, Side, TradeKind } from '../core/words.ts'
import type { AuditQuery, AuditRow } from './audit-store.ts'
import type { DailyTotals, DailyTotalsQuery } from './daily-totals.ts'
import type { KeyUse } from './key-use-store.ts'
import type { MarketSummaryQuery, MarketSummaryRow } from './market-summary.ts'
import type { PlayerListQuery, PlayerPage } from './player-list.ts'
import type { PlayerUsage } from './player-usage.ts'
import type {
  Exposure,
  PlayerQuery,
  PlayerValuation,
  Reconciliation,
  SettlementSums,
} from './reconciliation.ts'
import type { EventPage, EventQuery } from './stored-events.ts'
import type { CandleQuery, CandleRow, TapeQuery, TapeRow } from './trade-data.ts'
import type {
  AttemptPage,
  AttemptQuery,
  DeliveryState,
  DeliveryStateQuery,
  HealthQuery,
  LogState,
  LogStateQuery,
  WebhookHealth,
} from './webhook-log-store.ts'

export type * from './daily-totals.ts'
export type * from './market-summary.ts'
export type * from './player-list.ts'
export type * from './player-usage.ts'
export type * from './reconciliation.ts'
export type * from './trade-data.ts'

/**
 * Committed records. A record of another operator is not found. Where the argument of a read does
 * not name the operator that it is for, operatorNumber does: the service reads it in the line of
 * that operator.
 */
export interface RecordStore {
  /** Of any operator: the caller checks who may see it. */
  market(serial: Serial, operatorNumber?: number): Promise<MarketRow | null>
  markets(query: MarketQuery): Promise<MarketPage>
  /** Of those markets that the operator sees; the others are left out. */
  marketSummaries(query: MarketSummaryQuery): Promise<readonly MarketSummaryRow[]>
  /** As the core loads it; for a market that is not in memory. */
  marketRecord(serial: Serial, operatorNumber?: number): Promise<MarketRecord | null>
  order(operatorNumber: number, serial: Serial): Promise<OrderRow | null>
  orders(query: OrderQuery): Promise<Page<OrderRow>>
  /** A slice of the open orders that match; none was placed after the first slice was read. */
  openOrders(query: OpenOrdersQuery): Promise<OpenOrdersSlice>
  /** The newest order, mint or redemption with that transactionId. */
  byTransactionId(operatorNumber: number, transactionId: string): Promise<Replayable | null>
  /** The trades of an order's placement that its operator may see, in order of execution. */
  placementTrades(
    query: PlacementTradesQuery,
    operatorNumber?: number,
  ): Promise<readonly TradeRow[]>
  trade(operatorNumber: number, serial: Serial): Promise<TradeRow | null>
  trades(query: TradeQuery): Promise<Page<TradeRow>>
  /** The trades of one outcome, of all operators. */
  tape(query: TapeQuery): Promise<Page<TapeRow>>
  /** The last serial of the committed turns: what is created later has a higher one. */
  lastSerial(): Promise<number>
  /** In order of time; candles without a trade are left out. */
  candles(query: CandleQuery): Promise<readonly CandleRow[]>
  positions(query: HoldingQuery): Promise<Page<PositionRow>>
  settlements(query: HoldingQuery): Promise<Page<SettlementRow>>
  settlement(operatorNumber: number, serial: Serial): Promise<SettlementRow | null>
  settlementCounts(query: SettlementCountsQuery): Promise<SettlementCounts>
  /** A player's exposure; empty for an unknown player. */
  exposure(query: PlayerQuery): Promise<Exposure>
  /** What a player's positions are worth; empty for an unknown player. */
  valuation(query: PlayerQuery): Promise<PlayerValuation>
  /** Those that have had a position, in the database's order of texts. */
  players(query: PlayerListQuery): Promise<PlayerPage>
  /** A brake on trading; null if it is released. */
  controls(query: ControlsQuery): Promise<ControlsRecord | null>
  /** How much of its limits a player uses, whether it has any or not. */
  usage(query: PlayerQuery): Promise<PlayerUsage>
  /** Sums over all records of a market; may take seconds, and delays no other read. */
  reconciliation(marketSerial: Serial): Promise<Reconciliation>
  /** What the settlement of a market pays on; may take seconds, and delays no other read. */
  settlementSums(marketSerial: Serial): Promise<SettlementSums>
  /** May take seconds, and delays no other read. */
  dailyTotals(query: DailyTotalsQuery): Promise<DailyTotals>
  marketCounts(operatorNumber: number): Promise<Readonly<Record<MarketStatus, number>>>
  events(query: EventQuery): Promise<EventPage>
  /** The attempts of a webhook; the caller checks whose it is. */
  webhookAttempts(query: AttemptQuery): Promise<AttemptPage>
  webhookLogStates(query: LogStateQuery): Promise<readonly LogState[]>
  /** Only of webhooks with attempts in that time. */
  webhookHealth(query: HealthQuery): Promise<readonly WebhookHealth[]>
  /** Of every delivery in the log, in order of the events. */
  webhookDeliveries(query: DeliveryStateQuery): Promise<readonly DeliveryState[]>
  /** Acts in the audit log, which all shards share. */
  auditEntries(query: AuditQuery): Promise<Page<AuditRow>>
  /** In any order; only of keys that were used. */
  keyUses(keyIds: readonly string[]): Promise<readonly KeyUse[]>
  /** Whether a turn is stored; final once its epoch is over. */
  hasTurn(turn: TurnQuery): Promise<boolean>
}

/** Of the exchange, which each shard has a copy of, the number is 0; without a player: ''. */
export type ControlsQuery = {
  readonly kind: ControlsHolder['kind']
  readonly operatorNumber: number
  readonly playerId: string
}

export type TurnQuery = {
  readonly batchId: string
  /** The command sequence before the turn. */
  readonly from: number
}

/** One page, newest first. */
export type Page<Item> = Total & {
  readonly rows: readonly Item[]
  readonly hasMore: boolean
}

/** Rows of a filtered list are counted up to this number. */
export const countedMax = 10_000

/** Also ends where its markets would be too long as one text. */
export type MarketPage = Page<MarketRow> & {
  /** About how many its rows have as JSON. */
  readonly bytes: number
}

/** The number of rows of all pages; if it is not exact, there are more. */
export type Total = { readonly total: number; readonly totalIsExact: boolean }

type Paging = {
  /** The serial of the last row of the previous page; null for the first page. */
  readonly after: number | null
  readonly limit: number
}

export type MarketQuery = Paging & {
  readonly operatorNumber: number
  readonly categoryId: string | null
  readonly statuses: readonly MarketStatus[] | null
  /** Anywhere in the title, in any case. */
  readonly search: string | null
  /** Adds the visible shared markets of others in these currencies; null for none. */
  readonly sharedIn: readonly string[] | null
  /** Only markets in which, at this time, their owner has the next step; null for all. */
  readonly attentionAt?: number | null
  /** null: newest first. Up to countedMax markets are sorted: a list of more has no rows. */
  readonly sort?: MarketSort | null
}

export const marketSorts = [
  'createdAt',
  'title',
  'totalVolume',
  'totalTrades',
  'tradingEndsAt',
] as const
export type MarketSort = {
  readonly by: (typeof marketSorts)[number]
  readonly isAscending: boolean
}

/** Without volumes and failed settlements, which only the core needs: see marketRecord. */
export type MarketRow = Omit<MarketRecord, 'storedBytes' | 'outcomes' | 'resolution'> &
  StoredText & {
    readonly resolution: (Resolution & ResolutionText) | null
    readonly outcomes: readonly (OutcomeRecord & { readonly description: string | null })[]
    readonly ownerNumber: number
    readonly hasPublicPage: boolean
    readonly category: { readonly id: string; readonly name: string; readonly slug: string } | null
  }

/** A record of an operator. A record of another operator is not found. */
export type RecordQuery = { readonly operatorNumber: number; readonly serial: Serial }

export type TransactionQuery = { readonly operatorNumber: number; readonly transactionId: string }

export type OrderQuery = Paging & {
  readonly operatorNumber: number
  readonly marketSerial: Serial | null
  readonly outcomeSerial: Serial | null
  readonly playerId: string | null
  readonly side: Side | null
  readonly type: 'LIMIT' | 'MARKET' | null
  readonly statuses: readonly OrderStatus[] | null
  readonly transactionId: string | null
}

/** Reads at most `limit` open orders. */
export type OpenOrdersQuery = Pick<
  OrderQuery,
  'operatorNumber' | 'marketSerial' | 'outcomeSerial' | 'playerId' | 'side' | 'limit'
> & {
  /** `next` of the previous slice; null for the first. */
  readonly after: OpenOrdersCursor | null
}

export type OpenOrdersSlice = {
  /** Newest first within the slice. */
  readonly serials: readonly Serial[]
  /** null after the last slice. */
  readonly next: OpenOrdersCursor | null
}

/** A position in a store's own order of open orders. */
export type OpenOrdersCursor = readonly number[]

/** What orders, positions and settlements have in common. */
export type PlayerRecord = {
  readonly serial: Serial
  readonly createdAt: number
  readonly updatedAt: number
  readonly marketSerial: Serial
  readonly marketCreatedAt: number
  readonly outcomeSerial: Serial
  readonly operatorId: string
  readonly playerId: string
}

export type OrderRow = PlayerRecord & {
  readonly side: Side
  readonly shares: number
  readonly price: number | null
  readonly filled: number
  readonly cost: number
  readonly status: OrderStatus
  readonly expiresAt: number | null
  readonly options: OrderOptions
  readonly transactionId: string | null
  readonly orderGroup: { readonly serial: Serial; readonly createdAt: number } | null
  /** Of an order by amount. */
  readonly spending?: Spent
}

export type Replayable =
  | {
      readonly kind: 'ORDER'
      readonly order: OrderRow
      /** Whether it is REJECTED because of a price band. */
      readonly isOutsideBand: boolean
      readonly fingerprint: number
      /** Decides, with the age of the request, whether its transactionId is still in use. */
      readonly marketStatus: MarketStatus
    }
  | {
      readonly kind: 'SETS'
      readonly sets: SetsRow
      readonly fingerprint: number
      readonly marketStatus: MarketStatus
    }

export type SetsRow = {
  readonly serial: Serial
  readonly createdAt: number
  readonly marketSerial: Serial
  readonly marketCreatedAt: number
  readonly playerId: string
  readonly kind: 'MINT' | 'REDEEM'
  readonly shares: number
  readonly transactionId: string | null
}

/** The first trades of an order when it was placed. */
export type PlacementTradesQuery = { readonly orderSerial: Serial; readonly limit: number }

export type TradeQuery = Paging & {
  readonly operatorNumber: number
  readonly marketSerial: Serial | null
  readonly outcomeSerial: Serial | null
  readonly orderSerial: Serial | null
  /** Of the operator: a trade fits if one of its orders is of this player. */
  readonly playerId: string | null
}

export type TradeRow = {
  readonly serial: Serial
  readonly createdAt: number
  readonly marketSerial: Serial
  readonly marketCreatedAt: number
  readonly outcomeSerial: Serial
  readonly buyOrderSerial: Serial
  readonly buyOrderCreatedAt: number
  readonly sellOrderSerial: Serial
  readonly sellOrderCreatedAt: number
  readonly buyerOperatorId: string
  readonly sellerOperatorId: string
  readonly price: number
  readonly shares: number
  readonly buyerFee: number
  readonly sellerFee: number
  readonly kind: TradeKind
  /** Of the incoming order, or of the one order of a leg. */
  readonly isSell: boolean
  readonly isIncoming: boolean
}

export type HoldingQuery = {
  readonly operatorNumber: number
  /** false if the caller needs no total, which may then be any number. */
  readonly isCounted?: boolean
  readonly isOldestFirst?: boolean
  /** Of settlements: whether the operator has acknowledged them; both if it is left out. */
  readonly isAcknowledged?: boolean | undefined
  readonly marketSerial: Serial | null
  readonly playerId: string | null
  /** The serial of the last row of the previous page; null for the first page. */
  readonly after: number | null
  readonly limit: number
}

export type PositionRow = PlayerRecord & {
  readonly mark: Mark

  readonly shares: number
  readonly reserved: number
  readonly cost: bigint
  readonly profit: bigint
}

export type SettlementRow = PlayerRecord & {
  readonly positionSerial: Serial
  readonly positionCreatedAt: number
  /** Index of the outcome in its market. */
  readonly outcomeIndex: number
  readonly shares: number
  readonly payoutPerShare: number
  readonly status: SettlementStatus
  readonly transactionId: string | null
  readonly errorMessage: string | null
}

export type SettlementCountsQuery = {
  readonly marketSerial: Serial
  /** null for all operators. */
  readonly operatorNumber: number | null
}

/** Counts and sums of a market's positions and settlements. */
export type SettlementCounts = {
  readonly positions: number
  /** The number of records by status. */
  readonly byStatus: Readonly<Record<SettlementStatus, number>>
  /** In micro-units: of all records, and of the COMPLETED records. */
  readonly payout: bigint
  readonly completedPayout: bigint
}
