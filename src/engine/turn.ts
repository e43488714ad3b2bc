// One turn: scheduled changes that are due, queued commands, and a slice of one settlement job.
// All changes stay in memory until the pipeline has committed the turn. The callers get their
// answers then (`answer`), or an error if the commit failed (`discard`).

import { assert } from '../core/assert.ts'
import { continueSweep } from '../core/controls/sweep.ts'
import type { EventTrace, PublicTrade } from '../core/events/committed-turn.ts'
import { type EventForm, type EventRecord, recordEvents } from '../core/events/events.ts'
import type { Serial } from '../core/ids.ts'
import { advance, lateMarkets } from '../core/markets/schedule.ts'
import { continueJob } from '../core/markets/settle.ts'
import { Controls } from '../core/state/controls.ts'
import type { Market } from '../core/state/market.ts'
import { OrderGroup } from '../core/state/operator.ts'
import { type OperatorEventRow, RowPacker } from '../store/store.ts'
import { answersOfGroups, workOf } from './awaited-work.ts'
import {
  cancelOrdersOfGroups,
  cancelOrdersOfSwitches,
  cancelOrdersOfTriggered,
} from './cancel-orders.ts'
import { CommandTraces } from './command-traces.ts'
import type { CommandKind, Result, SettleAnswer } from './commands.ts'
import { costOfAnswer, costOfFacts, costOfPlans, turnCostMax } from './cost.ts'
import { accepted, controlsAnswer, marketAnswer, queryKinds, rejected } from './execute.ts'
import { formNeededFor } from './forms-needed.ts'
import { fingerprintOf } from './idempotency/replay.ts'
import type { JobWaiters } from './job-waiters.ts'
import { isDone, operatorIdOf, type Working } from './jobs.ts'
import { marketsOf, type QueuedCommand } from './queue.ts'
import { recordTurn } from './record/record-turn.ts'
import type { Shard } from './shard.ts'

/** Orders that expire in one turn at most: commands wait for the commit of all of them. */
const dueMax = 200
/** Orders or positions in a slice of a job at most, for the same reason. */
const sliceMax = 100
/** Enough to finish a small market in one turn: cancel its orders, settle its positions, end. */
const slicesMax = 3

/** What queries may cost in a turn at least. They are answered last, when commands have run. */
const queriesCostMin = turnCostMax / 4

/** The approximate size of a turn's rows, after which it accepts no further command. */
const turnBytesMax = 1024 * 1024
/** What the rows and event records of a fact take, on average. */
const rowBytesPerFact = 150
/** Commands with texts, which may be long and are not part of the facts. */
const textKinds: ReadonlySet<CommandKind> = new Set([
  'createMarket',
  'editMarket',
  'manage',
  'changeTradingWindow',
])

/** What has to be fetched from the store before a command can be executed. */
export type FetchKind = 'MARKET' | 'SETTLEMENT' | 'REPLAY'

export type TurnContext = {
  readonly onRejected: (code: string) => void
  readonly shard: Shard
  readonly now: number
  readonly jobWaiters: JobWaiters
  /** Charges an operator for what was done; null for a public query. */
  readonly charge: (operatorId: string | null, cost: number) => void
  /** Without listeners, trades are not collected for publishing. */
  readonly hasListeners: boolean
  readonly eventForm: EventForm
}

type Executed = { readonly queued: QueuedCommand; readonly result: Result<unknown> }

