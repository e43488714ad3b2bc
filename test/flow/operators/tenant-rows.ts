// How every route of the document is called in the tenant matrix: its access, and the ids in its
// path and body. A route without a row fails the matrix.

import type { OperatorClient } from '../../support/http/operator-client.ts'
import type { Json } from '../../support/process/outcry-process.ts'

/** Ids of one record of each kind, so that they can be replaced by other ids. */
export type Things = {
  readonly draft: string
  readonly market: string
  readonly outcome: string
  readonly order: string
  readonly orderGroup: string
  readonly trade: string
  readonly settled: string
  readonly settlement: string
  readonly category: string
  readonly webhook: string
  readonly operator: string
  readonly key: string
}

export type Row = {
  /** The scope of a key, `any` for a key with whatever scopes, or who else may. */
  readonly access: 'any' | 'read' | 'trade' | 'manage' | 'admin' | 'public' | 'open'
  /** The parameters of the path, by their names in the document. */
  readonly ids?: (things: Things) => Readonly<Record<string, string>>
  readonly query?: (things: Things) => string
  readonly body?: (things: Things) => object
  /** How ids that lead to nothing are refused; left out where there are none. */
  readonly missing?: string
}

const ofMarket = { ids: ({ market }: Things) => ({ id: market }), missing: 'MARKET_NOT_FOUND' }
const ofSettled = { ids: ({ settled }: Things) => ({ id: settled }), missing: 'MARKET_NOT_FOUND' }
const ofDraft = { ids: ({ draft }: Things) => ({ id: draft }), missing: 'MARKET_NOT_FOUND' }
const ofOrder = { ids: ({ order }: Things) => ({ orderId: order }), missing: 'ORDER_NOT_FOUND' }
const ofGroup = {
  ids: ({ orderGroup }: Things) => ({ groupId: orderGroup }),
  missing: 'ORDER_GROUP_NOT_FOUND',
}
const ofCategory = {
  ids: ({ category }: Things) => ({ id: category }),
  missing: 'CATEGORY_NOT_FOUND',
}
const ofWebhook = { ids: ({ webhook }: Things) => ({ id: webhook }), missing: 'WEBHOOK_NOT_FOUND' }
const ofOperator = {
  ids: ({ operator }: Things) => ({ id: operator }),
  missing: 'OPERATOR_NOT_FOUND',
}
const ofBook = {
  ids: ({ market, outcome }: Things) => ({ marketId: market, outcomeId: outcome }),
  missing: 'MARKET_NOT_FOUND',
}

let count = 0
function unique(): string {
  count += 1
  return `unique-${count}`
}

const reason = () => ({ reason: 'why not' })
const opened = () => ({ mode: 'OPEN' })
const sets = () => ({ playerId: 'ann', shares: 1 })
const category = () => ({ name: 'Name', slug: unique() })

