// One turn: what is due happens, waiting commands are decided, markets with work in slices get
// one each. Everything stays in memory until the turn is stored; `release` and `abandon` are for
// whoever stores it.

import { assert } from '../core/assert.ts'
import { type EventRecord, recordEvents } from '../core/events/events.ts'
import { advance, lateMarkets } from '../core/markets/schedule.ts'
import { continueJob } from '../core/markets/settle.ts'
import type { Market } from '../core/state/market.ts'
import { type PackedRows, RowPacker } from '../store/store.ts'
import type { CommandKind, Result, SettleAnswer } from './commands.ts'
import { fingerprintOf } from './idempotency/replay.ts'
import type { StoredTrade } from './options.ts'
import { accepted, readingKinds, refused } from './execute.ts'
import { marketsOf, type QueuedCommand } from './queue.ts'
import { recordTurn } from './record/record-turn.ts'
import type { Shard } from './shard.ts'

/** How many orders expire in one turn at most; whoever trades meanwhile waits for its commit. */
const dueMax = 200
/** How many orders or positions a slice of a large piece of work takes, for the same reason. */
const sliceMax = 100
/** A small market is through at once: its orders, its positions, its end. */
const slicesMax = 3

/** What the rows of a turn may take, about: the command that passes it is the last. */
const turnBytesMax = 1024 * 1024
/** A fact is a number; its rows and tellings take about three times as much. */
const rowBytesPerFact = 24
/** Their texts may be long, and are in no fact. */
const wordyKinds: ReadonlySet<CommandKind> = new Set(['createMarket', 'editMarket', 'manage'])

/** Why a command cannot be decided yet. */
export type Need = 'MARKET' | 'SETTLEMENT' | 'REPLAY'

export type Environment = {
  readonly onRefused: (code: string) => void
  readonly shard: Shard
  readonly now: number
  /** Of a market whose work is done: those who wait for it. */
  readonly jobWaiters: Map<Market, QueuedCommand[]>
  /** Whether somebody will be told of its trades. */
  readonly isHeard: boolean
}

type Decision = { readonly queued: QueuedCommand; readonly result: Result<unknown> }

export class Turn {
  readonly decisions: Decision[] = []
  /** Commands for which the store has to be asked first: once this turn is on its way, because
   * what they need may be part of it. They come back in a later turn. */
  readonly needs: { readonly queued: QueuedCommand; readonly need: Need }[] = []
  /** Commands about markets that are late, for the next turn. */
  readonly held: QueuedCommand[] = []
  /** While it is being carried out: whom to blame for a broken invariant. */
  current: QueuedCommand | null = null
  eventRecords: readonly EventRecord[] = []
  readonly tape: StoredTrade[] = []
  orders = 0
  trades = 0
  readonly #environment: Environment
  readonly #rows = new RowPacker()
  readonly #fingerprints = new Map<number, number>()
  #late: ReadonlySet<Market> = new Set()
  #textBytes = 0
  /** Commands that only look, for the end of the turn. */
  #queries: QueuedCommand[] = []

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Whether nothing that is due is left. Otherwise commands about late markets are held. */
  advance(): boolean {
    const { shard, now } = this.#environment
    const isClear = advance(shard.exchange, now, dueMax)
    if (!isClear) this.#late = lateMarkets(shard.exchange)
    shard.selfOpened.note(shard.exchange)
    return isClear
  }

  /** Whether it is large enough: what else waits is better left to the next. */
  get isFull(): boolean {
    const { journal } = this.#environment.shard.exchange
    return this.#textBytes + journal.length * rowBytesPerFact >= turnBytesMax
  }

  decide(queued: QueuedCommand): void {
    this.current = queued
    this.#decide(queued)
    this.current = null
  }

