// A REST server over an empty exchange: an engine without markets, a store without records, and a
// registry with a few keys. For tests of what the server decides before it calls any of them.

import type { FastifyInstance } from 'fastify'
import { Admission, type Limits } from '../../../src/api/admission/admission.ts'
import { ClientAddresses } from '../../../src/api/admission/client-address.ts'
import type { Context } from '../../../src/api/rest/context.ts'
import { createServer } from '../../../src/api/rest/server.ts'
import { type ShardAccess, Shards } from '../../../src/api/shards.ts'
import { streamDocument } from '../../../src/api/ws/document.ts'
import { LoneNode } from '../../../src/cluster/lone-node.ts'
import { Ids } from '../../../src/core/ids.ts'
import type { FeeRate, Price, Shares } from '../../../src/core/money.ts'
import type { Rules } from '../../../src/core/state/exchange.ts'
import type { CommandKind, Commands, Result, Submit } from '../../../src/engine/commands.ts'
import type { KeyRow, OperatorRow, RecordStore } from '../../../src/store/store.ts'
import { serial } from '../core/steps.ts'

export const startedAt = Date.UTC(2026, 0, 1)
export const adminKey = 'admin-key'
/** The keys of the active operator by scope, and the key of an inactive operator. */
export const apiKeys = { all: 'k-all', read: 'k-read', trade: 'k-trade', manage: 'k-manage' }
export const inactiveKey = 'k-inactive'

export const testIds = new Ids({ shard: 0, key: [1, 2] })
/** Well-formed ids of the service, of records that do not exist. */
export const someId = testIds.textOf(serial(1_000_001), startedAt)
export const otherId = testIds.textOf(serial(1_000_002), startedAt)

export type Engine = {
  readonly [Kind in CommandKind]: (
    command: Commands[Kind]['command'],
  ) => Result<Commands[Kind]['answer']> | Promise<Result<Commands[Kind]['answer']>>
}

type Changes = Partial<Omit<Context, 'shards' | 'admission'>> & {
  readonly costOf?: ShardAccess['costOf']
  readonly readsFor?: ShardAccess['readsFor']
  readonly limits?: Limits
  readonly isInTouch?: () => boolean
  readonly engine?: Partial<Engine>
  readonly reads?: Partial<RecordStore>
}

export function testServer(changes: Changes = {}): FastifyInstance {
  return createServer(testContext(changes))
}

const rules: Rules = {
  sharesMin: 100 as Shares,
  sharesMax: 10_000_000 as Shares,
  priceMin: 100 as Price,
  priceMax: 9_900 as Price,
  feeRate: 200 as FeeRate,
}

const noLimits = { orders: 0, requests: 0, public: 0 }

export function testContext(changes: Changes = {}): Context {
  const {
    engine = {},
    reads = {},
    limits = noLimits,
    costOf = () => 1,
    isInTouch = () => true,
    ...more
  } = changes
  const { registry = testRegistry(), now = () => startedAt } = changes
  const submit = submitTo({ ...emptyEngine, ...engine })
  const records = { ...emptyStore, ...reads }
  const { readsFor = () => records, ...rest } = more
  const shard: ShardAccess = {
    ids: testIds,
    rules,
    submit,
    submitAll: (kind, commands) => commands.map((command) => submit(kind, command)),
    costOf,
    reads: records,
    readsFor,
  }
  return {
    shards: new Shards([shard]),
    registry,
    cluster: loneNode,
    deliveries: {
      attempts: async () => ({ rows: [], hasMore: false }),
      test: async () => null,
      redeliver: async () => ({ queued: 0, unreadable: 0 }),
    },
    rules,
    admission: new Admission({ keys: registry.keys, limits, now, isInTouch }),
    addresses: new ClientAddresses([]),
    keptAnswers: { answer: async ({ run }) => run(firstAttempt) },
    audit: { carryOut: (_act, run) => run() },
    keyUses: { of: async () => new Map() },
    isAdmin: (key) => key === adminKey,
    isReady: () => true,
    clockBehindMs: () => 0,
    now,
    eventRetentionMs: 24 * 3_600_000,
    log: { debug() {}, info() {}, warn() {}, error() {}, isDebug: false },
    reportFailure() {},
    metrics: { request() {}, text: async () => 'outcry_up 1\n', contentType: 'text/plain' },
    metricsRoute: { isAllowed: () => true },
    version: '0.0.0',
    streamDocument: () => streamDocument('0.0.0'),
    consoleFolder: new URL('../../../console/dist/', import.meta.url).pathname,
    guideFolder: new URL('../../../guide/dist/', import.meta.url).pathname,
    ...rest,
  }
}

