// What the clients of the fault tests trade in: two operators with a market each, and one market
// that they share. Created once; it survives every restart.

import { OperatorClient } from '../../support/http/operator-client.ts'
import type { Service } from '../../support/process/outcry-process.ts'

export type Trader = { readonly name: string; readonly id: string; readonly key: string }
export type FixtureMarket = { readonly id: string; readonly outcomeIds: readonly string[] }
export type TradingFixture = {
  readonly traders: readonly [Trader, Trader]
  readonly markets: readonly FixtureMarket[]
  /** The markets in which each operator may trade. */
  readonly open: ReadonlyMap<Trader, readonly FixtureMarket[]>
}

/** Without rate limits, so that the service can be overloaded. */
export const unlimited = {
  RATE_LIMIT_ORDERS: '0',
  RATE_LIMIT_REQUESTS: '0',
  RATE_LIMIT_PUBLIC: '0',
}

/** An empty setting counts as unset. */
export const defaultLimits = {
  RATE_LIMIT_ORDERS: '',
  RATE_LIMIT_REQUESTS: '',
  RATE_LIMIT_PUBLIC: '',
}

/** In a cluster, the operators are of one shard, because they share a market. */
export async function createTradingFixture(service: Service, shard = 0): Promise<TradingFixture> {
  const operator = async (name: string, more: object = {}) => {
    return { name, ...(await service.newOperator(name, { shard, ...more })) }
  }
  const alpha = await operator('alpha')
  const beta = await operator('beta', { feePercent: 1 })
  const own = await openMarket(service, alpha)
  const shared = await openMarket(service, alpha, { shared: true })
  const other = await openMarket(service, beta, { outcomes: ['Red', 'Green', 'Blue'] })
  return {
    traders: [alpha, beta],
    markets: [own, shared, other],
    open: new Map([
      [alpha, [own, shared]],
      [beta, [shared, other]],
    ]),
  }
}

type MarketOptions = { readonly shared?: boolean; readonly outcomes?: readonly string[] }

export async function openMarket(
  service: Service,
  trader: { readonly id: string; readonly key: string },
  { shared = false, outcomes = ['Yes', 'No'] }: MarketOptions = {},
): Promise<FixtureMarket> {
  const operator = new OperatorClient(service, trader)
  const names = outcomes.map((name) => ({ name }))
  const market = await operator.openMarket({ shared, outcomes: names })
  return { id: market.id, outcomeIds: market.outcomes.map(({ id }: { id: string }) => id) }
}
