// One turn: scheduled changes that are due, queued commands, and a slice of one settlement job.
// All changes stay in memory until the pipeline has committed the turn. The callers get their
// answers then (`answer`), or an error if the commit failed (`discard`).

import { assert } from '../core/assert.ts'
import type { EventTrace, PublicTrade } from '../core/events/committed-turn.ts'
import { type EventForm, type EventRecord, recordEvents } from '../core/events/events.ts'
import type { Serial } from '../core/ids.ts'
import { advance, lateMarkets } from '../core/markets/schedule.ts'
import { continueJob } from '../core/markets/settle.ts'
import type { Market } from '../core/state/market.ts'
import type { DeadMan } from '../core/state/operator.ts'
import { type OperatorEventRow, RowPacker } from '../store/store.ts'
import { cancelOrdersOfSwitches } from './cancel-orders.ts'
import { CommandTraces } from './command-traces.ts'
import type { CommandKind, Result, SettleAnswer } from './commands.ts'
import { costOfAnswer, costOfFacts, costOfPlans, turnCostMax } from './cost.ts'
import { accepted, marketAnswer, queryKinds, rejected } from './execute.ts'
import { fingerprintOf } from './idempotency/replay.ts'
import type { JobWaiters } from './job-waiters.ts'
import { marketsOf, type QueuedCommand } from './queue.ts'
import { recordTurn } from './record/record-turn.ts'
import type { Shard } from './shard.ts'

/** Orders that expire in one turn at most: commands wait for the commit of all of them. */
const dueMax = 200
/** Orders or positions in a slice of a job at most, for the same reason. */
const sliceMax = 100
/** Orders that dead-man switches cancel in the turn in which they are triggered. */
const cancelledAtOnceMax = 200
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
    this.#cancelOrders(cancelledAtOnceMax, (deadMan) => deadMan.pending === null)
    if (!journal.isEmpty) this.#cost += costOfFacts(journal.since(0))
    if (!isComplete) this.#late = lateMarkets(shard.exchange)
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
    if (result.isAccepted && startsJob(queued)) this.#waitForJob(queued)
    else {
      const answered = this.#acceptedIfJustOpened(queued, result)
      this.executed.push({ queued, result: withCost(answered, cost) })
    }
  }

  #charge(operatorId: string | null, cost: number): void {
    this.#cost += cost
    this.#context.charge(operatorId, cost)
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

  // The command is answered when the job is done.
  #waitForJob(queued: QueuedCommand): void {
    const { jobWaiters, shard } = this.#context
    const market = shard.exchange.market(queued.marketSerial!)!
    jobWaiters.add(market, queued)
    shard.jobs.add(market)
  }

  #cancelOrders(atMost: number, isChosen: (deadMan: DeadMan) => boolean): void {
    const { exchange } = this.#context.shard
    const limits = { atMost, sliceMax, isChosen }
    cancelOrdersOfSwitches(exchange, limits, (operatorId, cost) => this.#charge(operatorId, cost))
  }

  /** Goes on cancelling the orders of triggered dead-man switches, also in a full turn. */
  continueCancelling(): void {
    this.#cancelOrders(sliceMax, () => true)
  }

  /**
   * Runs slices of the next job: one also in a full turn, so that every job ends. They are charged
   * to the owner of the market.
   */
  continueJob(): void {
    const { shard } = this.#context
    const { journal } = shard.exchange
    const market = shard.jobs.next()
    if (market === undefined) return
    const factsBefore = journal.factCount
    const commandsBefore = journal.commandCount
    for (let slice = 0; slice < slicesMax && !isDone(market); slice += 1) {
      if (slice > 0 && this.isFull) break
      continueJob(shard.exchange, market, sliceMax)
    }
    const starter = this.#context.jobWaiters.first(market)
    this.#commandTraces.add(starter, commandsBefore, journal.commandCount)
    const cost = costOfFacts(journal.since(factsBefore))
    shard.jobs.charge(market, cost)
    this.#charge(market.owner.id, cost)
    if (!isDone(market)) {
      shard.jobs.add(market)
      return
    }
    shard.markEnded(market)
    this.#answerJob(market)
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

function startsJob({ kind, command }: QueuedCommand): boolean {
  return (
    kind === 'settle' || (kind === 'manage' && 'action' in command && command.action === 'cancel')
  )
}

function isDone({ job }: Market): boolean {
  return job === null || job.phase === 'DONE'
}

/** Queries are answered even when nothing can be written. */
export function isQuery({ kind }: QueuedCommand): boolean {
  return queryKinds.has(kind)
}