export const firstAttempt = {
  recordId: someId,
  isFirst: true,
  begunAt: startedAt,
  otherAnswers: async () => [],
}

const loneNode = new LoneNode({
  nodeId: '0d9a5c3e-3f5e-4a0e-9d0e-0f6a2a1f7c11',
  version: '0.0.0',
  loopLagMs: () => 1,
  engines: () => [{ epoch: 1, openOrders: () => 0 }],
})

function submitTo(engine: Engine): Submit {
  return async (kind, command) => engine[kind](command)
}

const unknownMarket = () =>
  ({ isAccepted: false, reject: { code: 'MARKET_NOT_FOUND' } }) satisfies Result<never>

const noDeadMan = () =>
  ({ isAccepted: false, reject: { code: 'NOT_FOUND', message: '' } }) satisfies Result<never>

const noGroup = () =>
  ({ isAccepted: false, reject: { code: 'ORDER_GROUP_NOT_FOUND' } }) satisfies Result<never>

const emptyEngine: Engine = {
  place: unknownMarket,
  preview: unknownMarket,
  cancel: () => ({ isAccepted: false, reject: { code: 'ORDER_NOT_FOUND' } }),
  cancelMany: () => ({ isAccepted: true, answer: { cancelled: 0 } }),
  amend: () => ({ isAccepted: false, reject: { code: 'ORDER_NOT_FOUND' } }),
  changeSets: unknownMarket,
  createMarket: unknownMarket,
  editMarket: unknownMarket,
  manage: unknownMarket,
  changeTradingWindow: unknownMarket,
  changeControls: ({ mode, reason, until, limits }) => ({
    isAccepted: true,
    answer: { terms: { mode, reason, until, limits }, changedAt: 0, cancelled: 0 },
  }),
  settle: unknownMarket,
  retrySettlements: unknownMarket,
  acknowledge: () => ({ isAccepted: false, reject: { code: 'SETTLEMENT_NOT_FOUND' } }),
  book: unknownMarket,
  prices: unknownMarket,
  queue: () => ({ isAccepted: true, answer: [] }),
  armDeadMan: ({ playerId, timeoutMs }) => ({
    isAccepted: true,
    answer: { playerId, state: 'ARMED', deadline: 0, timeoutMs },
  }),
  clearDeadMan: noDeadMan,
  deadMan: noDeadMan,
  createOrderGroup: ({ playerId, limitShares, windowMs }) => ({
    isAccepted: true,
    answer: {
      id: '01900000-0000-7000-8000-000000000009',
      playerId,
      limitShares,
      windowMs,
      matchedShares: 0,
      status: 'ACTIVE',
      createdAt: 0,
    },
  }),
  limitOrderGroup: noGroup,
  triggerOrderGroup: noGroup,
  resetOrderGroup: noGroup,
  deleteOrderGroup: noGroup,
  orderGroup: noGroup,
  orderGroups: () => ({ isAccepted: true, answer: { groups: [], total: 0, hasMore: false } }),
}

const noRows = async () => ({ rows: [], total: 0, totalIsExact: true, hasMore: false })

