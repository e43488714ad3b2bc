// One turn: what is due happens, waiting commands are decided, markets with work in slices get
// one each. Everything stays in memory until the turn is stored; `release` and `abandon` are for
// whoever stores it.

import { assert } from '../core/assert.ts'
import { type Telling, tellTurn } from '../core/events/events.ts'
import { advance, lateMarkets } from '../core/markets/schedule.ts'
import { carryOn } from '../core/markets/settle.ts'
import type { Market } from '../core/state/market.ts'
import { type PackedRows, RowPacker } from '../store/store.ts'
import type { CommandKind, Result, SettleAnswer } from './commands.ts'
import { fingerprintOf } from './idempotency/replay.ts'
import type { StoredTrade } from './options.ts'
import { readingKinds, refused, taken } from './perform.ts'
import { marketsOf, type Waiting } from './queue.ts'
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

export type Surroundings = {
  readonly onRefused: (code: string) => void
  readonly shard: Shard
  readonly now: number
  /** Of a market whose work is done: those who wait for it. */
  readonly runWaiters: Map<Market, Waiting[]>
  /** Whether somebody will be told of its trades. */
  readonly isHeard: boolean
}

type Decision = { readonly waiting: Waiting; readonly result: Result<unknown> }

export class Turn {
  readonly decisions: Decision[] = []
  /** Commands for which the store has to be asked first: once this turn is on its way, because
   * what they need may be part of it. They come back in a later turn. */
  readonly needs: { readonly waiting: Waiting; readonly need: Need }[] = []
  /** Commands about markets that are late, for the next turn. */
  readonly held: Waiting[] = []
  /** While it is being carried out: whom to blame for a broken invariant. */
  current: Waiting | null = null
  tellings: readonly Telling[] = []
  readonly tape: StoredTrade[] = []
  orders = 0
  trades = 0
  readonly #surroundings: Surroundings
  readonly #rows = new RowPacker()
  readonly #fingerprints = new Map<number, number>()
  #late: ReadonlySet<Market> = new Set()
  #textBytes = 0
  /** Commands that only look, for the end of the turn. */
  #looks: Waiting[] = []

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** Whether nothing that is due is left. Otherwise commands about late markets are held. */
  advance(): boolean {
    const { shard, now } = this.#surroundings
    const isClear = advance(shard.exchange, now, dueMax)
    if (!isClear) this.#late = lateMarkets(shard.exchange)
    shard.selfOpened.note(shard.exchange)
    return isClear
  }

  /** Whether it is large enough: what else waits is better left to the next. */
  get isFull(): boolean {
    const { journal } = this.#surroundings.shard.exchange
    return this.#textBytes + journal.length * rowBytesPerFact >= turnBytesMax
  }

  decide(waiting: Waiting): void {
    this.current = waiting
    this.#decide(waiting)
    this.current = null
  }