export const rows: Readonly<Record<string, Row>> = {
  'POST /api/v1/markets': { access: 'manage', body: () => ({ title: 'x' }) },
  'GET /api/v1/markets': { access: 'read' },
  'GET /api/v1/markets/summaries': {
    access: 'read',
    query: ({ market }) => `marketIds=${market}`,
  },
  'GET /api/v1/markets/{id}': { access: 'read', ...ofMarket },
  'PATCH /api/v1/markets/{id}': { access: 'manage', ...ofMarket, body: () => ({ metadata: {} }) },
  'POST /api/v1/markets/{id}/open': { access: 'manage', ...ofDraft },
  'POST /api/v1/markets/{id}/resume': { access: 'manage', ...ofMarket },
  'POST /api/v1/markets/{id}/close': { access: 'manage', ...ofMarket },
  'POST /api/v1/markets/{id}/suspend': { access: 'manage', ...ofMarket, body: reason },
  'POST /api/v1/markets/{id}/cancel': { access: 'manage', ...ofMarket, body: reason },
  'POST /api/v1/markets/{id}/trading-window': {
    access: 'manage',
    ...ofMarket,
    body: () => ({ tradingEndsAt: '2099-01-01T00:00:00Z', reason: 'x' }),
  },
  'POST /api/v1/markets/{id}/resolve': {
    access: 'manage',
    ...ofMarket,
    body: ({ outcome }) => ({ winningOutcomeId: outcome, resolutionSource: 'tv' }),
  },
  'POST /api/v1/markets/{id}/mint': { access: 'trade', ...ofMarket, body: sets },
  'POST /api/v1/markets/{id}/redeem': { access: 'trade', ...ofMarket, body: sets },
  'POST /api/v1/markets/{id}/settle': { access: 'manage', ...ofSettled },
  'POST /api/v1/markets/{id}/retry-settlements': { access: 'manage', ...ofSettled },
  'POST /api/v1/markets/{id}/settlement-preview': { access: 'manage', ...ofSettled },
  'GET /api/v1/markets/{id}/settlement-status': { access: 'read', ...ofSettled },
  'POST /api/v1/orders': {
    access: 'trade',
    missing: 'MARKET_NOT_FOUND',
    body: ({ market, outcome }) => ({
      marketId: market,
      outcomeId: outcome,
      playerId: 'ann',
      side: 'BUY',
      type: 'LIMIT',
      shares: 1,
      price: 0.1,
    }),
  },
  'POST /api/v1/orders/batch': { access: 'trade', body: () => ({ orders: [{}] }) },
  'POST /api/v1/orders/preview': {
    access: 'trade',
    missing: 'MARKET_NOT_FOUND',
    body: ({ market, outcome }) => ({
      marketId: market,
      outcomeId: outcome,
      playerId: 'ann',
      side: 'BUY',
      type: 'LIMIT',
      shares: 1,
      price: 0.1,
    }),
  },
  'GET /api/v1/orders': { access: 'read' },
  'DELETE /api/v1/orders': { access: 'trade' },
  'PUT /api/v1/dead-man': {
    access: 'trade',
    body: () => ({ timeoutMs: 300_000, playerId: 'dave' }),
  },
  'GET /api/v1/dead-man': { access: 'read', query: () => 'playerId=dave' },
  'DELETE /api/v1/dead-man': { access: 'trade', query: () => 'playerId=dave' },
  'POST /api/v1/order-groups': {
    access: 'trade',
    body: () => ({ playerId: 'dave', limitShares: 10 }),
  },
  'GET /api/v1/order-groups': { access: 'read' },
  'GET /api/v1/order-groups/{groupId}': { access: 'read', ...ofGroup },
  'PATCH /api/v1/order-groups/{groupId}': {
    access: 'trade',
    ...ofGroup,
    body: () => ({ limitShares: 20 }),
  },
  'POST /api/v1/order-groups/{groupId}/trigger': { access: 'trade', ...ofGroup },
  'POST /api/v1/order-groups/{groupId}/reset': { access: 'trade', ...ofGroup },
  'DELETE /api/v1/order-groups/{groupId}': { access: 'trade', ...ofGroup },
  'GET /api/v1/orders/queue': { access: 'read', query: ({ market }) => `marketId=${market}` },
  'GET /api/v1/orders/{orderId}/queue': { access: 'read', ...ofOrder },
  'GET /api/v1/orders/{orderId}': { access: 'read', ...ofOrder },
  'PATCH /api/v1/orders/{orderId}': { access: 'trade', ...ofOrder, body: () => ({ price: 0.2 }) },
  'DELETE /api/v1/orders/{orderId}': { access: 'trade', ...ofOrder },
  'GET /api/v1/trades': { access: 'read' },
  'GET /api/v1/trades/{id}': {
    access: 'read',
    ids: ({ trade }) => ({ id: trade }),
    missing: 'TRADE_NOT_FOUND',
  },
  'GET /api/v1/positions': { access: 'read' },
  'GET /api/v1/settlements': { access: 'read' },
  // Any text names a player: a player of another operator has no exposure.
  'GET /api/v1/players/{playerId}/valuation': {
    access: 'read',
    ids: () => ({ playerId: 'ann' }),
  },
  'GET /api/v1/players/{playerId}/exposure': { access: 'read', ids: () => ({ playerId: 'ann' }) },
  'GET /api/v1/markets/{id}/reconciliation': { access: 'read', ...ofMarket },
  'POST /api/v1/settlements/{id}/acknowledge': {
    access: 'manage',
    ids: ({ settlement }) => ({ id: settlement }),
    missing: 'SETTLEMENT_NOT_FOUND',
    body: () => ({ transactionId: 'paid', status: 'COMPLETED' }),
  },
  'POST /api/v1/categories': { access: 'manage', body: category },
  'GET /api/v1/categories': { access: 'read' },
  'GET /api/v1/categories/{id}': { access: 'public', ...ofCategory },
  'PATCH /api/v1/categories/{id}': {
    access: 'manage',
    ...ofCategory,
    body: () => ({ name: 'New' }),
  },
  'POST /api/v1/admin/categories': { access: 'admin', body: category },
  'GET /api/v1/admin/categories': { access: 'admin' },
  // The administrator's route is for global ones: an operator's is not there either.
  'PATCH /api/v1/admin/categories/{id}': {
    access: 'admin',
    ids: () => ({ id: crypto.randomUUID() }),
    body: () => ({ name: 'New' }),
  },
  'GET /api/v1/markets/{marketId}/orderbook/{outcomeId}': { access: 'public', ...ofBook },
  'GET /api/v1/markets/{marketId}/prices/{outcomeId}': { access: 'public', ...ofBook },
  'GET /api/v1/public/markets/{marketId}': {
    access: 'public',
    ids: ({ market }) => ({ marketId: market }),
    missing: 'MARKET_NOT_FOUND',
  },
  'GET /api/v1/markets/{marketId}/prices': {
    access: 'public',
    ids: ({ market }) => ({ marketId: market }),
    missing: 'MARKET_NOT_FOUND',
  },
  'GET /api/v1/markets/{marketId}/candles/{outcomeId}': { access: 'public', ...ofBook },
  'GET /api/v1/markets/{marketId}/trades/{outcomeId}': { access: 'public', ...ofBook },
  'GET /api/v1/players': { access: 'read' },
  'GET /api/v1/stats/overview': { access: 'read' },
  'GET /api/v1/stats/daily': { access: 'read', query: ({ market }) => `marketId=${market}` },
  'GET /api/v1/audit': { access: 'read' },
  'POST /api/v1/webhooks': { access: 'manage', body: () => ({ url: 'https://example.com/' }) },
  'GET /api/v1/webhooks': { access: 'read' },
  'PATCH /api/v1/webhooks/{id}': {
    access: 'manage',
    ...ofWebhook,
    body: () => ({ isActive: false }),
  },
  'POST /api/v1/webhooks/{id}/rotate-secret': { access: 'manage', ...ofWebhook },
  'DELETE /api/v1/webhooks/{id}': { access: 'manage', ...ofWebhook },
  'GET /api/v1/webhooks/{id}/deliveries': { access: 'read', ...ofWebhook },
  'POST /api/v1/webhooks/{id}/redeliver': {
    access: 'manage',
    body: () => ({ failed: true }),
    ...ofWebhook,
  },
  'POST /api/v1/webhooks/{id}/test': { access: 'manage', ...ofWebhook },
  'GET /api/v1/events': { access: 'read' },
  'GET /api/v1/limits': { access: 'read' },
  'GET /api/v1/status': { access: 'public' },
  // Any text names a player, as above.
  'GET /api/v1/players/{playerId}/controls': { access: 'read', ids: () => ({ playerId: 'ann' }) },
  'PUT /api/v1/players/{playerId}/controls': {
    access: 'manage',
    ids: () => ({ playerId: 'ann' }),
    body: opened,
  },
  'GET /api/v1/controls': { access: 'read' },
  'PUT /api/v1/controls': { access: 'manage', body: opened },
  'GET /api/v1/admin/operators/{id}/controls': { access: 'admin', ...ofOperator },
  'PUT /api/v1/admin/operators/{id}/controls': { access: 'admin', ...ofOperator, body: opened },
  'GET /api/v1/admin/controls': { access: 'admin' },
  'PUT /api/v1/admin/controls': { access: 'admin', body: opened },
  'GET /api/v1/me': { access: 'any' },
  'POST /api/v1/admin/operators': { access: 'admin', body: () => ({ name: 'x' }) },
  'GET /api/v1/admin/operators': { access: 'admin' },
  'GET /api/v1/admin/operators/{id}': { access: 'admin', ...ofOperator },
  'PATCH /api/v1/admin/operators/{id}': {
    access: 'admin',
    ...ofOperator,
    body: () => ({ name: 'x' }),
  },
  'POST /api/v1/admin/operators/{id}/keys': { access: 'admin', ...ofOperator, body: () => ({}) },
  'GET /api/v1/admin/operators/{id}/markets': { access: 'admin', ...ofOperator },
  'GET /api/v1/admin/operators/{id}/keys': { access: 'admin', ...ofOperator },
  'DELETE /api/v1/admin/operators/{id}/keys/{keyId}': {
    access: 'admin',
    ids: ({ operator, key }) => ({ id: operator, keyId: key }),
    missing: 'OPERATOR_NOT_FOUND',
  },
  'GET /api/v1/admin/audit': { access: 'admin' },
  'GET /api/v1/admin/cluster': { access: 'admin' },
  'POST /api/v1/admin/shards/{shard}/move': {
    access: 'admin',
    ids: () => ({ shard: '0' }),
    body: () => ({ nodeId: null }),
  },
  'POST /api/v1/admin/nodes/{nodeId}/drain': {
    access: 'admin',
    ids: ({ operator }) => ({ nodeId: operator }),
  },
  'GET /health': { access: 'open' },
  'GET /ready': { access: 'open' },
  'GET /metrics': { access: 'open' },
  'GET /openapi.json': { access: 'open' },
  'GET /asyncapi.json': { access: 'open' },
  'GET /console': { access: 'open' },
  'GET /guide': { access: 'open' },
}

