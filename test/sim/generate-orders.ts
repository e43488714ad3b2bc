// Steps of players: orders, cancels, complete sets. Prices are in a narrow range around the price
// of equally likely outcomes, so that orders match.

import { groupForOrder } from './generate-groups.ts'
import { sharesAtLimit } from './generate-limits.ts'
import {
  anyOperator,
  anyParty,
  type GeneratorContext,
  type Party,
  tradingMarkets,
} from './generator-context.ts'
import { findPosition, freeShares } from './model-positions.ts'
import { type Market, openOrdersOf, type Position, type StepOf } from './model-state.ts'

export function makePlace(context: GeneratorContext): StepOf<'place'> {
  const { random } = context
  const sale = random.chance(48) ? anySale(context) : undefined
  const party = sale ?? anyParty(context)
  const market = context.state.markets[party.market]
  const type = random.chance(12) ? 'MARKET' : 'LIMIT'
  const outcome = sale?.outcome ?? anyOutcome(context, market)
  const price = type === 'LIMIT' || random.chance(10) ? anyPrice(context, market) : null
  const wanted = { ...party, outcome, price: price ?? 5_000 }
  const limited = random.chance(40) ? sharesAtLimit(context, wanted) : null
  const options = anyOptions(context, type)
  const side = sale !== undefined || random.chance(3) ? 'SELL' : 'BUY'
  const mayHaveAmount = side === 'BUY' && (type === 'MARKET' || options.timeInForce !== 'GTC')
  const amount = limited === null ? anyAmount(context) : limited * (price ?? 5_000)
  return {
    do: 'place',
    operator: party.operator,
    player: party.player,
    market: party.market,
    outcome,
    side,
    type,
    shares: sale?.shares ?? limited ?? anyShares(context),
    amount: random.chance(mayHaveAmount ? 45 : 0.5) ? amount : null,
    price,
    expiresAt: anyExpiry(context),
    ...options,
    group: groupForOrder(context, party),
  }
}

type Options = Pick<StepOf<'place'>, 'timeInForce' | 'isPostOnly' | 'selfTradePrevention'>

/** Mostly none, and rarely options that exclude each other. */
function anyOptions({ random }: GeneratorContext, type: 'LIMIT' | 'MARKET'): Options {
  const isUsual = random.chance(55)
  const isOdd = random.chance(2)
  const isTimed = !isUsual && (type === 'LIMIT' || isOdd)
  const timeInForce = isTimed ? random.pick(['GTC', 'GTC', 'IOC', 'FOK'] as const) : 'GTC'
  const mayPost = timeInForce === 'GTC' && type === 'LIMIT'
  const preventions = ['NONE', 'CANCEL_NEWEST', 'CANCEL_OLDEST'] as const
  return {
    timeInForce,
    isPostOnly: !isUsual && random.chance(mayPost ? 25 : 1),
    selfTradePrevention: isUsual ? 'NONE' : random.pick(preventions),
  }
}

export function makeCancel(context: GeneratorContext): StepOf<'cancel'> {
  const { random, state } = context
  const open = state.markets.flatMap(openOrdersOf)
  const aim = random.weighted({ open: 84, any: 7, foreign: 6, unknown: 3 })
  if (aim === 'unknown' || state.orders.length === 0) {
    const order = state.orders.length + random.between(0, 2)
    return { do: 'cancel', operator: anyOperator(context), order }
  }
  const order = random.pick(aim === 'any' || open.length === 0 ? state.orders : open)
  const operator = aim === 'foreign' ? anyOperator(context) : order.operator
  return { do: 'cancel', operator, order: order.number }
}

/** All or some open orders of a player, an operator or a market, and some others. */
export function makeCancelMany(context: GeneratorContext): StepOf<'cancelMany'> {
  const { random, state } = context
  const { operator, order: number } = makeCancel(context)
  const example = state.orders[number]
  const by = random.pick(['player', 'market', 'book', 'side'] as const)
  const alike = state.markets
    .flatMap(openOrdersOf)
    .filter((order) => example !== undefined && order[by] === example[by])
  const some = random.chance(70) ? alike : alike.filter(() => random.chance(30))
  const orders = some.slice(0, 30).map((order) => order.number)
  if (random.chance(20)) orders.push(number, number, state.orders.length)
  return { do: 'cancelMany', operator, orders: orders.reverse() }
}

export function makeAmend(context: GeneratorContext): StepOf<'amend'> {
  const { random, state } = context
  const { operator, order: number } = makeCancel(context)
  const order = state.orders[number]
  const how = random.weighted({ less: 30, price: 30, both: 20, more: 12, same: 4, wild: 4 })
  const aim = { do: 'amend', operator, order: number } as const
  if (order === undefined || how === 'wild') {
    return { ...aim, shares: anyShares(context), price: anyPrice(context, order?.market) }
  }
  if (how === 'same') return { ...aim, shares: order.shares, price: null }
  const shares =
    how === 'more'
      ? order.shares + random.pick([1, 100, 1_000])
      : random.between(Math.max(state.rules.sharesMin, order.filled - 1), order.shares)
  const price = how === 'price' || how === 'both' ? anyPrice(context, order.market) : null
  return { ...aim, shares: how === 'price' ? null : shares, price }
}

export function makeMint(context: GeneratorContext): StepOf<'mint' | 'redeem'> {
  const shares = context.random.chance(50) ? 5_000 : anyShares(context)
  return { do: 'mint', ...anyParty(context), shares }
}