  #decide(waiting: Waiting): void {
    if (this.#late.size > 0 && this.#isAboutLate(waiting)) {
      this.held.push(waiting)
      return
    }
    const need = this.#needOf(waiting)
    if (need !== null) {
      this.needs.push({ waiting, need })
      return
    }
    // The versions of books count up when the turn is told: in between, what a book shows and the
    // version it has do not belong together.
    if (isReading(waiting)) this.#looks.push(waiting)
    else this.#carryOut(waiting)
  }

  // It would meet orders that are over. To look is free: that shows what has happened so far.
  #isAboutLate(waiting: Waiting): boolean {
    if (isReading(waiting)) return false
    const { exchange } = this.#surroundings.shard
    return marketsOf(waiting, exchange).some((market) => this.#late.has(market))
  }

  #carryOut(waiting: Waiting): void {
    const { shard, now } = this.#surroundings
    const { exchange } = shard
    const { lastSerial, sequence } = exchange
    const settlement = waiting.settlement ?? null
    const result = waiting.run({ exchange, now, settlement })
    if (!result.isTaken) this.#surroundings.onRefused(result.reject.code)
    else if (wordyKinds.has(waiting.kind)) this.#textBytes += JSON.stringify(waiting.ask).length
    const hasChanged = exchange.sequence > sequence
    if (hasChanged && waiting.keyed !== null) this.#keepKey(waiting, lastSerial + 1)
    if (result.isTaken && waiting.kind === 'acknowledge') {
      this.#noteAcknowledged(waiting, hasChanged)
    }
    if (result.isTaken && startsRun(waiting)) this.#attach(waiting)
    else this.decisions.push({ waiting, result: this.#withOpening(waiting, result) })
  }

  #needOf(waiting: Waiting): Need | null {
    const { shard } = this.#surroundings
    if (waiting.kind === 'acknowledge' && waiting.settlement === undefined) return 'SETTLEMENT'
    if (waiting.marketId !== null && waiting.marketSoughtIn !== shard.generation) {
      const { lastSerial } = shard.exchange
      const mayExist = waiting.marketId > 0 && waiting.marketId <= lastSerial
      if (mayExist && shard.exchange.market(waiting.marketId) === undefined) return 'MARKET'
    }
    const transactionId = waiting.keyed?.transactionId ?? null
    if (waiting.keyed === null || transactionId === null) return null
    const operator = shard.numberById(waiting.keyed.operatorId)
    assert(operator !== undefined, 'whoever asks is known to the shard')
    return shard.isKeyFree(operator, transactionId, waiting) ? null : 'REPLAY'
  }

  // Only what was taken uses up its key. It made the first record of the command.
  #keepKey({ keyed }: Waiting, serial: number): void {
    if (keyed === null || keyed.transactionId === null) return
    const { shard } = this.#surroundings
    shard.addKey(shard.numberById(keyed.operatorId)!, keyed.transactionId, keyed.marketId)
    this.#fingerprints.set(serial, fingerprintOf(keyed))
  }

  // The words that go with an acknowledgement are the store's affair alone.
  #noteAcknowledged({ ask, settlement }: Waiting, hasChanged: boolean): void {
    if (!settlement || !('settlementId' in ask)) return
    const { exchange } = this.#surroundings.shard
    const { transactionId } = ask
    // What was paid has not failed, whatever is said with it.
    const errorMessage = ask.status === 'COMPLETED' ? null : ask.errorMessage
    const isSame =
      settlement.transactionId === transactionId && settlement.errorMessage === errorMessage
    if (isSame) return
    if (!hasChanged) exchange.begin()
    const { serial } = settlement
    const updatedAt = exchange.now
    this.#rows.add('settlementNote', { serial, transactionId, errorMessage, updatedAt })
  }

  // Who asks to open a market when it has just opened by itself gets what was asked for, once.
  #withOpening({ kind, ask, marketId }: Waiting, result: Result<unknown>): Result<unknown> {
    if (result.isTaken || result.reject.code !== 'MARKET_INVALID_TRANSITION') return result
    if (kind !== 'manage' || !('action' in ask) || ask.action !== 'open') return result
    const { exchange, selfOpened } = this.#surroundings.shard
    if (!selfOpened.takeJust(marketId!, exchange.now) || result.reject.status !== 'OPEN') {
      return result
    }
    return taken({ marketId, status: exchange.market(marketId!)!.status })
  }

  // Its answer is due when the work is done.
  #attach(waiting: Waiting): void {
    const { runWaiters, shard } = this.#surroundings
    const market = shard.exchange.market(waiting.marketId!)!
    const waiters = runWaiters.get(market) ?? []
    waiters.push(waiting)
    runWaiters.set(market, waiters)
    shard.runs.add(market)
  }

  /** A slice for the market that has waited longest. */
  carryOn(): void {
    const { shard } = this.#surroundings
    const [market] = shard.runs
    if (market === undefined) return
    shard.runs.delete(market)
    for (let slice = 0; slice < slicesMax && !isDone(market); slice += 1) {
      carryOn(shard.exchange, market, sliceMax)
    }
    if (!isDone(market)) {
      shard.runs.add(market)
      return
    }
    shard.noteEnded(market)
    this.#answerRun(market)
  }

  #answerRun(market: Market): void {
    const { runWaiters } = this.#surroundings
    const waiters = runWaiters.get(market) ?? []
    runWaiters.delete(market)
    const run = market.run!
    const settled: SettleAnswer = {
      cancelledOrders: run.cancelledOrders,
      settled: run.settled,
      payout: run.payout.exact,
    }
    // Who asked while it was under way finds it done.
    for (const [at, waiting] of waiters.entries()) {
      const isSettle = waiting.kind === 'settle'
      const answer = isSettle ? settled : { marketId: market.serial, status: market.status }
      const isLate = isSettle && at > 0
      const result = isLate ? refused({ code: 'SETTLEMENT_ALREADY_COMPLETED' }) : taken(answer)
      this.decisions.push({ waiting, result })
    }
  }

  /** The rows to store, or null where nothing has changed. Ends the turn in the core. */
  close(): PackedRows | null {
    const { shard } = this.#surroundings
    const { exchange } = shard
    if (exchange.journal.length === 0) {
      this.#look()
      return null
    }
    this.tellings = tellTurn(exchange)
    const counts = recordTurn(
      exchange,
      this.tellings,
      {
        numberOf: (operator) => shard.numberOf(operator),
        fingerprints: this.#fingerprints,
        guestCounts: shard.guestCounts,
        tape: this.#surroundings.isHeard ? this.tape : null,
      },
      this.#rows,
    )
    this.orders = counts.orders
    this.trades = counts.trades
    exchange.endTurn()
    this.#look()
    return this.#rows.packed
  }

  #look(): void {
    const { shard, now } = this.#surroundings
    for (const waiting of this.#looks) {
      this.current = waiting
      const result = waiting.run({ exchange: shard.exchange, now, settlement: null })
      this.decisions.push({ waiting, result })
    }
    this.current = null
    this.#looks = []
  }

  /** Its commands are durable: whoever waits is answered. */
  release(): void {
    for (const { waiting, result } of this.decisions) waiting.resolve(result)
  }

  abandon(error: Error): void {
    for (const { waiting } of this.decisions) waiting.reject(error)
    for (const { waiting } of this.needs) waiting.reject(error)
    for (const waiting of this.held) waiting.reject(error)
    for (const waiting of this.#looks) waiting.reject(error)
  }
}

function startsRun({ kind, ask }: Waiting): boolean {
  return kind === 'settle' || (kind === 'manage' && 'action' in ask && ask.action === 'cancel')
}

function isDone({ run }: Market): boolean {
  return run === null || run.phase === 'DONE'
}

/** What may be asked while nothing can be written. */
export function isReading({ kind }: Waiting): boolean {
  return readingKinds.has(kind)
}
