// The exchange as a subject of the simulator. It records what was created, so that steps can refer
// to records by number, and replaces the store where the core relies on one.

import { changeControls } from '../../src/core/controls/change-controls.ts'
import { continueSweep } from '../../src/core/controls/sweep.ts'
import { placementOf } from '../../src/core/events/answer.ts'
import { expand, recordEvents, storedRecordOf } from '../../src/core/events/events.ts'
import type { FeeSchedule } from '../../src/core/fee.ts'
import { Ids } from '../../src/core/ids.ts'
import {
  createMarket,
  editMarket,
  type MarketChanges,
} from '../../src/core/markets/create-market.ts'
import { type ManageMarket, manage } from '../../src/core/markets/lifecycle.ts'
import { advance } from '../../src/core/markets/schedule.ts'
import { changeSets } from '../../src/core/markets/sets.ts'
import { continueJob, settle } from '../../src/core/markets/settle.ts'
import { acknowledge, retrySettlements } from '../../src/core/markets/settlement.ts'
import { changeTradingWindow } from '../../src/core/markets/trading-window.ts'
import type { FeeRate, Price, Shares } from '../../src/core/money.ts'
import { amend } from '../../src/core/orders/amend.ts'
import { cancel } from '../../src/core/orders/cancel.ts'
import { cancelMany } from '../../src/core/orders/cancel-many.ts'
import {
  armDeadMan,
  cancelTriggered,
  clearDeadMan,
  type DeadManScope,
} from '../../src/core/orders/dead-man.ts'
import { packOptions } from '../../src/core/orders/options.ts'
import type { Reject } from '../../src/core/reject.ts'
import { check } from '../../src/core/snapshot/check.ts'
import { load } from '../../src/core/snapshot/load.ts'
import { hashOf, save } from '../../src/core/snapshot/save.ts'
import type { ControlsHolder } from '../../src/core/state/controls.ts'
import { Exchange } from '../../src/core/state/exchange.ts'
import type { Market } from '../../src/core/state/market.ts'
import type { Operator } from '../../src/core/state/operator.ts'
import { serial } from '../support/core/steps.ts'
import { CoreGroups } from './core-groups.ts'
import { viewOf } from './core-view.ts'
import { CreatedRecords, numberOf } from './created-records.ts'
import { assertWithinLimits } from './limits-check.ts'
import type { Setup } from './model-state.ts'
import { placeAfterPreview } from './preview-check.ts'
import {
  type Holder,
  type Result,
  type Step,
  type Subject,
  type TestEvent,
  transactionIdOf,
  type View,
} from './step.ts'

type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>

/** How many due things a turn takes at most; small, so that the limit is met. */
const dueAtMost = 3
const slicesMax = 10_000
const unknownSerial = serial(0)

export class CoreSubject implements Subject {
  readonly exchange: Exchange
  readonly #made: CreatedRecords
  readonly #groups: CoreGroups
  #brakes = 0

  constructor({ operators, rules }: Setup) {
    const ids = new Ids({ shard: 5, key: [0x1234567, 0x89abcde] })
    this.exchange = new Exchange(
      {
        sharesMin: rules.sharesMin as Shares,
        sharesMax: rules.sharesMax as Shares,
        priceMin: rules.priceMin as Price,
        priceMax: rules.priceMax as Price,
        feeRate: rules.feeRate as FeeRate,
        orderFillsMax: rules.orderFillsMax,
        groupCancelsMax: rules.groupCancelsMax,
        operatorMarketsMax: rules.operatorMarketsMax,
        operatorOutcomesMax: rules.operatorOutcomesMax,
        operatorTextMbMax: rules.operatorTextMbMax,
      },
      ids,
    )
    this.#made = new CreatedRecords(this.exchange)
    this.#groups = new CoreGroups(this.exchange, this.#made.groups)
    for (const [number, { currencies, feeRate, feeSchedule }] of operators.entries()) {
      this.exchange.putOperator({
        id: `operator-${number}`,
        supportedCurrencies: currencies,
        feeRate: feeRate as FeeRate | null,
        feeSchedule: feeSchedule as FeeSchedule | null,
      })
    }
  }

