// Steps of operators: creating, editing and managing markets, and settlements. Most are valid for
// the status of the market, some are not.

import { anyMarket, anyOperator, type GeneratorContext, liveMarkets } from './generator-context.ts'
import { isCounted } from './model-limits.ts'
import { isBeingSettled } from './model-settle.ts'
import { isEnded, type Market, type State, type StepOf } from './model-state.ts'
import type { FeeSchedule, PriceBand } from './step.ts'

// A few of them exceed the limit of 1 MB, in characters of one to four bytes.
const longTexts = [null, '', 'x'.repeat(400_000), 'é'.repeat(150_000), '😀'.repeat(90_000)]
const longEdits: StepOf<'edit'>['changes'][] = [
  ...longTexts.map((description) => ({ description })),
  ...longTexts.map((imageUrl) => ({ imageUrl })),
  { description: null, imageUrl: '€'.repeat(100_000) },
]

function hasLimits({ rules }: State): boolean {
  return rules.operatorMarketsMax > 0
}

export function makeMarket(context: GeneratorContext): StepOf<'createMarket'> {
  const { random, state, now } = context
  const operator = anyOperator(context)
  const { currencies } = state.operators[operator]!
  const startsAt = random.chance(35) ? now + random.between(-2, 30) * 31_000 : null
  const endsAt = random.chance(30) ? now + random.between(0, 240) * 61_000 : null
  return {
    do: 'createMarket',
    operator,
    title: `Question ${state.markets.length}`,
    description: hasLimits(state) ? random.pick(longTexts) : null,
    currency: random.pick(random.chance(92) ? currencies : ['USD', 'EUR', 'GBP', 'JPY']),
    outcomes: anyNames(context),
    tradingStartsAt: startsAt,
    tradingEndsAt: endsAt,
    isShared: random.chance(60),
    hasCompleteSets: random.chance(50),
    feeSchedule: random.chance(25) ? anySchedule(random) : null,
    priceBand: random.chance(45) ? anyBand(random) : null,
  }
}

export function makeEdit(context: GeneratorContext): StepOf<'edit'> {
  const { random, state, now } = context
  const early = liveMarkets(context).filter(({ status }) => /DRAFT|UPCOMING/.test(status))
  const soon = random.chance(20) ? null : now + random.between(-3, 20) * 5_000
  const changes = random.pick<StepOf<'edit'>['changes']>([
    { title: 'Another question' },
    { description: null, imageUrl: 'https://example.com/a.png' },
    { imageUrl: 'https://example.com/b.png' },
    { imageUrl: null },
    { feeSchedule: anySchedule(random) },
    { priceBand: anyBand(random) },
    { priceBand: anyBand(random) },
    { tradingStartsAt: soon },
    { tradingStartsAt: soon },
    { tradingEndsAt: soon },
    { tradingStartsAt: now + 1, tradingEndsAt: now + 60_000 },
    { title: 'Backwards', tradingStartsAt: now + 1, tradingEndsAt: now + 1 },
    ...(hasLimits(state) ? longEdits : []),
  ])
  const isAimed = early.length > 0 && !('priceBand' in changes) && random.chance(75)
  const market = isAimed ? random.pick(early).number : undefined
  return { do: 'edit', ...managed(context, market), changes }
}

/** Mostly of a market that has opened: its end moves, or trading that has ended goes on. */
export function makeWindow(context: GeneratorContext): StepOf<'changeWindow'> {
  const { random, now } = context
  const opened = liveMarkets(context).filter(({ status }) => /OPEN|SUSPENDED/.test(status))
  const market = opened.length > 0 && random.chance(88) ? random.pick(opened).number : undefined
  const later = random.pick([-5_000, -1, 0, 1, 2, 5_000, 60_000, 600_000, 14_400_000])
  const reason = random.pick(['Extra time', 'Rain'])
  return { do: 'changeWindow', ...managed(context, market), tradingEndsAt: now + later, reason }
}

type Move = StepOf<'open' | 'resume' | 'close' | 'suspend' | 'cancelMarket' | 'resolve' | 'settle'>
type Action = Move['do']

const actions: readonly Action[] = [
  'open',
  'resume',
  'close',
  'suspend',
  'cancelMarket',
  'resolve',
  'settle',
]

/** The next status change of a market, or one that is not allowed yet. */
export function makeMove(context: GeneratorContext): Move {
  const { random } = context
  const live = liveMarkets(context).filter((market) => !isWaiting(context.state, market))
  if (live.length === 0 || random.chance(12)) {
    return asMove(context, random.pick(actions), managed(context, undefined))
  }
  const drafts = live.filter(({ status }) => status === 'DRAFT')
  const market = random.pick(drafts.length > 0 && random.chance(50) ? drafts : live)
  return asMove(context, nextAction(context, market), managed(context, market.number))
}

export function makeContinue(context: GeneratorContext): StepOf<'continue'> {
  const { random, state } = context
  const waiting = state.markets.filter((market) => isWaiting(state, market))
  const isIdle = waiting.length === 0 || random.chance(4)
  const market = isIdle ? random.between(0, state.markets.length - 1) : random.pick(waiting).number
  return { do: 'continue', market, atMost: random.pick([1, 1, 2, 3, 5, 10, 40]) }
}

