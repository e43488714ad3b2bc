// The single writer of a shard. Queued commands are executed in turns; one turn is committed while
// the next is being executed, and answers and events leave only after the commit. If a commit
// fails, the memory is loaded from the store again: nothing has to be undone.

import { setTimeout } from 'node:timers/promises'
import { Ids } from '../core/ids.ts'
import { isAnythingDue } from '../core/markets/schedule.ts'
import type { Records } from '../core/snapshot/records.ts'
import { save } from '../core/snapshot/save.ts'
import type { BrakeRow, ShardHead } from '../store/store.ts'
import {
  type CommandKind,
  type Commands,
  type CostOf,
  NotOwner,
  type Result,
  type Submit,
  type SubmitAll,
  Unavailable,
} from './commands.ts'
import { expectedCost } from './cost.ts'
import { DiskSpace } from './disk-space.ts'
import { type EngineState, hasEnded, refusalIn } from './engine-state.ts'
import { refusalInForm } from './forms-needed.ts'
import { Fetcher } from './idempotency/fetcher.ts'
import { loadLaterKeys } from './idempotency/later-keys.ts'
import { JobWaiters } from './job-waiters.ts'
import { Listeners, type StoredTurn } from './listeners.ts'
import type { EngineOptions } from './options.ts'
import { isDiskFull, Pipeline } from './pipeline.ts'
import { CommandQueue, type QueuedCommand, queuedCommand } from './queue.ts'
import { Shard, type ShardOperator } from './shard.ts'
import { isQuery, Turn } from './turn.ts'

const commandsPerTurnMax = 512
/** This many ready commands start a turn at once, before the event loop's iteration ends. */
const commandsPerEarlyTurn = 64
/** How often scheduled openings and expiries are checked. */
const tickMs = 50
const retryMs = 1_000
const notRenewed = 'The lease of the shard could not be renewed.'
/** How long commands wait for a renewal of the lease after it has lapsed. */
const lapseMsMax = 1_000
const stopMs = 8_000
/** How long a shard that is handed over executes what is in its queue. */
const handOverMs = 1_000

export class Engine {
  readonly ids: Ids
  readonly #options: EngineOptions
  /** That of the shard. */
  readonly #number: number
  readonly #shard: Shard
  readonly #queue = new CommandQueue()
  readonly #pipeline: Pipeline
  readonly #diskSpace: DiskSpace
  readonly #fetcher: Fetcher
  readonly #jobWaiters = new JobWaiters()
  readonly #listeners: Listeners
  #tick: NodeJS.Timeout | undefined
  #state: EngineState = 'rebuilding'
  #isRebuilding = false
  #isStopping = false
  #isHandingOver = false
  #isScheduled = false

  static async start(options: EngineOptions): Promise<Engine> {
    const head = await options.store.claim()
    options.onStoredTime?.(head.now)
    const engine = new Engine(options, head)
    await engine.#load()
    // Not before: an engine that cannot be loaded leaves nothing behind.
    engine.#tick = setInterval(() => engine.#try(() => engine.#checkClock()), tickMs).unref()
    engine.#schedule()
    return engine
  }