  step(step: Step, now: number): Result {
    const { exchange } = this
    const events: TestEvent[] = []
    for (let slices = 0; !advance(exchange, now, dueAtMost); slices += 1) {
      if (slices > slicesMax) throw new Error('What is due does not get less.')
      this.#endTurn(events)
    }
    this.#endTurn(events)
    const reject = this.#take(step)
    if (reject === null) this.#checkLimits(step)
    this.#endTurn(events)
    check(exchange)
    return { reject: reject === null ? null : rejectionOf(reject), events }
  }

  view(now: number): View {
    return viewOf(this.exchange, this.#made, now)
  }

  /** What each operator paid in fees, by number, in units of 1e-10. */
  fees(): readonly bigint[] {
    return this.#made.fees
  }

  get hash(): string {
    return hashOf(this.exchange)
  }

  /** Throws the memory away and rebuilds it from its records, as after a failed commit. */
  rebuild(): void {
    const hash = hashOf(this.exchange)
    const records = structuredClone(save(this.exchange))
    this.exchange.clear()
    load(this.exchange, records)
    const again = hashOf(this.exchange)
    if (again !== hash)
      throw new Error(`The state hash was ${hash} and is ${again} after a rebuild.`)
  }

  #take(step: Step): Reject | null {
    const { exchange } = this
    switch (step.do) {
      case 'createMarket':
        return this.#create(step)
      case 'edit':
        return editMarket(exchange, { ...this.#managed(step), changes: changesOf(step) })
      case 'changeWindow': {
        const { tradingEndsAt, reason } = step
        return changeTradingWindow(exchange, { ...this.#managed(step), tradingEndsAt, reason })
      }
      case 'open':
      case 'resume':
      case 'close':
        return manage(exchange, { ...this.#managed(step), action: step.do })
      case 'suspend':
        return manage(exchange, { ...this.#managed(step), action: 'suspend', reason: step.reason })
      case 'cancelMarket':
        return manage(exchange, { ...this.#managed(step), action: 'cancel', reason: step.reason })
      case 'resolve':
        return this.#resolve(step)
      case 'settle':
        return settle(exchange, this.#managed(step))
      case 'continue':
        continueJob(exchange, this.#market(step.market)!, step.atMost)
        return null
      case 'acknowledge':
        return this.#acknowledge(step)
      case 'retrySettlements':
        return retrySettlements(exchange, this.#managed(step), step.atMost)
      case 'place':
        return this.#place(step)
      case 'cancel':
        return this.#cancel(step)
      case 'cancelMany':
        this.#cancelMany(step)
        return null
      case 'amend':
        return this.#amend(step)
      case 'mint':
      case 'redeem':
        return this.#changeSets(step)
      case 'armDeadMan':
        return armDeadMan(exchange, { ...this.#scope(step), timeoutMs: step.timeoutMs })
      case 'clearDeadMan':
        return clearDeadMan(exchange, this.#scope(step))
      case 'cancelTriggered': {
        const deadMan = this.#operator(step.operator).deadMen?.get(step.player)
        const isWaiting = deadMan !== undefined && exchange.cancelling.has(deadMan)
        if (isWaiting) cancelTriggered(exchange, deadMan, step.atMost)
        return null
      }
      case 'createGroup':
      case 'changeGroup':
      case 'continueGroup':
        return this.#groups.take(step, (number) => this.#operator(number))
      case 'brake':
        return this.#brake(step)
      case 'sweep':
        this.#sweep(step)
        return null
      case 'setFee':
        this.#setFee(step)
        return null
    }
  }

  #create(step: StepOf<'createMarket'>): Reject | null {
    return createMarket(this.exchange, {
      operator: this.#operator(step.operator),
      title: step.title,
      description: step.description,
      imageUrl: null,
      categoryId: null,
      metadata: null,
      tradingStartsAt: step.tradingStartsAt,
      tradingEndsAt: step.tradingEndsAt,
      currency: step.currency,
      outcomes: step.outcomes?.map((name) => ({ name, description: null })) ?? null,
      isShared: step.isShared,
      hasCompleteSetMatching: step.hasCompleteSets,
      feeSchedule: step.feeSchedule as FeeSchedule | null,
      priceBand: step.priceBand,
    })
  }

  #resolve(step: StepOf<'resolve'>): Reject | null {
    const { winner, source, notes, payouts } = step
    const books = this.#market(step.market)?.books ?? []
    const outcomeSerial = (outcome: number) =>
      books[outcome]?.serial ?? serial(unknownSerial - 1 - outcome)
    const resolution = { action: 'resolve' as const, source, notes, ...this.#managed(step) }
    if (payouts === null) {
      return manage(this.exchange, { ...resolution, winningOutcomeSerial: outcomeSerial(winner) })
    }
    const named = payouts.map(({ outcome, payout }) => {
      return { outcomeSerial: outcomeSerial(outcome), payoutPerShare: payout }
    })
    return manage(this.exchange, { ...resolution, payouts: named })
  }

  #acknowledge(step: StepOf<'acknowledge'>): Reject | null {
    const known = this.#made.settlements[step.settlement]
    if (known === undefined) return { code: 'SETTLEMENT_NOT_FOUND' }
    return acknowledge(this.exchange, {
      operator: this.#operator(step.operator),
      marketSerial: known.marketId,
      settlement: known.record,
      status: step.status,
    })
  }

  #place(step: StepOf<'place'>): Reject | null {
    const market = this.#made.markets[step.market] ?? unknownSerial
    return placeAfterPreview(this.exchange, {
      operator: this.#operator(step.operator),
      marketSerial: market,
      outcomeSerial: this.exchange.market(market)?.books[step.outcome]?.serial ?? unknownSerial,
      playerId: step.player,
      side: step.side,
      type: step.type,
      shares: (step.amount === null ? step.shares : 0) as Shares,
      ...(step.amount === null ? {} : { amount: step.amount }),
      price: step.price as Price | null,
      expiresAt: step.expiresAt,
      options: packOptions(step),
      transactionId: transactionIdOf(step, this.#made.orders.length),
      orderGroupSerial: step.group === null ? null : this.#groups.serialOf(step.group),
    })
  }

  // A closed order is not in memory: the list of what was made answers for the store.
  #cancel(step: StepOf<'cancel'>): Reject | null {
    const operator = this.#operator(step.operator)
    const known = this.#made.orders[step.order]
    const reject = cancel(this.exchange, operator, known?.serial ?? unknownSerial)
    if (reject === null || known?.operator !== step.operator) return reject
    return { code: 'ORDER_CANNOT_CANCEL', status: 'CANCELLED' }
  }

  #cancelMany({ operator, orders }: StepOf<'cancelMany'>): void {
    const serials = orders.map((order) => this.#made.orders[order]?.serial ?? unknownSerial)
    cancelMany(this.exchange, this.#operator(operator), serials)
  }

  #amend(step: StepOf<'amend'>): Reject | null {
    const known = this.#made.orders[step.order]
    const reject = amend(this.exchange, {
      operator: this.#operator(step.operator),
      orderSerial: known?.serial ?? unknownSerial,
      shares: step.shares as Shares | null,
      price: step.price as Price | null,
    })
    if (reject?.code !== 'ORDER_NOT_FOUND' || known?.operator !== step.operator) return reject
    return { code: 'ORDER_CANNOT_AMEND', status: 'CANCELLED' }
  }

  #changeSets(step: StepOf<'mint' | 'redeem'>): Reject | null {
    return changeSets(this.exchange, {
      kind: step.do === 'mint' ? 'MINT' : 'REDEEM',
      ...this.#managed(step),
      playerId: step.player,
      shares: step.shares as Shares,
      transactionId: null,
    })
  }

  #brake({ holder, ...terms }: StepOf<'brake'>): Reject | null {
    this.#brakes += 1
    const version = holder.kind === 'EXCHANGE' ? { version: this.#brakes } : {}
    const command = { ...terms, ...version, holder: holderOf(holder) }
    return changeControls(this.exchange, command)
  }

  #sweep({ holder, atMost }: StepOf<'sweep'>): void {
    const controls = this.exchange.knownControlsOf(holderOf(holder))
    if (controls !== null) continueSweep(this.exchange, controls, atMost)
  }

  #setFee({ operator, ...fees }: StepOf<'setFee'>): void {
    const { id, supportedCurrencies } = this.#operator(operator)
    const feeRate = fees.feeRate as FeeRate | null
    const feeSchedule = fees.feeSchedule as FeeSchedule | null
    this.exchange.putOperator({ id, supportedCurrencies, feeRate, feeSchedule })
  }

  #checkLimits(step: Step): void {
    const { exchange } = this
    if (step.do === 'mint') {
      const { operator, player: playerId, market } = step
      const marketSerial = this.#made.markets[market]!
      const operatorId = `operator-${operator}`
      const minted = { operatorId, playerId, marketSerial, outcomeSerial: null }
      assertWithinLimits(exchange, minted)
    }
    if (step.do !== 'place' && step.do !== 'amend') return
    const { order } = placementOf(exchange, exchange.journal.current)
    const marketSerial = exchange.ids.serialOf(order.marketId)!
    if (order.side === 'SELL') return
    const outcomeSerial = exchange.ids.serialOf(order.outcomeId)!
    assertWithinLimits(exchange, { ...order, marketSerial, outcomeSerial })
  }

  #scope({ operator, player }: StepOf<'armDeadMan' | 'clearDeadMan'>): DeadManScope {
    return { operator: this.#operator(operator), playerId: player }
  }

  #market(number: number): Market | undefined {
    return this.exchange.market(this.#made.markets[number] ?? unknownSerial)
  }

  #operator(number: number): Operator {
    return this.exchange.operator(`operator-${number}`)!
  }

  #managed(step: { operator: number; market: number }): ManageMarket {
    const marketId = this.#made.markets[step.market] ?? unknownSerial
    return { operator: this.#operator(step.operator), marketSerial: marketId }
  }

  #endTurn(events: TestEvent[]): void {
    this.#made.addFees()
    for (const eventRecord of recordEvents(this.exchange)) {
      const record = JSON.parse(JSON.stringify(storedRecordOf(eventRecord)))
      for (const event of expand(this.exchange.ids, record)) {
        this.#made.add(event)
        const { sequence, eventType, createdAt, payload } = event
        const operator = numberOf(event.operatorId)
        events.push({ operator, sequence, eventType, createdAt, payload })
      }
    }
    this.#made.sort()
    this.exchange.endTurn()
  }
}

function changesOf({ changes }: StepOf<'edit'>): MarketChanges {
  const { feeSchedule, ...others } = changes
  if (feeSchedule === undefined) return others
  return { ...others, feeSchedule: feeSchedule as FeeSchedule | null }
}

function rejectionOf(reject: Reject): string {
  if (reject.code !== 'LIMIT_EXCEEDED') return reject.code
  return `LIMIT_EXCEEDED ${reject.limit} ${reject.max} ${reject.would}`
}

function holderOf(holder: Holder): ControlsHolder {
  if (holder.kind === 'EXCHANGE') return holder
  const operatorId = `operator-${holder.operator}`
  if (holder.kind !== 'PLAYER') return { kind: holder.kind, operatorId }
  return { kind: 'PLAYER', operatorId, playerId: holder.player }
}
