// Steps of operators: making markets, editing them, leading them through their lives, and seeing to
// settlements. Mostly what fits the market's status, now and then what does not.

import { anyMarket, anyOperator, liveMarkets, type Scene } from './generator-context.ts'
import { isBeingSettled } from './model-settle.ts'
import { isForgotten, type Market, type StepOf } from './model-state.ts'

export function makeMarket(scene: Scene): StepOf<'createMarket'> {
  const { random, state, now } = scene
  const operator = anyOperator(scene)
  const { currencies } = state.operators[operator]!
  const startsAt = random.chance(35) ? now + random.between(-2, 30) * 31_000 : null
  const endsAt = random.chance(30) ? now + random.between(0, 240) * 61_000 : null
  return {
    do: 'createMarket',
    operator,
    title: `Question ${state.markets.length}`,
    currency: random.pick(random.chance(92) ? currencies : ['USD', 'EUR', 'GBP', 'JPY']),
    outcomes: anyNames(scene),
    tradingStartsAt: startsAt,
    tradingEndsAt: endsAt,
    isShared: random.chance(60),
    hasCompleteSets: random.chance(50),
  }
}

export function makeEdit(scene: Scene): StepOf<'edit'> {
  const { random, now } = scene
  const early = liveMarkets(scene).filter(({ status }) => /DRAFT|UPCOMING/.test(status))
  const market = early.length > 0 && random.chance(75) ? random.pick(early).number : undefined
  const soon = random.chance(20) ? null : now + random.between(-3, 20) * 5_000
  const changes = random.pick<StepOf<'edit'>['changes']>([
    { title: 'Another question' },
    { description: null, imageUrl: 'https://example.com/a.png' },
    { imageUrl: 'https://example.com/b.png' },
    { imageUrl: null },
    { tradingStartsAt: soon },
    { tradingStartsAt: soon },
    { tradingEndsAt: soon },
    { tradingStartsAt: now + 1, tradingEndsAt: now + 60_000 },
    { title: 'Backwards', tradingStartsAt: now + 1, tradingEndsAt: now + 1 },
  ])
  return { do: 'edit', ...managed(scene, market), changes }
}

type Move = StepOf<'open' | 'resume' | 'close' | 'suspend' | 'cancelMarket' | 'resolve' | 'settle'>
type Deed = Move['do']

const deeds: readonly Deed[] = [
  'open',
  'resume',
  'close',
  'suspend',
  'cancelMarket',
  'resolve',
  'settle',
]

/** The next thing in the life of a market, or something out of turn. */
export function makeMove(scene: Scene): Move {
  const { random } = scene
  const live = liveMarkets(scene).filter((market) => !isWaiting(market))
  if (live.length === 0 || random.chance(12)) {
    return asMove(scene, random.pick(deeds), managed(scene, undefined))
  }
  const drafts = live.filter(({ status }) => status === 'DRAFT')
  const market = random.pick(drafts.length > 0 && random.chance(50) ? drafts : live)
  return asMove(scene, nextDeed(scene, market), managed(scene, market.number))
}

export function makeContinue(scene: Scene): StepOf<'continue'> {
  const { random, state } = scene
  const waiting = state.markets.filter(isWaiting)
  const isIdle = waiting.length === 0 || random.chance(4)
  const market = isIdle ? random.between(0, state.markets.length - 1) : random.pick(waiting).number
  return { do: 'continue', market, atMost: random.pick([1, 1, 2, 3, 5, 10, 40]) }
}

export function makeAcknowledge(scene: Scene): StepOf<'acknowledge'> {
  const { random, state } = scene
  const last = state.settlements.length - 1
  const isUnknown = last < 0 || random.chance(4)
  const number = isUnknown ? last + 1 : random.between(Math.max(0, last - 60), last)
  const owner = state.settlements[number]?.position.operator ?? 0
  return {
    do: 'acknowledge',
    operator: random.chance(88) ? owner : anyOperator(scene),
    settlement: number,
    status: random.chance(70) ? 'FAILED' : 'COMPLETED',
  }
}

export function makeRetry(scene: Scene): StepOf<'retrySettlements'> {
  const { random, state } = scene
  const failed = state.settlements.filter(({ status }) => status === 'FAILED')
  const fitting = failed.length > 0 && random.chance(90) ? failed : state.settlements
  const isAimed = fitting.length > 0 && random.chance(85)
  const market = isAimed ? random.pick(fitting).position.market.number : undefined
  return { do: 'retrySettlements', ...managed(scene, market), atMost: random.between(1, 3) }
}

export function makeFee(scene: Scene): StepOf<'setFee'> {
  const feeRate = scene.random.pick([null, 0, 1, 175, 200, 10_000])
  return { do: 'setFee', operator: anyOperator(scene), feeRate }
}

/** Whether slices of a cancellation or a settlement are still to be done. */
export function isWaiting(market: Market): boolean {
  return isBeingSettled(market) || (market.status === 'CANCELLED' && !isForgotten(market))
}

type Managed = { readonly operator: number; readonly market: number }

/** A market, any one if none is named, and mostly its owner. */
function managed(scene: Scene, named: number | undefined): Managed {
  const market = named ?? anyMarket(scene)
  const owner = scene.state.markets[market]?.owner
  if (owner === undefined || scene.random.chance(10)) {
    return { operator: anyOperator(scene), market }
  }
  return { operator: owner, market }
}

function nextDeed({ random }: Scene, { status }: Market): Deed {
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

function asMove({ random, state }: Scene, deed: Deed, aim: Managed): Move {
  const outcomes = state.markets[aim.market]?.books.length ?? 2
  switch (deed) {
    case 'suspend':
    case 'cancelMarket':
      return { do: deed, ...aim, reason: random.pick(['Rain', 'A dispute']) }
    case 'resolve': {
      const winner = random.chance(6) ? outcomes : random.between(0, outcomes - 1)
      const payouts = random.chance(45) ? anyPayouts(random, outcomes) : null
      const notes = random.pick([null, 'Close'])
      return { do: deed, ...aim, winner, payouts, source: 'The press', notes }
    }
    default:
      return { do: deed, ...aim }
  }
}

/** Mostly a whole unit over some of the outcomes; now and then a tick too many, or one twice. */
function anyPayouts(random: Scene['random'], outcomes: number): StepOf<'resolve'>['payouts'] {
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

function anyNames({ random }: Scene): string[] | null {
  const how = random.weighted({ leftOut: 30, some: 62, single: 3, double: 3, tooMany: 2 })
  if (how === 'leftOut') return null
  if (how === 'single') return ['Alone']
  if (how === 'double') return ['Twice', 'Once', 'Twice']
  const count = how === 'some' ? random.between(2, 6) : 257
  return Array.from({ length: count }, (_, index) => `Answer ${index}`)
}
