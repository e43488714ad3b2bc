// Creating a market with its outcomes, and editing what may be edited.

import type { Serial } from '../ids.ts'
import { invalid, marketNotFound, type Reject } from '../reject.ts'
import { checkManages } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market, MarketText } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import { scheduleOpening } from './schedule.ts'

export const outcomesMin = 2
export const outcomesMax = 256

export type NewOutcomeText = { readonly name: string; readonly description: string | null }

export type CreateMarket = MarketText & {
  readonly operator: Operator
  readonly currency: string
  /** Left out: Yes and No. */
  readonly outcomes: readonly NewOutcomeText[] | null
  readonly isShared: boolean
  readonly hasCompleteSetMatching: boolean
}

const yesAndNo: readonly NewOutcomeText[] = [
  { name: 'Yes', description: null },
  { name: 'No', description: null },
]

/** The fact of the command names the new market. */
export function createMarket(exchange: Exchange, create: CreateMarket): Reject | null {
  const outcomes = create.outcomes ?? yesAndNo
  const refused = checkCurrency(create) ?? checkOutcomes(outcomes) ?? checkWindow(create)
  if (refused !== null) return refused

  exchange.begin()
  const market = exchange.addMarket({
    serial: exchange.nextSerial(),
    createdAt: exchange.now,
    owner: create.operator,
    currency: create.currency,
    isShared: create.isShared,
    hasCompleteSetMatching: create.hasCompleteSetMatching,
    title: create.title,
    description: create.description,
    imageUrl: create.imageUrl,
    categoryId: create.categoryId,
    metadata: create.metadata,
    tradingStartsAt: create.tradingStartsAt,
    tradingEndsAt: create.tradingEndsAt,
  })
  for (const [index, { name, description }] of outcomes.entries()) {
    const serial = exchange.nextSerial()
    exchange.addBook(market, { index, serial, createdAt: exchange.now, name, description })
  }
  const { title, categoryId } = market
  exchange.journal.add({ kind: 'MARKET', market, change: 'CREATED', title, categoryId })
  return null
}

/** A field that is not there stays as it is; null clears it. */
export type MarketChanges = Partial<MarketText>

const fixedOnceOpen = ['title', 'description', 'tradingStartsAt', 'tradingEndsAt'] as const

export type EditMarket = {
  readonly operator: Operator
  readonly marketSerial: Serial
  readonly changes: MarketChanges
}

export function editMarket(exchange: Exchange, edit: EditMarket): Reject | null {
  const market = exchange.market(edit.marketSerial)
  if (market === undefined) return marketNotFound
  const refused = checkManages(market, edit.operator)
  if (refused !== null) return refused
  const isEarly = market.status === 'DRAFT' || market.status === 'UPCOMING'
  if (!isEarly && fixedOnceOpen.some((field) => edit.changes[field] !== undefined)) {
    return { code: 'MARKET_NOT_EDITABLE', status: market.status }
  }
  const edited = textAfter(market, edit.changes)
  const misplaced = checkWindow(edited)
  if (misplaced !== null) return misplaced

  exchange.begin()
  Object.assign(market, edited)
  market.updatedAt = exchange.now
  scheduleOpening(exchange, market)
  exchange.journal.add({ kind: 'MARKET', market, change: 'EDITED' })
  return null
}

function textAfter(market: Market, changes: MarketChanges): MarketText {
  return {
    title: changes.title ?? market.title,
    description: orKeep(changes.description, market.description),
    imageUrl: orKeep(changes.imageUrl, market.imageUrl),
    categoryId: orKeep(changes.categoryId, market.categoryId),
    metadata: orKeep(changes.metadata, market.metadata),
    tradingStartsAt: orKeep(changes.tradingStartsAt, market.tradingStartsAt),
    tradingEndsAt: orKeep(changes.tradingEndsAt, market.tradingEndsAt),
  }
}

function orKeep<Value>(change: Value | undefined, present: Value): Value {
  return change === undefined ? present : change
}

function checkCurrency({ operator, currency }: CreateMarket): Reject | null {
  const supported = operator.supportedCurrencies
  if (supported.includes(currency)) return null
  return invalid('currency', `${currency} is not supported; must be one of ${supported.join(', ')}`)
}

function checkOutcomes(outcomes: readonly NewOutcomeText[]): Reject | null {
  if (outcomes.length < outcomesMin || outcomes.length > outcomesMax) {
    return invalid(
      'outcomes',
      `must have ${outcomesMin} to ${outcomesMax} items, got ${outcomes.length}`,
    )
  }
  const names = new Set<string>()
  for (const { name } of outcomes) {
    if (names.has(name)) return invalid('outcomes', `duplicate name "${name}"`)
    names.add(name)
  }
  return null
}

function checkWindow({ tradingStartsAt, tradingEndsAt }: MarketText): Reject | null {
  if (tradingStartsAt === null || tradingEndsAt === null) return null
  if (tradingStartsAt < tradingEndsAt) return null
  return invalid('tradingStartsAt', 'must be before tradingEndsAt')
}
