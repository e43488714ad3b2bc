// One call of a client method for every route of the service. A route of the OpenAPI document
// without a call fails the test.

import type { OutcryClient } from '../../client/src/outcry.ts'
import { limit } from './fixture.ts'

export type Resources = {
  readonly marketId: string
  readonly outcomeId: string
  /** New for each call: an open order, a draft. */
  readonly orderId: string
  readonly tradeId: string
  readonly draftId: string
  readonly closedId: string
  readonly resolvedId: string
  readonly settledId: string
  readonly settlementId: string
  readonly categoryId: string
  readonly globalCategoryId: string
  readonly webhookId: string
  readonly operatorId: string
  readonly keyId: string
  readonly unique: string
}

type Call = (client: OutcryClient, resources: Resources) => Promise<unknown>

const day = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }

export const calls: Readonly<Record<string, Call>> = {
  'POST /api/v1/markets': (c) => c.markets.create({ title: 'Snow?' }),
  'GET /api/v1/markets': (c) => c.markets.list({ status: 'OPEN,DRAFT', limit: 5 }),
  'GET /api/v1/markets/summaries': (c, { marketId }) => c.markets.summaries([marketId]),
  'GET /api/v1/markets/{}': (c, { marketId }) => c.markets.get(marketId),
  'PATCH /api/v1/markets/{}': (c, { draftId }) => c.markets.edit(draftId, { title: 'Hail?' }),
  'POST /api/v1/markets/{}/open': (c, { draftId }) => c.markets.open(draftId),
  'POST /api/v1/markets/{}/suspend': (c, { marketId }) => c.markets.suspend(marketId, 'pause'),
  'POST /api/v1/markets/{}/resume': async (c, { marketId }) => {
    await c.markets.suspend(marketId, 'pause')
    return c.markets.resume(marketId)
  },
  'POST /api/v1/markets/{}/close': (c, { marketId }) => c.markets.close(marketId),
  'POST /api/v1/markets/{}/trading-window': (c, { marketId }) =>
    c.markets.changeTradingWindow(marketId, {
      tradingEndsAt: '2099-01-01T00:00:00Z',
      reason: 'The match starts later',
    }),
  'POST /api/v1/markets/{}/resolve': async (c, { closedId }) => {
    const { outcomes } = await c.markets.get(closedId)
    const winningOutcomeId = outcomes[0]?.id ?? ''
    return c.markets.resolve(closedId, { winningOutcomeId, resolutionSource: 'the news' })
  },
  'POST /api/v1/markets/{}/cancel': (c, { draftId }) => c.markets.cancel(draftId, 'a mistake'),
  'POST /api/v1/markets/{}/settle': (c, { resolvedId }) => c.markets.settle(resolvedId),
  'POST /api/v1/markets/{}/retry-settlements': (c, { settledId }) =>
    c.markets.retrySettlements(settledId),
  'POST /api/v1/markets/{}/settlement-preview': (c, { settledId }) =>
    c.markets.previewSettlement(settledId),
  'GET /api/v1/markets/{}/settlement-status': (c, { settledId }) =>
    c.markets.settlementStatus(settledId),
  'POST /api/v1/markets/{}/mint': (c, { marketId }) =>
    c.markets.mint(marketId, { playerId: 'ann', shares: 1 }),
  'POST /api/v1/markets/{}/redeem': (c, { marketId }) =>
    c.markets.redeem(marketId, { playerId: 'ann', shares: 1 }),
  'GET /api/v1/markets/{}/reconciliation': (c, { marketId }) => c.markets.reconciliation(marketId),
  'POST /api/v1/orders': (c, resources) => c.orders.place(limit(resources, 'BUY')),
  'POST /api/v1/orders/batch': (c, resources) => c.orders.placeBatch([limit(resources, 'BUY')]),
  'POST /api/v1/orders/preview': (c, resources) => c.orders.preview(limit(resources, 'BUY')),
  'GET /api/v1/orders': (c) => c.orders.list({ playerId: 'bob', side: 'BUY' }),
  'GET /api/v1/orders/{}': (c, { orderId }) => c.orders.get(orderId),
  'GET /api/v1/orders/{}/queue': (c, { orderId }) => c.orders.queue(orderId),
  'GET /api/v1/orders/queue': (c) => c.orders.queues({ playerId: 'bob' }),
  'PATCH /api/v1/orders/{}': (c, { orderId }) => c.orders.amend(orderId, { shares: 5 }),
  'DELETE /api/v1/orders/{}': (c, { orderId }) => c.orders.cancel(orderId),
  'DELETE /api/v1/orders': (c, { marketId }) => c.orders.cancelAll({ marketId }),
  'PUT /api/v1/dead-man': (c) => c.deadMan.arm({ timeoutMs: 300_000, playerId: 'dave' }),
  'GET /api/v1/dead-man': async (c) => {
    await c.deadMan.arm({ timeoutMs: 300_000, playerId: 'dave' })
    return c.deadMan.get('dave')
  },
  'DELETE /api/v1/dead-man': async (c) => {
    await c.deadMan.arm({ timeoutMs: 300_000, playerId: 'dave' })
    return c.deadMan.clear('dave')
  },
  'POST /api/v1/order-groups': (c) => newGroup(c),
  'GET /api/v1/order-groups': (c) => c.orderGroups.list({ playerId: 'bob' }),
  'GET /api/v1/order-groups/{}': async (c) => c.orderGroups.get((await newGroup(c)).id),
  'PATCH /api/v1/order-groups/{}': async (c) => c.orderGroups.limit((await newGroup(c)).id, 7),
  'POST /api/v1/order-groups/{}/trigger': async (c) =>
    c.orderGroups.trigger((await newGroup(c)).id),
  'POST /api/v1/order-groups/{}/reset': async (c) => c.orderGroups.reset((await newGroup(c)).id),
  'DELETE /api/v1/order-groups/{}': async (c) => c.orderGroups.delete((await newGroup(c)).id),
  'GET /api/v1/trades': (c, { marketId }) => c.trades.list({ marketId }),
  'GET /api/v1/trades/{}': (c, { tradeId }) => c.trades.get(tradeId),
  'GET /api/v1/positions': (c, { marketId }) => c.positions.list({ marketId }),
  'GET /api/v1/settlements': (c, { settledId }) => c.settlements.list({ marketId: settledId }),
  'POST /api/v1/settlements/{}/acknowledge': (c, { settlementId }) =>
    c.settlements.acknowledge(settlementId, { transactionId: 'payout-1', status: 'COMPLETED' }),
  'GET /api/v1/players/{}/exposure': (c) => c.players.exposure('ann'),
  'POST /api/v1/categories': (c, { unique }) => c.categories.create({ name: 'A', slug: unique }),
  'GET /api/v1/categories': (c) => c.categories.list({ includeGlobal: true }),
  'GET /api/v1/categories/{}': (c, { categoryId }) => c.categories.get(categoryId),
  'PATCH /api/v1/categories/{}': (c, { categoryId }) =>
    c.categories.edit(categoryId, { sortOrder: 3 }),
  'GET /api/v1/admin/categories': (c) => c.admin.categories(),
  'POST /api/v1/admin/categories': (c, { unique }) =>
    c.admin.createCategory({ name: 'B', slug: unique }),
  'PATCH /api/v1/admin/categories/{}': (c, { globalCategoryId }) =>
    c.admin.editCategory(globalCategoryId, { name: 'C' }),
  'GET /api/v1/markets/{}/orderbook/{}': (c, { marketId, outcomeId }) =>
    c.marketData.orderBook(marketId, outcomeId, { depth: 5 }),
  'GET /api/v1/markets/{}/prices': (c, { marketId }) => c.marketData.prices(marketId),
  'GET /api/v1/markets/{}/prices/{}': (c, { marketId, outcomeId }) =>
    c.marketData.price(marketId, outcomeId),
  'GET /api/v1/public/markets/{}': async (c, { marketId }) => {
    await c.markets.edit(marketId, { publicPage: true })
    return c.marketData.publicMarket(marketId)
  },
  'GET /api/v1/markets/{}/candles/{}': (c, { marketId, outcomeId }) =>
    c.marketData.candles(marketId, outcomeId, { interval: '1m', ...day }),
  'GET /api/v1/markets/{}/trades/{}': (c, { marketId, outcomeId }) =>
    c.marketData.tape(marketId, outcomeId),
  'GET /api/v1/stats/overview': (c) => c.statistics(),
  'GET /api/v1/stats/daily': (c, { marketId }) => c.dailyStatistics({ marketId }),
  'GET /api/v1/limits': (c) => c.limits(),
  'GET /api/v1/status': (c) => c.controls.status(),
  'GET /api/v1/players/{}/controls': (c) => c.players.controls('ann'),
  'PUT /api/v1/players/{}/controls': (c) => c.players.putControls('ann', { mode: 'OPEN' }),
  'GET /api/v1/controls': (c) => c.controls.get(),
  'PUT /api/v1/controls': (c) => c.controls.put({ mode: 'OPEN' }),
  'GET /api/v1/me': (c) => c.me(),
  'GET /api/v1/players': (c) => c.players.list({ search: 'an' }),
  'GET /api/v1/players/{}/valuation': (c) => c.players.valuation('ann'),
  'GET /api/v1/audit': (c) => c.audit.list({ action: 'openMarket' }),
  'POST /api/v1/webhooks': (c) => c.webhooks.create({ url: 'https://example.com/hook' }),
  'GET /api/v1/webhooks': (c) => c.webhooks.list(),
  'PATCH /api/v1/webhooks/{}': (c, { webhookId }) =>
    c.webhooks.edit(webhookId, { description: 'mine' }),
  'POST /api/v1/webhooks/{}/rotate-secret': (c, { webhookId }) =>
    c.webhooks.rotateSecret(webhookId, { overlapHours: 1 }),
  'DELETE /api/v1/webhooks/{}': (c, { webhookId }) => c.webhooks.delete(webhookId),
  'GET /api/v1/webhooks/{}/deliveries': (c, { webhookId }) => c.webhooks.deliveries(webhookId),
  'POST /api/v1/webhooks/{}/redeliver': (c, { webhookId }) =>
    c.webhooks.redeliver(webhookId, { fromSequence: 1, toSequence: 2 }),
  'POST /api/v1/webhooks/{}/test': (c, { webhookId }) => c.webhooks.test(webhookId),
  'GET /api/v1/events': (c) => c.events.list({ since: 0, limit: 10 }),
  'POST /api/v1/admin/operators': (c) => c.admin.createOperator({ name: 'Acme' }),
  'GET /api/v1/admin/operators': (c) => c.admin.operators(),
  'GET /api/v1/admin/operators/{}': (c, { operatorId }) => c.admin.operator(operatorId),
  'GET /api/v1/admin/operators/{}/markets': (c, { operatorId }) => c.admin.markets(operatorId),
  'PATCH /api/v1/admin/operators/{}': (c, { operatorId }) =>
    c.admin.editOperator(operatorId, { name: 'Bcme' }),
  'POST /api/v1/admin/operators/{}/keys': (c, { operatorId }) =>
    c.admin.createKey(operatorId, { scopes: ['read'] }),
  'GET /api/v1/admin/operators/{}/keys': (c, { operatorId }) => c.admin.keys(operatorId),
  'DELETE /api/v1/admin/operators/{}/keys/{}': (c, { operatorId, keyId }) =>
    c.admin.revokeKey(operatorId, keyId),
  'GET /api/v1/admin/audit': (c, { operatorId }) => c.admin.audit({ operatorId }),
  'GET /api/v1/admin/operators/{}/controls': (c, { operatorId }) =>
    c.admin.operatorControls(operatorId),
  'PUT /api/v1/admin/operators/{}/controls': (c, { operatorId }) =>
    c.admin.putOperatorControls(operatorId, { mode: 'OPEN' }),
  'GET /api/v1/admin/controls': (c) => c.admin.controls(),
  'PUT /api/v1/admin/controls': (c) => c.admin.putControls({ mode: 'OPEN' }),
  'GET /api/v1/admin/cluster': (c) => c.admin.cluster(),
  'POST /api/v1/admin/shards/{}/move': (c) => c.admin.moveShard(0, { nodeId: null }),
  'POST /api/v1/admin/nodes/{}/drain': async (c) => {
    const { nodes } = await c.admin.cluster()
    return c.admin.drainNode(nodes[0]?.id ?? '')
  },
  'GET /health': (c) => c.health(),
  'GET /ready': (c) => c.ready(),
}

/** What a service that is alone on its database refuses, and with which code. */
export const refusedAlone: Readonly<Record<string, string>> = {
  'POST /api/v1/admin/shards/{}/move': 'NOT_IN_CLUSTER',
  'POST /api/v1/admin/nodes/{}/drain': 'NOT_IN_CLUSTER',
}

function newGroup(client: OutcryClient) {
  return client.orderGroups.create({ playerId: 'dave', limitShares: 5 })
}
