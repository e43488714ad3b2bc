// The one writer of a shard. Waiting commands are decided together in turns; a turn is stored
// while the next is being decided, and nobody hears of a turn before it is known to be stored.
// When one cannot be stored, memory is thrown away and loaded anew: there is nothing to undo.

import { Ids } from '../core/ids.ts'
import type { Records } from '../core/snapshot/records.ts'
import { save } from '../core/snapshot/save.ts'
import type { Market } from '../core/state/market.ts'
import type { ShardHead } from '../store/store.ts'
import {
  type CommandKind,
  type Commands,
  type Result,
  type Submit,
  type SubmitAll,
  Unavailable,
} from './commands.ts'
import { DiskSpace } from './disk-space.ts'
import { Fetcher } from './idempotency/fetcher.ts'
import { Listeners } from './listeners.ts'
import type { EngineOptions, StoredTurn } from './options.ts'
import { isSurelyFull, Pipeline } from './pipeline.ts'
import { CommandQueue, type QueuedCommand, queuedCommand } from './queue.ts'
import { Shard, type ShardOperator } from './shard.ts'
import { isReading, Turn } from './turn.ts'

const commandsPerTurnMax = 512
/** From so many on, a turn need not wait for the rest of what came with them. */
const commandsPerEarlyTurn = 24
/** How often the clock is looked at for what is due. */
const tickMs = 50
const retryMs = 1_000
const stopMs = 8_000

/** While the store is away it cannot be asked what is stored: nothing is taken. */
type State = 'running' | 'rebuilding' | 'away' | 'failed'

export class Engine {
  readonly ids: Ids
  readonly #options: EngineOptions
  readonly #shard: Shard
  readonly #line = new CommandQueue()
  readonly #pipeline: Pipeline
  readonly #diskSpace: DiskSpace
  readonly #fetcher: Fetcher
  readonly #jobWaiters = new Map<Market, QueuedCommand[]>()
  readonly #listeners: Listeners
  readonly #tick: NodeJS.Timeout
  #state: State = 'rebuilding'
  #isRebuilding = false
  #isStopping = false
  #isScheduled = false