export function makeAcknowledge(context: GeneratorContext): StepOf<'acknowledge'> {
  const { random, state } = context
  const last = state.settlements.length - 1
  const isUnknown = last < 0 || random.chance(4)
  const number = isUnknown ? last + 1 : random.between(Math.max(0, last - 60), last)
  const owner = state.settlements[number]?.position.operator ?? 0
  return {
    do: 'acknowledge',
    operator: random.chance(88) ? owner : anyOperator(context),
    settlement: number,
    status: random.chance(70) ? 'FAILED' : 'COMPLETED',
  }
}

export function makeRetry(context: GeneratorContext): StepOf<'retrySettlements'> {
  const { random, state } = context
  const failed = state.settlements.filter(({ status }) => status === 'FAILED')
  const fitting = failed.length > 0 && random.chance(90) ? failed : state.settlements
  const isAimed = fitting.length > 0 && random.chance(85)
  const market = isAimed ? random.pick(fitting).position.market.number : undefined
  return { do: 'retrySettlements', ...managed(context, market), atMost: random.between(1, 3) }
}

export function makeFee(context: GeneratorContext): StepOf<'setFee'> {
  const feeRate = context.random.pick([null, 0, 1, 175, 200, 10_000])
  const feeSchedule = anySchedule(context.random)
  return { do: 'setFee', operator: anyOperator(context), feeRate, feeSchedule }
}

/** Often none. Rates with many digits show a fee that is rounded wrongly. */
export function anySchedule(random: GeneratorContext['random']): FeeSchedule | null {
  const rates = [0, 1, 77, 333, 700, 9_999, 10_000]
  const model = random.pick([null, 'LINEAR', 'QUADRATIC', 'QUADRATIC'] as const)
  if (model === null) return null
  return { model, takerRate: random.pick(rates), makerRate: random.pick(rates) }
}

/** Mostly a narrow one; sometimes none. */
function anyBand(random: GeneratorContext['random']): PriceBand | null {
  if (random.chance(15)) return null
  const maxMove = random.pick([1, 25, 50, 100, 150, 200, 300, 1_000, 9_900])
  return { maxMove, suspendOnBand: random.chance(20) }
}

/** Whether the job of a cancellation or a settlement is not done. */
export function isWaiting(state: State, market: Market): boolean {
  if (isBeingSettled(market)) return true
  if (market.status !== 'CANCELLED') return false
  return !isEnded(market) || (hasLimits(state) && isCounted(market))
}

type Managed = { readonly operator: number; readonly market: number }

/** The named market or any, mostly with its owner. */
function managed(context: GeneratorContext, named: number | undefined): Managed {
  const market = named ?? anyMarket(context)
  const owner = context.state.markets[market]?.owner
  if (owner === undefined || context.random.chance(10)) {
    return { operator: anyOperator(context), market }
  }
  return { operator: owner, market }
}

function nextAction({ random }: GeneratorContext, { status }: Market): Action {
  switch (status) {
    case 'DRAFT':
      return random.chance(93) ? 'open' : 'cancelMarket'
    case 'UPCOMING':
      return random.chance(80) ? 'open' : 'cancelMarket'
    case 'OPEN':
      return random.weighted({ suspend: 38, close: 42, cancelMarket: 20 })
    case 'SUSPENDED':
      return random.weighted({ resume: 75, close: 17, cancelMarket: 8 })
    case 'CLOSED':
      return random.chance(88) ? 'resolve' : 'cancelMarket'
    default:
      return 'settle'
  }
}

function asMove({ random, state }: GeneratorContext, action: Action, aim: Managed): Move {
  const outcomes = state.markets[aim.market]?.books.length ?? 2
  switch (action) {
    case 'suspend':
    case 'cancelMarket':
      return { do: action, ...aim, reason: random.pick(['Rain', 'A dispute']) }
    case 'resolve': {
      const winner = random.chance(6) ? outcomes : random.between(0, outcomes - 1)
      const payouts = random.chance(45) ? anyPayouts(random, outcomes) : null
      const notes = random.pick([null, 'Close'])
      return { do: action, ...aim, winner, payouts, source: 'The press', notes }
    }
    default:
      return { do: action, ...aim }
  }
}

/** Mostly payouts that add up to one unit; sometimes a tick too many, or an outcome twice. */
function anyPayouts(
  random: GeneratorContext['random'],
  outcomes: number,
): StepOf<'resolve'>['payouts'] {
  const payouts: { outcome: number; payout: number }[] = []
  let left = 10_000
  for (let outcome = 0; outcome < outcomes - 1; outcome += 1) {
    if (random.chance(30)) continue
    const payout = random.chance(20) ? 0 : random.between(0, left)
    payouts.push({ outcome, payout })
    left -= payout
  }
  payouts.push({ outcome: outcomes - 1, payout: left })
  const how = random.weighted({ right: 88, short: 3, long: 3, twice: 3, foreign: 3 })
  if (how === 'short' || how === 'long') payouts[0]!.payout += how === 'short' ? -1 : 1
  if (how === 'twice') payouts.push({ outcome: payouts[0]!.outcome, payout: 0 })
  if (how === 'foreign') payouts.push({ outcome: outcomes, payout: 0 })
  return payouts
}

function anyNames({ random }: GeneratorContext): string[] | null {
  const how = random.weighted({ leftOut: 30, some: 62, single: 3, double: 3, tooMany: 2 })
  if (how === 'leftOut') return null
  if (how === 'single') return ['Alone']
  if (how === 'double') return ['Twice', 'Once', 'Twice']
  const count = how === 'some' ? random.between(2, 6) : 257
  return Array.from({ length: count }, (_, index) => `Answer ${index}`)
}