  #decide(queued: QueuedCommand): void {
    if (this.#late.size > 0 && this.#isAboutLate(queued)) {
      this.held.push(queued)
      return
    }
    const need = this.#needOf(queued)
    if (need !== null) {
      this.needs.push({ queued, need })
      return
    }
    // The versions of books count up when the turn is told: in between, what a book shows and the
    // version it has do not belong together.
    if (isReading(queued)) this.#queries.push(queued)
    else this.#carryOut(queued)
  }

  // It would meet orders that are over. To look is free: that shows what has happened so far.
  #isAboutLate(queued: QueuedCommand): boolean {
    if (isReading(queued)) return false
    const { exchange } = this.#environment.shard
    return marketsOf(queued, exchange).some((market) => this.#late.has(market))
  }

  #carryOut(queued: QueuedCommand): void {
    const { shard, now } = this.#environment
    const { exchange } = shard
    const { lastSerial, commandSequence } = exchange
    const settlement = queued.settlement ?? null
    const result = queued.run({ exchange, now, settlement })
    if (!result.isAccepted) this.#environment.onRefused(result.reject.code)
    else if (wordyKinds.has(queued.kind)) this.#textBytes += JSON.stringify(queued.command).length
    const hasChanged = exchange.commandSequence > commandSequence
    if (hasChanged && queued.keyed !== null) this.#keepKey(queued, lastSerial + 1)
    if (result.isAccepted && queued.kind === 'acknowledge') {
      this.#noteAcknowledged(queued, hasChanged)
    }
    if (result.isAccepted && startsJob(queued)) this.#attach(queued)
    else this.decisions.push({ queued, result: this.#withOpening(queued, result) })
  }

  #needOf(queued: QueuedCommand): Need | null {
    const { shard } = this.#environment
    if (queued.kind === 'acknowledge' && queued.settlement === undefined) return 'SETTLEMENT'
    if (queued.marketSerial !== null && queued.marketSoughtIn !== shard.generation) {
      const { lastSerial } = shard.exchange
      const mayExist = queued.marketSerial > 0 && queued.marketSerial <= lastSerial
      if (mayExist && shard.exchange.market(queued.marketSerial) === undefined) return 'MARKET'
    }
    const transactionId = queued.keyed?.transactionId ?? null
    if (queued.keyed === null || transactionId === null) return null
    const operator = shard.numberById(queued.keyed.operatorId)
    assert(operator !== undefined, 'whoever asks is known to the shard')
    return shard.isKeyFree(operator, transactionId, queued) ? null : 'REPLAY'
  }

  // Only what was taken uses up its key. It made the first record of the command.
  #keepKey({ keyed }: QueuedCommand, serial: number): void {
    if (keyed === null || keyed.transactionId === null) return
    const { shard } = this.#environment
    shard.addKey(shard.numberById(keyed.operatorId)!, keyed.transactionId, keyed.marketSerial)
    this.#fingerprints.set(serial, fingerprintOf(keyed))
  }

  // The words that go with an acknowledgement are the store's affair alone.
  #noteAcknowledged({ command, settlement }: QueuedCommand, hasChanged: boolean): void {
    if (!settlement || !('settlementSerial' in command)) return
    const { exchange } = this.#environment.shard
    const { transactionId } = command
    // What was paid has not failed, whatever is said with it.
    const errorMessage = command.status === 'COMPLETED' ? null : command.errorMessage
    const isSame =
      settlement.transactionId === transactionId && settlement.errorMessage === errorMessage
    if (isSame) return
    if (!hasChanged) exchange.begin()
    const { serial } = settlement
    const updatedAt = exchange.now
    this.#rows.add('settlementNote', { serial, transactionId, errorMessage, updatedAt })
  }

  // Who asks to open a market when it has just opened by itself gets what was asked for, once.
  #withOpening(
    { kind, command, marketSerial }: QueuedCommand,
    result: Result<unknown>,
  ): Result<unknown> {
    if (result.isAccepted || result.reject.code !== 'MARKET_INVALID_TRANSITION') return result
    if (kind !== 'manage' || !('action' in command) || command.action !== 'open') return result
    const { exchange, selfOpened } = this.#environment.shard
    if (!selfOpened.consume(marketSerial!, exchange.now) || result.reject.status !== 'OPEN') {
      return result
    }
    return accepted({ marketId: marketSerial, status: exchange.market(marketSerial!)!.status })
  }

  // Its answer is due when the work is done.
  #attach(queued: QueuedCommand): void {
    const { jobWaiters, shard } = this.#environment
    const market = shard.exchange.market(queued.marketSerial!)!
    const waiters = jobWaiters.get(market) ?? []
    waiters.push(queued)
    jobWaiters.set(market, waiters)
    shard.jobs.add(market)
  }

  /** A slice for the market that has waited longest. */
  continueJob(): void {
    const { shard } = this.#environment
    const [market] = shard.jobs
    if (market === undefined) return
    shard.jobs.delete(market)
    for (let slice = 0; slice < slicesMax && !isDone(market); slice += 1) {
      continueJob(shard.exchange, market, sliceMax)
    }
    if (!isDone(market)) {
      shard.jobs.add(market)
      return
    }
    shard.noteEnded(market)
    this.#answerJob(market)
  }

  #answerJob(market: Market): void {
    const { jobWaiters } = this.#environment
    const waiters = jobWaiters.get(market) ?? []
    jobWaiters.delete(market)
    const job = market.job!
    const settled: SettleAnswer = {
      cancelledOrders: job.cancelledOrders,
      settled: job.settled,
      payout: job.payout.exact,
    }
    // Who asked while it was under way finds it done.
    for (const [at, queued] of waiters.entries()) {
      const isSettle = queued.kind === 'settle'
      const answer = isSettle ? settled : { marketId: market.serial, status: market.status }
      const isLate = isSettle && at > 0
      const result = isLate ? refused({ code: 'SETTLEMENT_ALREADY_COMPLETED' }) : accepted(answer)
      this.decisions.push({ queued, result })
    }
  }

  /** The rows to store, or null where nothing has changed. Ends the turn in the core. */
  close(): PackedRows | null {
    const { shard } = this.#environment
    const { exchange } = shard
    if (exchange.journal.length === 0) {
      this.#answerQueries()
      return null
    }
    this.eventRecords = recordEvents(exchange)
    const counts = recordTurn(
      exchange,
      this.eventRecords,
      {
        numberOf: (operator) => shard.numberOf(operator),
        fingerprints: this.#fingerprints,
        participantCounts: shard.participantCounts,
        tape: this.#environment.isHeard ? this.tape : null,
      },
      this.#rows,
    )
    this.orders = counts.orders
    this.trades = counts.trades
    exchange.endTurn()
    this.#answerQueries()
    return this.#rows.packed
  }

  #answerQueries(): void {
    const { shard, now } = this.#environment
    for (const queued of this.#queries) {
      this.current = queued
      const result = queued.run({ exchange: shard.exchange, now, settlement: null })
      this.decisions.push({ queued, result })
    }
    this.current = null
    this.#queries = []
  }

  /** Its commands are durable: whoever waits is answered. */
  release(): void {
    for (const { queued, result } of this.decisions) queued.resolve(result)
  }

  discard(error: Error): void {
    for (const { queued } of this.decisions) queued.reject(error)
    for (const { queued } of this.needs) queued.reject(error)
    for (const queued of this.held) queued.reject(error)
    for (const queued of this.#queries) queued.reject(error)
  }
}

function startsJob({ kind, command }: QueuedCommand): boolean {
  return (
    kind === 'settle' || (kind === 'manage' && 'action' in command && command.action === 'cancel')
  )
}

function isDone({ job }: Market): boolean {
  return job === null || job.phase === 'DONE'
}

/** What may be asked while nothing can be written. */
export function isReading({ kind }: QueuedCommand): boolean {
  return readingKinds.has(kind)
}
