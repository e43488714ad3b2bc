// Generates steps from a seed and the state of the model, so that most of them are valid and some
// are not. The same seed with the same model gives the same steps.

import { Random } from '../support/process/random.ts'
import { brakeWeight, makeBrake, makeSweep } from './generate-controls.ts'
import {
  cancellingGroups,
  groupWeight,
  isAnyTriggered,
  makeContinueGroup,
  makeGroup,
  makeGroupChange,
} from './generate-groups.ts'
import { makeLimits } from './generate-limits.ts'
import { cancelling, makeArm, makeCancelTriggered, makeClear } from './generate-makers.ts'
import {
  anySchedule,
  isWaiting,
  makeAcknowledge,
  makeContinue,
  makeEdit,
  makeFee,
  makeMarket,
  makeMove,
  makeRetry,
  makeWindow,
} from './generate-markets.ts'
import {
  makeAmend,
  makeCancel,
  makeCancelMany,
  makeMint,
  makePlace,
  makeRedeem,
} from './generate-orders.ts'
import { type GeneratorContext, liveMarkets, tradingMarkets } from './generator-context.ts'
import type { Model } from './model.ts'
import { openOrdersOf, type Rules, type Setup, type State } from './model-state.ts'
import type { Step } from './step.ts'

export const defaultRules: Rules = {
  sharesMin: 100,
  sharesMax: 10_000_000,
  priceMin: 100,
  priceMax: 9_900,
  feeRate: 200,
  orderFillsMax: 0,
  groupCancelsMax: 1_000,
  operatorMarketsMax: 0,
  operatorOutcomesMax: 0,
  operatorTextMbMax: 0,
}

/** Of every fifth seed: limits that its operators reach. */
const operatorLimits = { operatorMarketsMax: 4, operatorOutcomesMax: 12, operatorTextMbMax: 1 }

/** By seed: every other one has a limit that its orders meet. */
const fillLimits = [0, 2, 0, 5]

/** By seed, so that some commands leave orders of triggered groups to be cancelled later. */
const groupCancels = [1_000, 1_000, 3, 1, 0]

// The model scans all of its records, so the number of open markets and orders stays small.
const marketsMax = 8
const openOrdersMax = 150

const startMs = Date.UTC(2026, 0, 1)
const names = ['ann', 'bob', 'Zed', 'cid', 'dee', 'zoë', 'eve', 'fay', 'gus']

export class Generator {
  /** The initial state of the model and the exchange. */
  readonly setup: Setup
  readonly #random: Random
  readonly #players: readonly (readonly string[])[]
  readonly #hasBrakes: boolean
  readonly #hasLimits: boolean
  readonly #hasGroups: boolean
  #now = startMs