export class Turn {
  readonly executed: Executed[] = []
  /**
   * Commands that need something from the store first. It is fetched after this turn was sent to
   * the store, because it may be part of this turn; the commands are executed in a later turn.
   */
  readonly fetches: { readonly queued: QueuedCommand; readonly kind: FetchKind }[] = []
  /** Commands about late markets, for the next turn. */
  readonly held: QueuedCommand[] = []
  /** Queries that would make the turn too long, for the next turn. */
  deferred: QueuedCommand[] = []
  /** The command that is being executed: if an invariant is violated, it is the cause. */
  current: QueuedCommand | null = null
  eventRecords: readonly EventRecord[] = []
  /** The same as rows of the store. */
  eventRows: readonly OperatorEventRow[] = []
  traces: readonly EventTrace[] = []
  readonly tape: PublicTrade[] = []
  orders = 0
  trades = 0
  readonly #context: TurnContext
  readonly #rows = new RowPacker()
  readonly #fingerprints = new Map<Serial, number>()
  readonly #commandTraces = new CommandTraces()
  #late: ReadonlySet<Market> = new Set()
  #textBytes = 0
  #cost = 0
  readonly #charge = (operatorId: string | null, cost: number): void => {
    this.#cost += cost
    this.#context.charge(operatorId, cost)
  }
  /** Answered at the end of the turn. */
  #queries: QueuedCommand[] = []

  constructor(context: TurnContext) {
    this.#context = context
  }

  /**
   * Opens markets and expires orders whose time has come. If too many are due for one turn, returns
   * false: the markets with expired orders left are late, and commands about them are held.
   */
  advance(): boolean {
    const { shard, now } = this.#context
    const { journal } = shard.exchange
    const isComplete = advance(shard.exchange, now, dueMax)
    if (!journal.isEmpty) this.#cost += costOfFacts(journal.since(0))
    cancelOrdersOfTriggered(shard.exchange, this.#charge)
    if (!isComplete) this.#late = lateMarkets(shard.exchange)
    if (this.#context.eventForm >= formNeededFor('changeControls')) shard.applyBrake()
    shard.scheduledOpenings.record(shard.exchange)
    return isComplete
  }

  /** What it has cost so far. */
  get cost(): number {
    return this.#cost
  }

  /** Whether the turn is large enough: the next commands are left to the next turn. */
  get isFull(): boolean {
    const { journal } = this.#context.shard.exchange
    if (this.#cost >= turnCostMax) return true
    return this.#textBytes + journal.factCount * rowBytesPerFact >= turnBytesMax
  }

  /** Executes a command, or defers it: to the end of this turn, the next turn, or after a fetch. */
  add(queued: QueuedCommand): void {
    this.current = queued
    this.#add(queued)
    this.current = null
  }

  #add(queued: QueuedCommand): void {
    if (this.#late.size > 0 && this.#isAboutLateMarket(queued)) {
      this.held.push(queued)
      return
    }
    const kind = this.#fetchKindOf(queued)
    if (kind !== null) {
      this.fetches.push({ queued, kind })
      this.#charge(queued.operatorId, 1)
      return
    }
    // The version of a book is incremented when the events of the turn are recorded. Before that,
    // its contents and its version do not match.
    if (isQuery(queued)) this.#queries.push(queued)
    else this.#execute(queued)
  }

  // A command could match orders that have expired. A query may read the state as it is.
  #isAboutLateMarket(queued: QueuedCommand): boolean {
    if (isQuery(queued)) return false
    const { exchange } = this.#context.shard
    return marketsOf(queued, exchange).some((market) => this.#late.has(market))
  }

  #execute(queued: QueuedCommand): void {
    const { shard, now } = this.#context
    const { exchange } = shard
    const { journal, lastSerial, commandSequence, visits } = exchange
    const factsBefore = journal.factCount
    const commandsBefore = journal.commandCount
    const settlement = queued.settlement ?? null
    const result = queued.execute({ exchange, now, settlement })
    const cost = costOfFacts(journal.since(factsBefore)) + costOfPlans(exchange.visits - visits)
    this.#charge(queued.operatorId, cost)
    if (!result.isAccepted) this.#context.onRejected(result.reject.code)
    else if (textKinds.has(queued.kind)) this.#textBytes += JSON.stringify(queued.command).length
    const hasChanged = exchange.commandSequence > commandSequence
    if (hasChanged && queued.keyed !== null) this.#recordKey(queued, (lastSerial + 1) as Serial)
    if (result.isAccepted && queued.kind === 'acknowledge') {
      this.#recordAcknowledgement(queued, hasChanged)
    }
    this.#commandTraces.add(queued, commandsBefore, journal.commandCount)
    const working = result.isAccepted ? workOf(queued, exchange) : null
    if (working !== null) this.#waitForJob(queued, working)
    else {
      const answered = this.#acceptedIfJustOpened(queued, result)
      this.executed.push({ queued, result: withCost(answered, cost) })
    }
  }

  #fetchKindOf(queued: QueuedCommand): FetchKind | null {
    const { shard } = this.#context
    if (queued.kind === 'acknowledge' && queued.settlement === undefined) return 'SETTLEMENT'
    if (queued.marketSerial !== null && queued.marketFetchGeneration !== shard.generation) {
      const { lastSerial } = shard.exchange
      const mayExist = queued.marketSerial > 0 && queued.marketSerial <= lastSerial
      if (mayExist && shard.exchange.market(queued.marketSerial) === undefined) return 'MARKET'
    }
    const transactionId = queued.keyed?.transactionId ?? null
    if (queued.keyed === null || transactionId === null) return null
    const operator = shard.numberById(queued.keyed.operatorId)
    assert(operator !== undefined, 'the shard knows the operator of every command')
    return shard.isKeyFree(operator, transactionId, queued) ? null : 'REPLAY'
  }

  // Called for commands that changed something. The fingerprint is stored with the order or sets
  // change, which has the first serial that the command allocated.
  #recordKey({ keyed }: QueuedCommand, serial: Serial): void {
    if (keyed === null || keyed.transactionId === null) return
    const { shard } = this.#context
    shard.addKey(shard.numberById(keyed.operatorId)!, keyed.transactionId, keyed.marketSerial)
    this.#fingerprints.set(serial, fingerprintOf(keyed))
  }

  // The texts of an acknowledgement are only stored; the core does not know them.
  #recordAcknowledgement({ command, settlement }: QueuedCommand, hasChanged: boolean): void {
    if (!settlement || !('settlementSerial' in command)) return
    const { exchange } = this.#context.shard
    const { transactionId } = command
    // A completed payment has no error, even if the request carries a message.
    const errorMessage = command.status === 'COMPLETED' ? null : command.errorMessage
    const isSame =
      settlement.transactionId === transactionId && settlement.errorMessage === errorMessage
    if (isSame) return
    if (!hasChanged) exchange.begin()
    const { serial } = settlement
    const updatedAt = exchange.now
    this.#rows.add('settlementNote', { serial, transactionId, errorMessage, updatedAt })
  }

  // `open` on a market that the schedule has just opened is accepted once.
  #acceptedIfJustOpened(
    { kind, command, marketSerial }: QueuedCommand,
    result: Result<unknown>,
  ): Result<unknown> {
    if (result.isAccepted || result.reject.code !== 'MARKET_INVALID_TRANSITION') return result
    if (kind !== 'manage' || !('action' in command) || command.action !== 'open') return result
    const { exchange, scheduledOpenings } = this.#context.shard
    if (
      !scheduledOpenings.consume(marketSerial!, exchange.now) ||
      result.reject.status !== 'OPEN'
    ) {
      return result
    }
    return accepted(marketAnswer(exchange.market(marketSerial!)!))
  }

  #waitForJob(queued: QueuedCommand, working: Working | OrderGroup): void {
    const { jobWaiters, shard } = this.#context
    jobWaiters.add(working, queued)
    if (!(working instanceof OrderGroup)) shard.jobs.add(working)
  }

  /** Goes on cancelling the orders of dead-man switches and order groups, also in a full turn. */
  continueCancelling(): void {
    const { jobWaiters, shard } = this.#context
    cancelOrdersOfSwitches(shard.exchange, sliceMax, this.#charge)
    cancelOrdersOfGroups(shard.exchange, sliceMax, this.#charge)
    this.executed.push(...answersOfGroups(jobWaiters, shard.exchange.now))
  }

  /**
   * Runs slices of the next job: one also in a full turn, so that every job ends. They are charged
   * to the operator that it belongs to.
   */
  continueJob(): void {
    const { shard } = this.#context
    const { journal, visits } = shard.exchange
    const working = shard.jobs.next()
    if (working !== undefined) {
      const factsBefore = journal.factCount
      const commandsBefore = journal.commandCount
      for (let slice = 0; slice < slicesMax && !isDone(working); slice += 1) {
        if (slice > 0 && this.isFull) break
        if (working instanceof Controls) continueSweep(shard.exchange, working, sliceMax)
        else continueJob(shard.exchange, working, sliceMax)
      }
      const starter = this.#context.jobWaiters.first(working)
      this.#commandTraces.add(starter, commandsBefore, journal.commandCount)
      const plans = costOfPlans(shard.exchange.visits - visits)
      const cost = costOfFacts(journal.since(factsBefore)) + plans
      shard.jobs.charge(working, cost)
      this.#charge(operatorIdOf(working), cost)
      if (!isDone(working)) shard.jobs.add(working)
      else if (!(working instanceof Controls)) {
        shard.markEnded(working)
        this.#answerJob(working)
      }
    }
    for (const controls of this.#context.jobWaiters.endedSweeps()) this.#answerSweep(controls)
  }

  // Also where the brake was released or changed meanwhile.
  #answerSweep(controls: Controls): void {
    const waiters = this.#context.jobWaiters.remove(controls)
    const result = accepted(controlsAnswer(controls))
    for (const queued of waiters) this.executed.push({ queued, result })
  }

  #answerJob(market: Market): void {
    const waiters = this.#context.jobWaiters.remove(market)
    const job = market.job!
    const settled: SettleAnswer = {
      cancelledOrders: job.cancelledOrders,
      settled: job.settled,
      payout: job.payout.exact,
    }
    // The first caller started the job. The others sent the same command while it was running.
    for (const [at, queued] of waiters.entries()) {
      const isSettle = queued.kind === 'settle'
      const answer = isSettle ? settled : marketAnswer(market)
      const isLate = isSettle && at > 0
      const result = isLate ? rejected({ code: 'SETTLEMENT_ALREADY_COMPLETED' }) : accepted(answer)
      this.executed.push({ queued, result })
    }
  }

  /** Ends the turn in the core. Returns the rows to commit, or null if nothing has changed. */
  close(): Uint8Array | null {
    const { shard } = this.#context
    const { exchange } = shard
    if (exchange.journal.isEmpty) {
      this.#answerQueries()
      return null
    }
    this.eventRecords = recordEvents(exchange, this.#context.eventForm)
    const recorded = recordTurn(
      exchange,
      this.eventRecords,
      {
        numberOf: (operator) => shard.numberOf(operator),
        fingerprints: this.#fingerprints,
        participantCounts: shard.participantCounts,
        tape: this.#context.hasListeners ? this.tape : null,
      },
      this.#rows,
    )
    this.orders = recorded.orders
    this.trades = recorded.trades
    this.eventRows = recorded.eventRows
    this.traces = this.#commandTraces.eventsIn(this.eventRecords)
    exchange.endTurn()
    this.#answerQueries()
    return this.#rows.bytes
  }

  #answerQueries(): void {
    const { now, shard } = this.#context
    const { exchange } = shard
    const costMax = Math.max(queriesCostMin, turnCostMax - this.#cost)
    const queries = this.#queries
    let spent = 0
    let answered = 0
    for (; answered < queries.length && spent < costMax; answered += 1) {
      const queued = queries[answered]!
      this.current = queued
      const { visits } = exchange
      const result = queued.execute({ exchange, now, settlement: null })
      const plans = costOfPlans(exchange.visits - visits)
      const cost = Math.max(costOfAnswer(queued.kind, result), plans)
      spent += cost
      this.#charge(queued.operatorId, cost)
      this.executed.push({ queued, result: withCost(result, cost) })
    }
    this.current = null
    this.deferred = queries.slice(answered)
    this.#queries = []
  }

  /** The turn is committed: answers the callers. */
  answer(): void {
    for (const { queued, result } of this.executed) queued.resolve(result)
  }

  /** The turn is not committed, or not known to be: fails the callers. */
  discard(error: Error): void {
    for (const { queued } of this.executed) queued.reject(error)
    for (const { queued } of this.fetches) queued.reject(error)
    for (const queued of this.held) queued.reject(error)
    for (const queued of this.deferred) queued.reject(error)
    for (const queued of this.#queries) queued.reject(error)
  }
}

function withCost(result: Result<unknown>, cost: number): Result<unknown> {
  return cost > 1 ? { ...result, cost } : result
}

/** Queries are answered even when nothing can be written. */
export function isQuery({ kind }: QueuedCommand): boolean {
  return queryKinds.has(kind)
}
