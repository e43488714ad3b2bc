// What is written for a later version to read: operators and what they keep beside markets, and a
// market in every status. How they are traded in is in scene-trading.ts.

import { OperatorClient } from '../../support/http/operator-client.ts'
import type { Json, Service } from '../../support/process/outcry-process.ts'
import { farAway, meanwhile, soonAfter } from './moments.ts'
import { tradeInCup, tradeInRain, tradeInTide } from './scene-trading.ts'

export type Operators = {
  readonly harbour: OperatorClient
  readonly lagoon: OperatorClient
  /** Has the markets whose end is half done. */
  readonly marsh: OperatorClient
}

/** Markets, orders and others by the names under which a test asks for them. */
export type Named = Record<string, Json>

export async function makeOperators(service: Service): Promise<Operators> {
  const make = async (name: string, more: object = {}) =>
    new OperatorClient(service, await service.newOperator(name, more))
  const harbour = await make('harbour', { feePercent: 1.5, supportedCurrencies: ['USD', 'EUR'] })
  const lagoon = await make('lagoon', { feePercent: 0.25 })
  const marsh = await make('marsh')
  return { harbour, lagoon, marsh }
}

/** Keys, one of an operator that is not active; categories; webhooks, two of them active. */
export async function makeRegistry(
  service: Service,
  { harbour, lagoon }: Operators,
  urls: { readonly harbour: string; readonly lagoon: string },
): Promise<Named> {
  const reader = await harbour.withKey({ label: 'board', scopes: ['read'], expiresAt: farAway })
  const expired = await harbour.withKey({ label: 'yesterday', expiresAt: meanwhile })
  const revoked = await harbour.withKey({ label: 'revoked' })
  await service.admin('DELETE', `/api/v1/admin/operators/${harbour.id}/keys/${revoked.keyId}`)
  const ebb = await service.newOperator('ebb', { feePercent: 0 })
  await service.admin('PATCH', `/api/v1/admin/operators/${ebb.id}`, { isActive: false })
  const keys = { reader: reader.key, expired: expired.key, revoked: revoked.key, idle: ebb.key }

  const sport = { name: 'Sport', slug: 'sport', sortOrder: 10 }
  const global = (await service.admin('POST', '/api/v1/admin/categories', sport)).body.data
  const icon = { description: 'Sun and rain', iconUrl: 'https://example.com/sun.png' }
  const weather = { name: 'Weather', slug: 'weather', sortOrder: -1.5, ...icon }
  const own = await harbour.post('/categories', weather)
  const closed = await harbour.post('/categories', { name: 'Closed', slug: 'closed' })
  await harbour.patch(`/categories/${closed.id}`, { isActive: false })

  const hook = await harbour.post('/webhooks', { url: urls.harbour, description: 'everything' })
  const quiet = await harbour.post('/webhooks', { url: urls.harbour, events: ['ORDER_MATCHED'] })
  await harbour.patch(`/webhooks/${quiet.id}`, { isActive: false })
  const otherHook = await lagoon.post('/webhooks', { url: urls.lagoon })
  return { keys, sport: global, weather: own, hook, otherHook }
}

export async function makeMarkets(operators: Operators, named: Named): Promise<Named> {
  const { harbour } = operators
  const draft = await harbour.createMarket({
    title: 'Will ΟΔΥΣΣΕΥΣ come home?',
    description: 'It takes him ten years.\nOr more.',
    imageUrl: 'https://example.com/ship.png',
    categoryId: named.weather.id,
    tradingEndsAt: farAway,
    metadata: { islands: ['Ithaca', { name: 'Aeaea', visits: 2 }], odds: 0.25, isLate: true },
  })
  const sport = { categoryId: named.sport.id, currency: 'EUR' }
  const upcoming = await harbour.openMarket({ ...sport, tradingStartsAt: soonAfter })
  const selfOpened = await harbour.openMarket({ tradingStartsAt: meanwhile })

  const suspended = await harbour.openMarket({ title: 'Will the bridge hold?', ...sport })
  await holdSome(harbour, suspended)
  await harbour.suspend(suspended)
  const closed = await harbour.openMarket({ title: 'Will the bus come?' })
  await holdSome(harbour, closed)
  await harbour.act(closed, 'close')
  const resolved = await harbour.openMarket({ title: 'Will the ice melt?' })
  await holdSome(harbour, resolved)
  await harbour.act(resolved, 'close')
  await harbour.resolve(resolved, 1)
  const cancelled = await harbour.openMarket({ title: 'Will anybody know?' })
  await holdSome(harbour, cancelled)
  await harbour.act(cancelled, 'cancel', { reason: 'Nobody will' })
  return {
    draft,
    upcoming,
    selfOpened,
    suspended,
    closed,
    resolved,
    cancelled,
    ...(await settleSome(harbour)),
    ...(await tradeInRain(harbour)),
    ...(await tradeInCup(operators)),
    ...(await tradeInTide(operators)),
  }
}

/** Sam holds 14 of Yes and 20 of No, bob 6 of Yes; an ask and a bid wait. */
async function holdSome(house: OperatorClient, market: Json): Promise<void> {
  await house.mint(market, 'sam', 20)
  await house.sell(market, { player: 'sam', shares: 9, price: 0.62 })
  await house.buy(market, { player: 'bob', shares: 6, price: 0.65 })
  await house.buy(market, { player: 'cat', shares: 2.5, price: 0.0125 })
}

async function settleSome(house: OperatorClient): Promise<Named> {
  const settled = await house.openMarket({ title: 'Did it snow?' })
  await holdSome(house, settled)
  await house.buy(settled, { player: 'dot', shares: 1, price: 0.3, transactionId: 'of-settled' })
  const [first, second] = (await house.finish(settled)).settlements
  await house.post(`/settlements/${first.id}/acknowledge`, {
    transactionId: 'paid-1',
    status: 'COMPLETED',
  })
  await house.post(`/settlements/${second.id}/acknowledge`, {
    transactionId: 'paid-2',
    status: 'FAILED',
    errorMessage: 'The wallet is locked.',
  })

  const divided = await house.openMarket({ title: 'Who came first?' })
  await holdSome(house, divided)
  await house.act(divided, 'close')
  const payouts = divided.outcomes.map(({ id }: Json, at: number) => {
    return { outcomeId: id, payoutPerShare: at === 0 ? 0.125 : 0.875 }
  })
  const resolution = { resolutionSource: 'the judges', resolutionNotes: 'A dead heat, nearly.' }
  await house.act(divided, 'resolve', { payouts, ...resolution })
  const { settlements } = await house.act(divided, 'settle')
  const failed = { transactionId: 'paid-3', status: 'FAILED', errorMessage: null }
  for (const { id } of settlements) await house.post(`/settlements/${id}/acknowledge`, failed)
  await house.act(divided, 'retry-settlements')
  return { settled, divided }
}