const emptyStore: RecordStore = {
  market: async () => null,
  markets: async () => ({ ...(await noRows()), bytes: 0 }),
  marketSummaries: async () => [],
  marketRecord: async () => null,
  order: async () => null,
  controls: async () => null,
  usage: async () => [],
  orders: noRows,
  openOrders: async () => ({ serials: [], next: null }),
  byTransactionId: async () => null,
  placementTrades: async () => [],
  hasTurn: async () => false,
  lastSerial: async () => 0,
  trade: async () => null,
  webhookAttempts: async () => ({ rows: [], hasMore: false }),
  auditEntries: noRows,
  keyUses: async () => [],
  webhookLogStates: async () => [],
  webhookHealth: async () => [],
  webhookDeliveries: async () => [],
  trades: noRows,
  tape: noRows,
  candles: async () => [],
  positions: noRows,
  settlements: noRows,
  settlement: async () => null,
  settlementCounts: async () => ({
    positions: 0,
    byStatus: { PENDING: 0, PROCESSING: 0, COMPLETED: 0, FAILED: 0 },
    payout: 0n,
    completedPayout: 0n,
  }),
  exposure: async () => ({ currencies: [], openOrders: 0, positions: 0 }),
  valuation: async () => [],
  players: async () => ({ rows: [], total: 0, totalIsExact: true, nextAfter: null }),
  settlementSums: async () => [],
  dailyTotals: async () => ({ days: [], nextDay: null, openDay: 0, tradesRead: 0 }),
  reconciliation: async () => ({
    outcomes: [],
    operators: [],
    setsMinted: 0n,
    setsRedeemed: 0n,
    payouts: 0n,
    isSettled: false,
  }),
  marketCounts: async () => ({
    DRAFT: 0,
    UPCOMING: 0,
    OPEN: 0,
    SUSPENDED: 0,
    CLOSED: 0,
    RESOLVED: 0,
    SETTLED: 0,
    CANCELLED: 0,
  }),
  events: async () => ({
    rows: [],
    hasMore: false,
    earliestSequence: 1,
    lastSequence: 0,
    historyId: someId,
  }),
}

export const testOperator: OperatorRow = {
  id: testIds.textOf(serial(1), startedAt),
  number: 1,
  shard: 0,
  name: 'Acme',
  supportedCurrencies: ['USD'],
  feeRate: null,
  feeSchedule: null,
  isActive: true,
  createdAt: startedAt,
  updatedAt: startedAt,
}

function testRegistry(): Context['registry'] {
  const scopesOf = new Map<string, readonly string[]>([
    [apiKeys.all, ['read', 'trade', 'manage']],
    [apiKeys.read, ['read']],
    [apiKeys.trade, ['trade']],
    [apiKeys.manage, ['manage']],
    [inactiveKey, ['read', 'trade', 'manage']],
  ])
  const unknown = (code: 'OPERATOR_NOT_FOUND' | 'CATEGORY_NOT_FOUND' | 'WEBHOOK_NOT_FOUND') => {
    return async () => ({ code, message: 'No record has this id.' }) as const
  }
  const full = async () => ({ code: 'WEBHOOK_LIMIT', message: 'No more webhooks.' }) as const
  return {
    operators: {
      create: async () => ({ operator: testOperator, apiKey: 'new' }),
      get: (id) => (id === testOperator.id ? testOperator : undefined),
      list: () => [testOperator],
      update: unknown('OPERATOR_NOT_FOUND'),
    },
    keys: {
      create: unknown('OPERATOR_NOT_FOUND'),
      list: () => [],
      revoke: unknown('OPERATOR_NOT_FOUND'),
      authenticate: (apiKey) => {
        const scopes = scopesOf.get(apiKey)
        if (scopes === undefined) return null
        const operator = { ...testOperator, isActive: apiKey !== inactiveKey }
        return { operator, key: keyWith(scopes) }
      },
    },
    brakes: {
      current: null,
      put: async (brake) => ({ ...brake, id: 'x', number: 1, createdAt: 0, updatedAt: 0 }),
    },
    categories: {
      create: unknown('CATEGORY_NOT_FOUND'),
      get: () => undefined,
      list: () => [],
      textBytesOf: () => 0,
      update: unknown('CATEGORY_NOT_FOUND'),
      isUsableBy: () => false,
    },
    webhooks: {
      create: full,
      get: () => undefined,
      list: () => [],
      update: unknown('WEBHOOK_NOT_FOUND'),
      rotateSecret: unknown('WEBHOOK_NOT_FOUND'),
      delete: unknown('WEBHOOK_NOT_FOUND'),
      previousSecretUntil: () => null,
      secretOf: () => '0'.repeat(64),
    },
  }
}

export function keyWith(scopes: readonly string[]): KeyRow {
  const about = { id: someId, operatorId: testOperator.id, label: null, prefix: 'k', digest: '' }
  return { ...about, scopes, expiresAt: null, createdAt: startedAt }
}