/** One of each for an operator. */
export async function thingsOf(client: OperatorClient): Promise<Things> {
  const market = await client.openMarket({ publicPage: true })
  const settled = await client.marketWithHolders({ ann: 5 })
  const { settlements } = await client.finish(settled)
  await client.mint(market, 'ann', 5)
  await client.sell(market, { price: 0.9, shares: 1 })
  const { trades } = await client.buy(market, { player: 'bob', price: 0.9, shares: 1 })
  const { order } = await client.buy(market, { transactionId: `of ${client.id}`, price: 0.1 })
  const [draft, orderGroup, group, webhook, key]: Json[] = await Promise.all([
    client.createMarket(),
    client.post('/order-groups', { playerId: 'dave', limitShares: 10 }),
    client.post('/categories', category()),
    client.post('/webhooks', { url: 'https://example.com/' }),
    client.withKey({}),
  ])
  return {
    draft: draft.id,
    market: market.id,
    outcome: market.outcomes[0].id,
    order: order.id,
    orderGroup: orderGroup.id,
    trade: trades[0].id,
    settled: settled.id,
    settlement: settlements[0].id,
    category: group.id,
    webhook: webhook.id,
    operator: client.id,
    key: key.keyId,
  }
}

/** Well-formed ids that nothing has. */
export function nothing(): Things {
  const id = () => crypto.randomUUID()
  const records = { draft: id(), market: id(), outcome: id(), order: id(), trade: id() }
  const others = {
    orderGroup: id(),
    settled: id(),
    settlement: id(),
    category: id(),
    webhook: id(),
    operator: id(),
    key: id(),
  }
  return { ...records, ...others }
}