  private constructor(options: EngineOptions, head: ShardHead) {
    this.#options = options
    this.#number = options.store.shard
    this.#listeners = new Listeners(options.reportFailure)
    this.ids = new Ids({ shard: options.store.shard, key: options.store.idKey })
    this.#shard = new Shard(options.rules, this.ids)
    this.#pipeline = new Pipeline(options.store, head, {
      onCommitted: (turn, commitSeconds) => this.#onCommitted(turn, commitSeconds),
      onFailed: (isLast) => this.#onCommitFailed(isLast),
      onFoundCommitted: (turn) => this.#listeners.publish(turn),
      onBroken: (error) => this.#onBroken(error),
    })
    this.#diskSpace = new DiskSpace({
      probe: () => options.store.probe(),
      onAvailable: () => this.#schedule(),
      log: options.log,
    })
    this.#fetcher = new Fetcher({
      shard: this.#shard,
      reads: options.store.reads,
      now: options.now,
      whenInFlightDone: () => this.#pipeline.whenInFlightDone(),
      requeue: (queued) => this.#requeue(queued),
    })
  }

  /** Whether commands are accepted and can be stored. */
  get isReady(): boolean {
    if (this.#state !== 'running' || this.#isStopping || this.#lapsedMs > 0) return false
    return this.#diskSpace.isAvailable && this.#options.isStoreAnswering()
  }

  /** Raised whenever the shard is claimed. */
  get epoch(): number {
    return this.#pipeline.epoch
  }

  /** The listener is called with each turn once it is committed, in order. */
  onCommitted(listener: (turn: StoredTurn) => void): void {
    this.#listeners.add(listener)
  }

  readonly submit: Submit = (kind, command) => {
    const answer = this.#enqueue(kind, command)
    this.#wake()
    return answer
  }

  readonly submitAll: SubmitAll = (kind, commands) => {
    const answers = commands.map((command) => this.#enqueue(kind, command))
    this.#wake()
    return answers
  }

  readonly costOf: CostOf = (kind, command) => expectedCost(this.#shard.exchange, kind, command)

  readonly openOrders = () => this.#shard.openOrders

  #enqueue<Kind extends CommandKind>(kind: Kind, command: Commands[Kind]['command']) {
    return new Promise<Result<Commands[Kind]['answer']>>((resolve, reject) => {
      const answer = resolve as QueuedCommand['resolve']
      const queued = queuedCommand(kind, command, this.#options.now(), {
        resolve: this.#fetcher.withClosedOrders(kind, command, answer, reject),
        reject,
      })
      this.#assertAvailable(queued)
      this.#queue.add(queued)
    })
  }

  #wake(): void {
    if (this.#queue.readyLength >= commandsPerEarlyTurn && !this.#pipeline.isFull) this.#runTurn()
    else this.#schedule()
  }

  /** The memory, to compare it with the store; call it only while no turn is in flight. */
  records(): Records {
    return save(this.#shard.exchange)
  }

  /** Adds an operator or changes its settings. The registry has stored them before. */
  putOperator(operator: ShardOperator): void {
    this.#shard.putOperator(operator)
  }

  /** That on the exchange: it is obeyed before the next command. */
  putBrake(brake: BrakeRow): void {
    this.#shard.putBrake(brake)
    this.#schedule()
  }

  #assertAvailable(queued: QueuedCommand): void {
    if (this.#isHandingOver || this.#state === 'released') throw new NotOwner()
    if (this.#isStopping) throw new Unavailable('The service is shutting down.')
    const refusal = refusalIn(this.#state)
    if (refusal !== null) throw refusal
    if (!this.#diskSpace.isAvailable && !isQuery(queued)) throw new Unavailable('The disk is full.')
    const unreadable = refusalInForm(this.#options.eventForm(), queued)
    if (unreadable !== null) throw unreadable
  }

  #requeue(queued: QueuedCommand): void {
    if (this.#hasEnded) queued.reject(refusalIn(this.#state)!)
    else this.#queue.requeue([queued])
    this.#schedule()
  }

  // At the end of the event loop's iteration, so that all commands received in it share a turn.
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#runTurn()
    })
  }

  #checkClock(): void {
    const isDue = isAnythingDue(this.#shard.exchange, this.#options.now())
    if (this.#hasWork || (this.#diskSpace.isAvailable && isDue)) this.#schedule()
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || (this.#diskSpace.isAvailable && this.#shard.hasWork)
  }

  #runTurn(): void {
    this.#try(() => this.#executeTurn())
  }

  #executeTurn(): void {
    if (this.#state !== 'running' || this.#pipeline.isFull) return
    if (this.#queue.hasOnlyExpensive && !this.#pipeline.isEmpty) return
    if (this.#lapsedMs > 0) {
      // A process that was frozen renews its lease, or finds another owner, within milliseconds.
      if (this.#lapsedMs >= lapseMsMax) this.#queue.rejectAll(new Unavailable(notRenewed))
      return
    }
    const turn = new Turn({
      shard: this.#shard,
      now: this.#options.now(),
      jobWaiters: this.#jobWaiters,
      onRejected: (code) => this.#options.metrics.rejected(code),
      charge: (operatorId, cost) => this.#queue.charge(operatorId, cost),
      hasListeners: this.#listeners.hasAny,
      eventForm: this.#options.eventForm(),
    })
    try {
      this.#fillTurn(turn)
      const rows = turn.close()
      if (rows === null) this.#pipeline.followLast(turn)
      else this.#pipeline.commit(turn, this.#shard.exchange, rows)
    } catch (error) {
      this.#onTurnFailed(turn, error)
      return
    }
    this.#queue.hold(turn.held.splice(0))
    this.#queue.requeue(turn.deferred.splice(0))
    for (const { queued, kind } of turn.fetches.splice(0)) this.#fetcher.fetch(queued, kind)
    this.#options.metrics.queue(this.#queue.length, this.#number)
    if (this.#hasWork) this.#schedule()
  }

  /** For how long the shard may have another owner, so that the memory may be out of date. */
  get #lapsedMs(): number {
    return performance.now() - this.#options.store.ownedUntil()
  }

  #fillTurn(turn: Turn): void {
    const hasAdvanced = this.#diskSpace.isAvailable && turn.advance()
    if (this.#diskSpace.isAvailable && !hasAdvanced) this.#schedule()
    const hasCapacity = () => !turn.isFull && (turn.cost === 0 || !this.#queue.hasOnlyExpensive)
    this.#queue.drain(commandsPerTurnMax, hasCapacity, (queued) => {
      if (this.#diskSpace.isAvailable || isQuery(queued)) turn.add(queued)
      else queued.reject(new Unavailable('The disk is full.'))
    })
    if (this.#diskSpace.isAvailable) turn.continueCancelling()
    if (hasAdvanced) turn.continueJob()
  }

  #onCommitted(turn: Turn, commitSeconds: number): void {
    const { orders, trades } = turn
    turn.answer()
    this.#listeners.publish(turn)
    this.#options.metrics.turn({ commands: turn.executed.length, orders, trades, commitSeconds })
    if (this.#pipeline.isEmpty && !this.#pipeline.hasFailed) this.#shard.evict()
    if (this.#hasWork) this.#schedule()
  }

  // An invariant was violated, so nothing of the turn may be stored. The command that violated it
  // gets the error; the callers of the others may send them again.
  #onTurnFailed(turn: Turn, error: unknown): void {
    this.#options.reportFailure('engine', 'invariant violated, turn discarded', { error })
    turn.current?.reject(error instanceof Error ? error : new Error(String(error)))
    turn.discard(new Unavailable('Another command in the same turn failed; send it again.'))
    this.#discardMemory()
  }

  #try(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#onBroken(error)
    }
  }

  // The engine failed between turns. Its memory may be wrong, so nothing is answered from it.
  #onBroken(error: unknown): void {
    this.#options.reportFailure('engine', 'engine failed, memory discarded', { error })
    this.#discardMemory()
  }

  #discardMemory(): void {
    if (this.#state !== 'running') return
    this.#state = 'rebuilding'
    void this.#pipeline.whenInFlightDone().then(() => this.#rebuild())
  }

  #onCommitFailed(isLast: boolean): void {
    if (this.#hasEnded) return
    this.#state = 'rebuilding'
    if (isLast) void this.#rebuild()
  }

  async #rebuild(): Promise<void> {
    if (this.#isRebuilding || this.#hasEnded) return
    this.#isRebuilding = true
    for (;;) {
      try {
        this.#report(await this.#pipeline.resolveFailed())
        await this.#load()
        break
      } catch (error) {
        if (this.#hasEnded) return
        this.#options.log.error('rebuild failed', { error: String(error) })
        this.#markUnreachable()
        await setTimeout(retryMs)
      }
    }
    this.#isRebuilding = false
    this.#options.metrics.rebuilt()
    this.#schedule()
  }

  // The callers do not wait until the store can be reached again: that may take long.
  #markUnreachable(): void {
    this.#state = 'unreachable'
    this.#pipeline.markUnknown()
    this.#queue.rejectAll(new Unavailable('The store cannot be reached.'))
  }

  get #hasEnded(): boolean {
    return hasEnded(this.#state)
  }

  #report(errors: readonly unknown[]): void {
    for (const error of errors) {
      this.#options.log.error('commit failed', { error: String(error) })
      if (isDiskFull(error)) this.#diskSpace.markFull()
    }
    this.#jobWaiters.rejectAll(new Unavailable('The command was interrupted; send it again.'))
  }

  async #load(): Promise<void> {
    const loaded = await this.#options.store.load()
    this.#shard.load(loaded)
    if (!this.#hasEnded) this.#state = 'running'
    void loadLaterKeys(this.#shard, loaded.laterKeys, this.#options.log)
  }

  /** The store has failed for good. Whether the turns in flight are committed stays unknown. */
  fail(error: Error): void {
    this.#state = 'failed'
    this.#pipeline.markAllUnknown()
    this.#queue.rejectAll(new Unavailable(error.message))
    clearInterval(this.#tick)
  }

  /** Refuses new commands; executes and commits those in the queue. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#runWhile(() => this.#hasWork, stopMs)
    clearInterval(this.#tick)
  }

  /** Refuses new commands with NotOwner; commits the queue. Jobs continue at the next owner. */
  async handOver(): Promise<void> {
    this.#isHandingOver = true
    await this.#runWhile(() => this.#queue.length > 0, handOverMs)
    this.#release()
    await this.#pipeline.whenInFlightDone()
    const isCommitted = !this.#pipeline.hasFailed
    await this.#pipeline.resolveLast().finally(() => this.#jobWaiters.release({ isCommitted }))
  }

  /** Another process owns the shard: nothing is committed any more. */
  async lose(): Promise<void> {
    this.#release()
    await this.#pipeline.resolveLost()
    this.#jobWaiters.release({ isCommitted: false })
  }

  /** Also while turns are in flight, and for as long as the engine can run. */
  async #runWhile(isNeeded: () => boolean, msMax: number): Promise<void> {
    const deadline = performance.now() + msMax
    while (isNeeded() || !this.#pipeline.isEmpty) {
      if (this.#hasEnded || performance.now() > deadline) break
      this.#schedule()
      await setTimeout(1)
    }
  }

  #release(): void {
    this.#state = 'released'
    clearInterval(this.#tick)
    this.#queue.rejectAll(new NotOwner())
  }
}
