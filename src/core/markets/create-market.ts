// Creating a market with its outcomes, and editing what may be edited.

import type { Serial } from '../ids.ts'
import { invalid, marketNotFound, type Reject } from '../reject.ts'
import { checkManages } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market, MarketTerms, MarketText, StoredBytes, StoredText } from '../state/market.ts'
import { bytesOf, countMarket, lengthOf, textBytesOf } from '../state/market-counts.ts'
import { writeUpdated } from '../state/market-status.ts'
import type { Operator } from '../state/operator.ts'
import type { MarketStatus } from '../words.ts'
import { checkGrowth } from './operator-limits.ts'
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

export const yesAndNo: readonly NewOutcomeText[] = [
  { name: 'Yes', description: null },
  { name: 'No', description: null },
]

/** The fact of the command names the new market. */
export function createMarket(exchange: Exchange, create: CreateMarket): Reject | null {
  const { operator, title, categoryId, description, imageUrl, metadata } = create
  const { feeSchedule = null, priceBand = null } = create
  const outcomes = create.outcomes ?? yesAndNo
  const outcomeDescriptions = outcomes.map((outcome) => outcome.description)
  const storedBytes: StoredBytes = {
    description: lengthOf(description),
    imageUrl: lengthOf(imageUrl),
    metadata: lengthOf(metadata),
    outcomeDescriptions: outcomeDescriptions.reduce((sum, text) => sum + lengthOf(text), 0),
  }
  const rejection =
    checkCurrency(create) ??
    checkOutcomes(outcomes) ??
    checkWindow(create) ??
    checkGrowth(exchange, operator, {
      markets: 1,
      outcomes: outcomes.length,
      textBytes: textBytesOf({ title, outcomes, storedBytes }),
    })
  if (rejection !== null) return rejection

  exchange.begin()
  const market = exchange.addMarket({
    serial: exchange.nextSerial(),
    createdAt: exchange.now,
    owner: operator,
    currency: create.currency,
    isShared: create.isShared,
    hasCompleteSetMatching: create.hasCompleteSetMatching,
    title,
    categoryId,
    tradingStartsAt: create.tradingStartsAt,
    tradingEndsAt: create.tradingEndsAt,
    storedBytes,
    feeSchedule,
    priceBand,
  })
  for (const [index, { name }] of outcomes.entries()) {
    const serial = exchange.nextSerial()
    exchange.addBook(market, { index, serial, createdAt: exchange.now, name })
  }
  countMarket(market, 1)
  const text = { description, imageUrl, metadata }
  const { hasPublicPage = false } = create
  const statesFees = feeSchedule !== null
  const statesBand = priceBand !== null
  const stored = { text, outcomeDescriptions, hasPublicPage, statesFees, statesBand }
  const created = { change: 'CREATED', title, categoryId, ...stored } as const
  exchange.journal.add({ kind: 'MARKET', market, ...created })
  return null
}

/** A field that is not there stays as it is; null clears it. */
export type MarketChanges = Partial<MarketText>

const fixedOnceOpen = [
  'title',
  'description',
  'tradingStartsAt',
  'tradingEndsAt',
  'feeSchedule',
] as const

const bandIsFixed: readonly MarketStatus[] = ['RESOLVED', 'SETTLED', 'CANCELLED']

export type EditMarket = {
  readonly operator: Operator
  readonly marketSerial: Serial
  readonly changes: MarketChanges
}

export function editMarket(exchange: Exchange, edit: EditMarket): Reject | null {
  const { changes } = edit
  const market = exchange.market(edit.marketSerial)
  if (market === undefined) return marketNotFound
  const rejection = checkManages(market, edit.operator)
  if (rejection !== null) return rejection
  const isEarly = market.status === 'DRAFT' || market.status === 'UPCOMING'
  if (!isEarly && fixedOnceOpen.some((field) => changes[field] !== undefined)) {
    return { code: 'MARKET_NOT_EDITABLE', status: market.status }
  }
  if (changes.priceBand !== undefined && bandIsFixed.includes(market.status)) {
    return { code: 'MARKET_NOT_EDITABLE', status: market.status, field: 'priceBand' }
  }
  const terms = termsAfter(market, changes)
  const text = storedTextOf(changes)
  const storedBytes = { ...market.storedBytes, ...bytesOf(text) }
  const outOfBounds = checkWindow(terms) ?? checkText(exchange, market, { ...terms, storedBytes })
  if (outOfBounds !== null) return outOfBounds

  exchange.begin()
  if (!market.hasEnded) countMarket(market, -1)
  Object.assign(market, terms)
  market.feeSchedule = orKeep(changes.feeSchedule, market.feeSchedule)
  market.storedBytes = storedBytes
  if (!market.hasEnded) countMarket(market, 1)
  market.updatedAt = exchange.now
  scheduleOpening(exchange, market)
  const { hasPublicPage = null } = changes
  const statesFees = changes.feeSchedule !== undefined
  const statesBand = changeBand(market, changes.priceBand)
  const stated = { text, hasPublicPage, statesFees, statesBand }
  exchange.journal.add({ kind: 'MARKET', market, change: 'EDITED', ...stated })
  if (statesBand) writeUpdated(exchange, market, null)
  return null
}

// Returns whether it is another one now.
function changeBand(market: Market, to: MarketText['priceBand']): boolean {
  const { priceBand } = market
  if (to === undefined) return false
  const isSame =
    to?.maxMove === priceBand?.maxMove && to?.suspendOnBand === priceBand?.suspendOnBand
  market.priceBand = to
  return !isSame
}

function termsAfter(market: Market, changes: MarketChanges): MarketTerms {
  return {
    title: changes.title ?? market.title,
    categoryId: orKeep(changes.categoryId, market.categoryId),
    tradingStartsAt: orKeep(changes.tradingStartsAt, market.tradingStartsAt),
    tradingEndsAt: orKeep(changes.tradingEndsAt, market.tradingEndsAt),
  }
}

function orKeep<Value>(change: Value | undefined, present: Value): Value {
  return change === undefined ? present : change
}

// Those of the changes that are not in memory.
function storedTextOf({ description, imageUrl, metadata }: MarketChanges): Partial<StoredText> {
  return {
    ...(description === undefined ? {} : { description }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

// The text of a market that has ended does not count.
function checkText(
  exchange: Exchange,
  market: Market,
  { title, storedBytes }: { readonly title: string; readonly storedBytes: StoredBytes },
): Reject | null {
  if (market.hasEnded) return null
  const outcomes = market.books
  const before = textBytesOf({ title: market.title, outcomes, storedBytes: market.storedBytes })
  const after = textBytesOf({ title, outcomes, storedBytes })
  const growth = { markets: 0, outcomes: 0, textBytes: after - before }
  return checkGrowth(exchange, market.owner, growth)
}

function checkCurrency({ operator, currency }: CreateMarket): Reject | null {
  const supported = operator.supportedCurrencies
  if (supported.includes(currency)) return null
  return invalid('currency', `${currency} is not supported; must be one of ${supported.join(', ')}`)
}

export function checkOutcomes(outcomes: readonly NewOutcomeText[]): Reject | null {
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

type Window = Pick<MarketTerms, 'tradingStartsAt' | 'tradingEndsAt'>

export function checkWindow({ tradingStartsAt, tradingEndsAt }: Window): Reject | null {
  if (tradingStartsAt === null || tradingEndsAt === null) return null
  if (tradingStartsAt < tradingEndsAt) return null
  return invalid('tradingStartsAt', 'must be before tradingEndsAt')
}