export function makeRedeem(context: GeneratorContext): StepOf<'mint' | 'redeem'> {
  const { random } = context
  const sets = completeSets(context)
  if (sets.length === 0 || random.chance(8)) {
    return { do: 'redeem', ...anyParty(context), shares: anyShares(context) }
  }
  const { party, free } = random.pick(sets)
  return { do: 'redeem', ...party, shares: partOf(context, free) }
}

type Sale = Party & { readonly outcome: number; readonly shares: number }

/** Free shares of a player; undefined if there are none. */
function anySale(context: GeneratorContext): Sale | undefined {
  const { random, state } = context
  const holders = tradingMarkets(context)
    .flatMap((market) => market.positions)
    .filter((position) => position.shares >= state.rules.sharesMin)
  if (holders.length === 0) return undefined
  const { market, operator, player, book } = random.pick(holders)
  const free = freeShares({ market, operator, player, book })
  const shares = partOf(context, free)
  return { operator, player, market: market.number, outcome: book.outcome, shares }
}

/** Mostly at most the given number, sometimes one unit more. */
function partOf({ random, state }: GeneratorContext, free: number): number {
  const { sharesMin } = state.rules
  if (free < sharesMin) return sharesMin
  const usual = Math.min(free, random.pick([1_000, 1_000, 500, 2_500]))
  const how = random.weighted({ usual: 70, some: 15, all: 10, tooMany: 5 })
  if (how === 'usual') return Math.max(usual, sharesMin)
  if (how === 'some') return random.between(sharesMin, free)
  return how === 'all' ? free : free + 1
}

type Sets = { readonly party: Party; readonly free: number }

/** Players with shares of every outcome of a market, and how many sets they can redeem. */
function completeSets(context: GeneratorContext): Sets[] {
  return tradingMarkets(context)
    .flatMap((market) => market.positions.filter(({ book }) => book.outcome === 0))
    .map((position) => ({ party: visitOf(position), free: freeSets(position) }))
    .filter(({ free }) => free >= context.state.rules.sharesMin)
}

function visitOf({ operator, player, market }: Position): Party {
  return { operator, player, market: market.number }
}

function freeSets({ market, operator, player }: Position): number {
  const holders = market.books.map((book) => ({ market, operator, player, book }))
  if (holders.some((holder) => findPosition(holder) === undefined)) return 0
  return Math.min(...holders.map(freeShares))
}

/** The first outcome often, so that some books are busy; rarely an outcome of another market. */
function anyOutcome({ random }: GeneratorContext, market: Market | undefined): number {
  const outcomes = market?.books.length ?? 2
  if (random.chance(1)) return outcomes
  return random.chance(40) ? 0 : random.between(0, outcomes - 1)
}

function anyPrice({ random, state }: GeneratorContext, market: Market | undefined): number {
  const { priceMin, priceMax } = state.rules
  const middle = Math.round(100 / (market?.books.length ?? 2)) * 100
  // Bids for a few outcomes that come to more than a whole set.
  const isDear = market?.hasCompleteSets === true && random.chance(12)
  if (isDear) return Math.min(middle + random.between(0, 10) * 400, priceMax)
  const how = random.weighted({ band: 82, odd: 11, bound: 4, wide: 2, outside: 1 })
  if (how === 'band') return middle + random.between(-4, 4) * 100
  if (how === 'odd') return middle + random.between(-350, 350)
  if (how === 'bound') return random.pick([priceMin, priceMax])
  if (how === 'wide') return random.between(priceMin, priceMax)
  return random.pick([0, priceMin - 1, priceMax + 1, 10_000])
}

function anyShares({ random, state }: GeneratorContext): number {
  const { sharesMin, sharesMax } = state.rules
  const how = random.weighted({ usual: 60, odd: 18, least: 10, large: 9, most: 1.5, outside: 1.5 })
  if (how === 'usual') return random.pick([1_000, 1_000, 1_000, 500, 2_500])
  if (how === 'odd') return random.between(sharesMin, 3_000)
  if (how === 'least') return random.pick([sharesMin, sharesMin + 1])
  if (how === 'large') return random.between(3_000, 50_000)
  if (how === 'most') return random.pick([sharesMax, sharesMax - 1])
  return random.pick([0, 1, sharesMin - 1, sharesMax + 1])
}

/** In micro-units: of a few shares, of much of a book, of some hundredths of a share. */
function anyAmount({ random, state }: GeneratorContext): number {
  const most = state.rules.sharesMax * 10_000
  const how = random.weighted({ usual: 40, odd: 30, few: 15, large: 10, most: 2, outside: 1 })
  if (how === 'usual') return random.pick([5, 10, 10, 25, 50]) * 1_000_000
  if (how === 'odd') return random.between(10_000, 30_000_000)
  if (how === 'few') return random.between(10_000, 60_000)
  if (how === 'large') return random.between(30_000_000, 600_000_000)
  if (how === 'most') return random.pick([most, most - 1])
  return random.pick([0, 9_999, most + 1])
}

function anyExpiry({ random, now }: GeneratorContext): number | null {
  const how = random.weighted({ none: 82, instant: 3, seconds: 6, minutes: 8, past: 1 })
  if (how === 'none') return null
  if (how === 'instant') return now + random.between(1, 2)
  if (how === 'seconds') return now + random.between(1, 60) * 1_000
  if (how === 'minutes') return now + random.between(1, 60) * 60_000
  return now - random.pick([0, 0, 1, 1_000])
}