  static async start(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options, await options.store.shard.take())
    await engine.#fill()
    engine.#schedule()
    return engine
  }

  private constructor(options: EngineOptions, head: ShardHead) {
    this.#options = options
    this.#listeners = new Listeners(options.log)
    this.ids = new Ids({ shard: head.shard, key: head.idKey })
    this.#shard = new Shard(options.rules, this.ids)
    this.#pipeline = new Pipeline(options.store.shard, head, {
      onStored: (turn, commitSeconds) => this.#stored(turn, commitSeconds),
      onFailed: (isLast) => this.#notStored(isLast),
      onFound: (turn) => this.#listeners.tell(turn),
    })
    this.#diskSpace = new DiskSpace({
      probe: () => options.store.shard.probe(),
      onBack: () => this.#schedule(),
      log: options.log,
    })
    this.#fetcher = new Fetcher({
      shard: this.#shard,
      reads: options.store.reads,
      now: options.now,
      committed: () => this.#pipeline.committed(),
      putBack: (queued) => this.#putBack(queued),
    })
    this.#tick = setInterval(() => this.#checkClock(), tickMs)
    this.#tick.unref()
  }

  /** Whether commands are taken and can be stored. */
  get isReady(): boolean {
    return this.#state === 'running' && this.#diskSpace.isAvailable && !this.#isStopping
  }

  /** Called with each turn once it is stored, in order. */
  onStored(listener: (turn: StoredTurn) => void): void {
    this.#listeners.add(listener)
  }

  readonly submit: Submit = (kind, command) => {
    const answer = this.#lineUp(kind, command)
    this.#wake()
    return answer
  }

  readonly submitAll: SubmitAll = (kind, commands) => {
    const answers = commands.map((command) => this.#lineUp(kind, command))
    this.#wake()
    return answers
  }

  #lineUp<Kind extends CommandKind>(kind: Kind, command: Commands[Kind]['command']) {
    return new Promise<Result<Commands[Kind]['answer']>>((resolve, reject) => {
      const queued = queuedCommand(kind, command, this.#options.now(), {
        resolve: this.#fetcher.afterClosed(
          kind,
          command,
          resolve as QueuedCommand['resolve'],
          reject,
        ),
        reject,
      })
      this.#refuseIfClosed(queued)
      this.#line.add(queued)
    })
  }

  #wake(): void {
    if (this.#line.ready >= commandsPerEarlyTurn && !this.#pipeline.isFull) this.#runTurn()
    else this.#schedule()
  }

  /** What is in memory, for comparing it with what is stored; only when nothing is on its way. */
  records(): Records {
    return save(this.#shard.exchange)
  }

  /** New or changed settings. The record itself is stored already, by the registry. */
  putOperator(operator: ShardOperator): void {
    this.#shard.putOperator(operator)
  }

  #refuseIfClosed(queued: QueuedCommand): void {
    if (this.#isStopping) throw new Unavailable('The service is shutting down.')
    if (this.#state === 'failed') throw new Unavailable('The store has failed.')
    if (this.#state === 'away') throw new Unavailable('The store cannot be reached.')
    if (!this.#diskSpace.isAvailable && !isReading(queued))
      throw new Unavailable('The disk is full.')
  }

  #putBack(queued: QueuedCommand): void {
    if (this.#state === 'failed') queued.reject(new Unavailable('The store has failed.'))
    else this.#line.putBack(queued)
    this.#schedule()
  }

  // At the end of the loop's turn: all that came with it share a turn of ours.
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#runTurn()
    })
  }

  #checkClock(): void {
    const { exchange } = this.#shard
    const now = this.#options.now()
    const isDue = exchange.openings.isDue(now) || exchange.expiries.isDue(now)
    if (this.#hasWork || (this.#diskSpace.isAvailable && isDue)) this.#schedule()
  }

  get #hasWork(): boolean {
    return this.#line.length > 0 || (this.#diskSpace.isAvailable && this.#shard.jobs.size > 0)
  }

  #runTurn(): void {
    if (this.#state !== 'running' || this.#pipeline.isFull) return
    const turn = new Turn({
      shard: this.#shard,
      now: this.#options.now(),
      jobWaiters: this.#jobWaiters,
      onRefused: (code) => this.#options.metrics.refused(code),
      isHeard: this.#listeners.hasAny,
    })
    try {
      this.#fillTurn(turn)
      const rows = turn.close()
      if (rows === null) this.#pipeline.follow(turn)
      else this.#pipeline.send(turn, this.#shard.exchange, rows)
    } catch (error) {
      this.#quarantine(turn, error)
      return
    }
    this.#line.hold(turn.held.splice(0))
    for (const { queued, need } of turn.needs.splice(0)) this.#fetcher.fetch(queued, need)
    this.#options.metrics.queue(this.#line.length)
    if (this.#hasWork) this.#schedule()
  }

  #fillTurn(turn: Turn): void {
    const isClear = this.#diskSpace.isAvailable && turn.advance()
    if (this.#diskSpace.isAvailable && !isClear) this.#schedule()
    const isMoreWanted = () => !turn.isFull
    this.#line.serve(commandsPerTurnMax, isMoreWanted, (queued) => {
      if (this.#diskSpace.isAvailable || isReading(queued)) turn.decide(queued)
      else queued.reject(new Unavailable('The disk is full.'))
    })
    if (isClear) turn.continueJob()
  }

  #stored(turn: Turn, commitSeconds: number): void {
    const { orders, trades } = turn
    this.#options.metrics.turn({ commands: turn.decisions.length, orders, trades, commitSeconds })
    turn.release()
    this.#listeners.tell(turn)
    if (this.#pipeline.isEmpty && !this.#pipeline.hasFailed) this.#shard.forget()
    if (this.#hasWork) this.#schedule()
  }

  // A broken invariant: this turn is worth nothing. Who caused it hears so, the others try again.
  #quarantine(turn: Turn, error: unknown): void {
    this.#options.log.error('turn broken', { error: String(error) })
    turn.current?.reject(error instanceof Error ? error : new Error(String(error)))
    turn.discard(new Unavailable('Another command of the same turn failed.'))
    this.#state = 'rebuilding'
    void this.#pipeline.committed().then(() => this.#rebuild())
  }

  #notStored(isLast: boolean): void {
    if (this.#hasFailed) return
    this.#state = 'rebuilding'
    if (isLast) void this.#rebuild()
  }

  async #rebuild(): Promise<void> {
    if (this.#isRebuilding || this.#hasFailed) return
    this.#isRebuilding = true
    for (;;) {
      try {
        this.#report(await this.#pipeline.settleFailed())
        await this.#fill()
        break
      } catch (error) {
        if (this.#hasFailed) return
        this.#options.log.error('rebuild failed', { error: String(error) })
        this.#loseStore()
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
    this.#isRebuilding = false
    this.#options.metrics.rebuilt()
    this.#schedule()
  }

  // Nobody waits for a store that is away: it is asked again and again until it is back.
  #loseStore(): void {
    this.#state = 'away'
    this.#pipeline.markUnknown()
    const away = new Unavailable('The store cannot be reached.')
    for (const queued of this.#line.clear()) queued.reject(away)
  }

  get #hasFailed(): boolean {
    return this.#state === 'failed'
  }

  #report(errors: readonly unknown[]): void {
    for (const error of errors) {
      this.#options.log.error('turn not stored', { error: String(error) })
      if (isSurelyFull(error)) this.#diskSpace.lose()
    }
    for (const waiters of this.#jobWaiters.values()) {
      for (const queued of waiters) queued.reject(new Unavailable('Try again.'))
    }
    this.#jobWaiters.clear()
  }

  async #fill(): Promise<void> {
    this.#shard.fill(await this.#options.store.shard.load())
    if (!this.#hasFailed) this.#state = 'running'
  }

  /** The store is lost: nobody can be told what became of the turns on their way. */
  fail(error: Error): void {
    this.#state = 'failed'
    this.#pipeline.giveUp()
    for (const queued of this.#line.clear()) queued.reject(new Unavailable(error.message))
    clearInterval(this.#tick)
  }

  /** Takes nothing new; what waits is decided and stored. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const deadline = performance.now() + stopMs
    while (this.#hasWork || !this.#pipeline.isEmpty) {
      if (this.#hasFailed || performance.now() > deadline) break
      this.#schedule()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    clearInterval(this.#tick)
  }
}