  constructor(seed: number) {
    const random = new Random(seed)
    const count = random.between(2, 4)
    this.#random = random
    this.#hasBrakes = seed % 3 === 1
    this.#hasLimits = seed % 3 === 0
    // Groups are with brakes, with limits and with neither.
    this.#hasGroups = seed % 4 > 0
    this.setup = {
      operators: Array.from({ length: count }, () => ({
        currencies: random.pick([['USD'], ['USD', 'EUR'], ['EUR', 'USD', 'GBP'], ['EUR']]),
        feeRate: random.pick([null, null, 0, 150, 333]),
        feeSchedule: random.chance(40) ? anySchedule(random) : null,
      })),
      rules: {
        ...defaultRules,
        orderFillsMax: fillLimits[seed % fillLimits.length]!,
        groupCancelsMax: groupCancels[seed % groupCancels.length]!,
        ...(seed % 5 === 3 ? operatorLimits : {}),
      },
    }
    this.#players = this.setup.operators.map((_, operator) =>
      names.slice(operator, operator + random.between(2, 6)),
    )
  }

  next({ state }: Model): { step: Step; now: number } {
    const random = this.#random
    this.#now += this.#pause(state)
    const [hasBrakes, hasLimits, hasGroups] = [this.#hasBrakes, this.#hasLimits, this.#hasGroups]
    const seen = { random, state, players: this.#players, now: this.#now }
    const context = { ...seen, hasBrakes, hasLimits, hasGroups }
    const step = makeStep(context)
    // The clock of a machine may be set back; the exchange must not follow it.
    const isSetBack = random.chance(2)
    return { step, now: isSetBack ? this.#now - random.pick([1, 1_000, 3_600_000]) : this.#now }
  }

  /** Milliseconds from the last step to the next. */
  #pause(state: State): number {
    const random = this.#random
    const how = random.weighted({ none: 76, ms: 10, due: 4, s: 6, min: 2.5, h: 0.2, day: 0.05 })
    if (how === 'none') return 0
    if (how === 'ms') return 1
    if (how === 's') return random.between(1, 20) * 1_000
    if (how === 'min') return random.between(1, 5) * 60_000
    if (how === 'h') return random.between(1, 3) * 3_600_000
    if (how === 'day') return 86_400_000
    const times = dueTimes(state).filter((time) => time > this.#now)
    if (times.length === 0) return 1
    return Math.min(...times) - this.#now - random.pick([0, 0, 1])
  }
}

/** The times of scheduled changes: steps exactly then find the most bugs. */
function dueTimes(state: State): number[] {
  const markets = state.markets.filter(({ status }) => /UPCOMING|OPEN/.test(status))
  return [
    ...state.markets.flatMap(openOrdersOf).map((order) => order.expiresAt),
    ...state.brakes.map(({ until }) => until),
    ...markets.flatMap((market) => [market.tradingStartsAt, market.tradingEndsAt]),
    ...state.deadMen.map(({ deadline }) => deadline),
    ...state.groups.flatMap(({ fills, windowMs }) => {
      return fills.slice(-1).map(({ time }) => time + windowMs)
    }),
  ].filter((time) => time !== null)
}

const makers = {
  place: makePlace,
  cancel: makeCancel,
  cancelMany: makeCancelMany,
  amend: makeAmend,
  mint: makeMint,
  redeem: makeRedeem,
  market: makeMarket,
  move: makeMove,
  edit: makeEdit,
  window: makeWindow,
  continue: makeContinue,
  acknowledge: makeAcknowledge,
  retry: makeRetry,
  fee: makeFee,
  arm: makeArm,
  clear: makeClear,
  cancelTriggered: makeCancelTriggered,
  group: makeGroup,
  groupChange: makeGroupChange,
  continueGroup: makeContinueGroup,
  brake: makeBrake,
  limits: makeLimits,
  sweep: makeSweep,
} satisfies Record<string, (context: GeneratorContext) => Step>

function makeStep(context: GeneratorContext): Step {
  const { random, state } = context
  if (state.markets.length === 0) return makeMarket(context)

  const live = liveMarkets(context).length
  const trading = tradingMarkets(context).length
  const isFull = state.markets.flatMap(openOrdersOf).length >= openOrdersMax
  const isStopped = state.deadMen.some((deadMan) => deadMan.state === 'TRIGGERED')
  const isBusy = state.markets.some((market) => isWaiting(state, market))
  const isSweeping = state.brakes.some(({ left }) => left !== null)
  const maker = random.weighted({
    place: trading === 0 ? 5 : isFull ? 20 : 64,
    cancel: isFull ? 60 : 13,
    cancelMany: 0.7,
    amend: trading === 0 ? 1 : 12,
    mint: trading === 0 ? 1 : 5,
    redeem: 2,
    market: live >= marketsMax ? 0 : live < 4 ? 8 : 2,
    move: trading === 0 ? 25 : 6,
    edit: 1.4,
    window: 0.8,
    continue: isBusy ? 6 : 0.3,
    acknowledge: 1.5,
    retry: 1.2,
    fee: 0.8,
    arm: isStopped ? 25 : 1.5,
    clear: isStopped ? 8 : 0.4,
    cancelTriggered: cancelling(state).length > 0 ? 12 : 0.2,
    group: groupWeight(context),
    groupChange: context.hasGroups ? (isAnyTriggered(state) ? 8 : 0.5) : 0,
    continueGroup: context.hasGroups ? (cancellingGroups(state).length > 0 ? 10 : 0.1) : 0,
    brake: brakeWeight(context),
    limits: context.hasLimits ? 2.5 : 0,
    sweep: context.hasBrakes ? (isSweeping ? 12 : 0.1) : 0,
  })
  return makers[maker](context)
}
