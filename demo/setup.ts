// Creates the operators, categories and markets of the demo, and the first shares of its makers.

import { OutcryClient } from '../client/src/outcry.ts'
import { Estimate } from './estimate.ts'
import { categories, type Question, questions } from './questions.ts'

export type DemoOperator = {
  readonly name: string
  readonly apiKey: string
  readonly client: OutcryClient
  readonly players: readonly string[]
}

export type TradingMarket = {
  readonly marketId: string
  readonly outcomeIds: readonly string[]
  readonly estimate: Estimate
  /** The operator whose maker quotes prices. */
  readonly owner: DemoOperator
  /** The operators whose players trade in it. */
  readonly operators: readonly DemoOperator[]
}

export type Demo = {
  readonly operators: readonly DemoOperator[]
  readonly markets: readonly TradingMarket[]
}

type Operators = Readonly<Record<Question['operator'], DemoOperator>>

export const makerId = 'market-maker'
export const makerSets = 20_000
const minuteMs = 60_000
const closingInMinutes = 5
const upcomingInMinutes = 10

export async function setUp(baseUrl: string, adminKey: string): Promise<Demo> {
  const admin = new OutcryClient({ baseUrl, adminKey })
  const operators: Operators = {
    harbour: await createOperator(admin, baseUrl, {
      name: 'Harbour Games',
      feePercent: 1,
      players: ['ann', 'bob', 'carla', 'dmitri', 'elif', 'farid', 'grace', 'hugo'],
    }),
    northwind: await createOperator(admin, baseUrl, {
      name: 'Northwind Markets',
      feePercent: 1.5,
      players: ['ines', 'jonas', 'kofi', 'lena', 'mateo', 'nadia'],
    }),
    agora: await createOperator(admin, baseUrl, {
      name: 'Agora Club',
      feePercent: null,
      players: ['oscar', 'priya', 'quentin', 'rosa', 'samir', 'tess'],
    }),
  }
  const ids = new Map<string, string>()
  for (const [sortOrder, category] of categories.entries()) {
    const { id } = await admin.admin.createCategory({ ...category, sortOrder })
    ids.set(category.slug, id)
  }
  const opened = questions.map((question) =>
    openMarket(question, operators, ids.get(question.category)),
  )
  const markets = (await Promise.all(opened)).flatMap((market) => market ?? [])
  return { operators: Object.values(operators), markets }
}

async function createOperator(
  admin: OutcryClient,
  baseUrl: string,
  {
    players,
    ...operator
  }: Pick<DemoOperator, 'name' | 'players'> & { readonly feePercent: number | null },
): Promise<DemoOperator> {
  const { apiKey } = await admin.admin.createOperator(operator)
  return { name: operator.name, players, apiKey, client: new OutcryClient({ baseUrl, apiKey }) }
}

/** Returns the market if it is open for trading, else null. */
async function openMarket(
  question: Question,
  operators: Operators,
  categoryId: string | undefined,
): Promise<TradingMarket | null> {
  const { title, description, shared = false, state = 'OPEN' } = question
  const { completeSetMatching = false } = question
  const owner = operators[question.operator]
  const { client } = owner
  const { id, outcomes } = await client.markets.create({
    title,
    description,
    shared,
    completeSetMatching,
    ...timesOf(state),
    ...(categoryId === undefined ? {} : { categoryId }),
    outcomes: Object.keys(question.outcomes).map((name) => ({ name })),
  })
  const market: TradingMarket = {
    marketId: id,
    outcomeIds: outcomes.map((outcome) => outcome.id),
    estimate: new Estimate(Object.values(question.outcomes)),
    owner,
    operators: shared ? Object.values(operators) : [owner],
  }
  await client.markets.open(id)
  if (state === 'UPCOMING') return null
  await client.markets.mint(id, { playerId: makerId, shares: makerSets })
  if (state === 'OPEN' || state === 'CLOSING') return market
  await tradeOnce(market)
  await client.markets.close(id)
  if (state === 'SETTLED') await settle(market)
  return null
}

function timesOf(state: NonNullable<Question['state']> | 'OPEN') {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString()
  if (state === 'CLOSING') return { tradingEndsAt: inMinutes(closingInMinutes) }
  if (state === 'UPCOMING') return { tradingStartsAt: inMinutes(upcomingInMinutes) }
  return {}
}

/** Gives a market that is not open some trades. */
async function tradeOnce({ marketId, outcomeIds, estimate, owner }: TradingMarket): Promise<void> {
  for (const [index, outcomeId] of outcomeIds.entries()) {
    const order = { marketId, outcomeId, type: 'LIMIT', price: estimate.price(index) } as const
    for (const playerId of owner.players.slice(0, 5)) {
      const shares = 20 + playerId.length * 5
      await owner.client.orders.place({ ...order, shares, playerId: makerId, side: 'SELL' })
      await owner.client.orders.place({ ...order, shares, playerId, side: 'BUY' })
    }
  }
}

/** Settles the market and acknowledges every payout. */
async function settle({ marketId, outcomeIds, owner }: TradingMarket): Promise<void> {
  const { markets, settlements } = owner.client
  const resolution = { winningOutcomeId: outcomeIds[0] ?? '', resolutionSource: 'the mission log' }
  await markets.resolve(marketId, resolution)
  const result = await markets.settle(marketId)
  for (const { id, totalPayout } of result.settlements) {
    if (totalPayout === '0') continue
    await settlements.acknowledge(id, { transactionId: `payout-${id}`, status: 'COMPLETED' })
  }
}
