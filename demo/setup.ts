// Sets the scene: operators, categories, markets in every state, and the makers' first shares.

import { OutcryClient } from '../client/src/outcry.ts'
import { Opinion } from './opinion.ts'
import { categories, type Question, questions } from './questions.ts'

export type House = {
  readonly name: string
  readonly apiKey: string
  readonly client: OutcryClient
  readonly players: readonly string[]
}

export type Floor = {
  readonly marketId: string
  readonly outcomeIds: readonly string[]
  readonly opinion: Opinion
  /** Who runs it, and makes its prices. */
  readonly owner: House
  /** Whose players may trade in it. */
  readonly houses: readonly House[]
}

export type Scene = { readonly houses: readonly House[]; readonly floors: readonly Floor[] }

type Houses = Readonly<Record<Question['operator'], House>>

export const makerId = 'house-maker'
export const makerSets = 20_000
const minuteMs = 60_000
const closingInMinutes = 5
const upcomingInMinutes = 10

export async function setUp(baseUrl: string, adminKey: string): Promise<Scene> {
  const admin = new OutcryClient({ baseUrl, adminKey })
  const houses: Houses = {
    harbour: await openHouse(admin, baseUrl, {
      name: 'Harbour Games',
      feePercent: 1,
      players: ['ann', 'bob', 'carla', 'dmitri', 'elif', 'farid', 'grace', 'hugo'],
    }),
    northwind: await openHouse(admin, baseUrl, {
      name: 'Northwind Markets',
      feePercent: 1.5,
      players: ['ines', 'jonas', 'kofi', 'lena', 'mateo', 'nadia'],
    }),
    agora: await openHouse(admin, baseUrl, {
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
    openFloor(question, houses, ids.get(question.category)),
  )
  const floors = (await Promise.all(opened)).flatMap((floor) => floor ?? [])
  return { houses: Object.values(houses), floors }
}

async function openHouse(
  admin: OutcryClient,
  baseUrl: string,
  {
    players,
    ...operator
  }: Pick<House, 'name' | 'players'> & { readonly feePercent: number | null },
): Promise<House> {
  const { apiKey } = await admin.admin.createOperator(operator)
  return { name: operator.name, players, apiKey, client: new OutcryClient({ baseUrl, apiKey }) }
}

/** Answers with the floor where there is trading now. */
async function openFloor(
  question: Question,
  houses: Houses,
  categoryId: string | undefined,
): Promise<Floor | null> {
  const { title, description, shared = false, state = 'OPEN' } = question
  const { completeSetMatching = false } = question
  const owner = houses[question.operator]
  const { client } = owner
  const { id, outcomes } = await client.markets.create({
    ...{ title, description, shared, completeSetMatching, ...timesOf(state) },
    ...(categoryId === undefined ? {} : { categoryId }),
    outcomes: Object.keys(question.outcomes).map((name) => ({ name })),
  })
  const floor: Floor = {
    marketId: id,
    outcomeIds: outcomes.map((outcome) => outcome.id),
    opinion: new Opinion(Object.values(question.outcomes)),
    owner,
    houses: shared ? Object.values(houses) : [owner],
  }
  await client.markets.open(id)
  if (state === 'UPCOMING') return null
  await client.markets.mint(id, { playerId: makerId, shares: makerSets })
  if (state === 'OPEN' || state === 'CLOSING') return floor
  await tradeOnce(floor)
  await client.markets.close(id)
  if (state === 'SETTLED') await settle(floor)
  return null
}

function timesOf(state: NonNullable<Question['state']> | 'OPEN') {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString()
  if (state === 'CLOSING') return { tradingEndsAt: inMinutes(closingInMinutes) }
  if (state === 'UPCOMING') return { tradingStartsAt: inMinutes(upcomingInMinutes) }
  return {}
}

/** So that a market that is over has a past. */
async function tradeOnce({ marketId, outcomeIds, opinion, owner }: Floor): Promise<void> {
  for (const [index, outcomeId] of outcomeIds.entries()) {
    const order = { marketId, outcomeId, type: 'LIMIT', price: opinion.price(index) } as const
    for (const playerId of owner.players.slice(0, 5)) {
      const shares = 20 + playerId.length * 5
      await owner.client.orders.place({ ...order, shares, playerId: makerId, side: 'SELL' })
      await owner.client.orders.place({ ...order, shares, playerId, side: 'BUY' })
    }
  }
}

/** Every winner is paid, and the operator says so. */
async function settle({ marketId, outcomeIds, owner }: Floor): Promise<void> {
  const { markets, settlements } = owner.client
  const answer = { winningOutcomeId: outcomeIds[0] ?? '', resolutionSource: 'the mission log' }
  await markets.resolve(marketId, answer)
  const result = await markets.settle(marketId)
  for (const { id, totalPayout } of result.settlements) {
    if (totalPayout === '0') continue
    await settlements.acknowledge(id, { transactionId: `payout-${id}`, status: 'COMPLETED' })
  }
}
