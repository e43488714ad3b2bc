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
import { Room } from './disk-space.ts'
import { Fetcher } from './idempotency/fetcher.ts'
import { Listeners } from './listeners.ts'
import type { EngineOptions, StoredTurn } from './options.ts'
import { isSurelyFull, Pipeline } from './pipeline.ts'
import { newWaiting, type Waiting, WaitingLine } from './queue.ts'
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
  readonly #line = new WaitingLine()
  readonly #pipeline: Pipeline
  readonly #room: Room
  readonly #fetcher: Fetcher
  readonly #runWaiters = new Map<Market, Waiting[]>()
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
    this.#room = new Room({
      probe: () => options.store.shard.probe(),
      onBack: () => this.#schedule(),
      log: options.log,
    })
    this.#fetcher = new Fetcher({
      shard: this.#shard,
      reads: options.store.reads,
      now: options.now,
      landed: () => this.#pipeline.landed(),
      putBack: (waiting) => this.#putBack(waiting),
    })
    this.#tick = setInterval(() => this.#lookAtClock(), tickMs)
    this.#tick.unref()
  }

  /** Whether commands are taken and can be stored. */
  get isReady(): boolean {
    return this.#state === 'running' && this.#room.isThere && !this.#isStopping
  }

  /** Called with each turn once it is stored, in order. */
  onStored(listener: (turn: StoredTurn) => void): void {
    this.#listeners.add(listener)
  }

  readonly submit: Submit = (kind, ask) => {
    const answer = this.#lineUp(kind, ask)
    this.#wake()
    return answer
  }

  readonly submitAll: SubmitAll = (kind, asks) => {
    const answers = asks.map((ask) => this.#lineUp(kind, ask))
    this.#wake()
    return answers
  }

  #lineUp<Kind extends CommandKind>(kind: Kind, ask: Commands[Kind]['ask']) {
    return new Promise<Result<Commands[Kind]['answer']>>((resolve, reject) => {
      const waiting = newWaiting(kind, ask, this.#options.now(), {
        resolve: this.#fetcher.afterClosed(kind, ask, resolve as Waiting['resolve'], reject),
        reject,
      })
      this.#refuseIfClosed(waiting)
      this.#line.add(waiting)
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

  #refuseIfClosed(waiting: Waiting): void {
    if (this.#isStopping) throw new Unavailable('The service is shutting down.')
    if (this.#state === 'failed') throw new Unavailable('The store has failed.')
    if (this.#state === 'away') throw new Unavailable('The store cannot be reached.')
    if (!this.#room.isThere && !isReading(waiting)) throw new Unavailable('The disk is full.')
  }

  #putBack(waiting: Waiting): void {
    if (this.#state === 'failed') waiting.reject(new Unavailable('The store has failed.'))
    else this.#line.putBack(waiting)
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

  #lookAtClock(): void {
    const { exchange } = this.#shard
    const now = this.#options.now()
    const isDue = exchange.openings.isDue(now) || exchange.expiries.isDue(now)
    if (this.#hasWork || (this.#room.isThere && isDue)) this.#schedule()
  }

  get #hasWork(): boolean {
    return this.#line.length > 0 || (this.#room.isThere && this.#shard.runs.size > 0)
  }

  #runTurn(): void {
    if (this.#state !== 'running' || this.#pipeline.isFull) return
    const turn = new Turn({
      shard: this.#shard,
      now: this.#options.now(),
      runWaiters: this.#runWaiters,
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
    for (const { waiting, need } of turn.needs.splice(0)) this.#fetcher.fetch(waiting, need)
    this.#options.metrics.queue(this.#line.length)
    if (this.#hasWork) this.#schedule()
  }

  #fillTurn(turn: Turn): void {
    const isClear = this.#room.isThere && turn.advance()
    if (this.#room.isThere && !isClear) this.#schedule()
    const isMoreWanted = () => !turn.isFull
    this.#line.serve(commandsPerTurnMax, isMoreWanted, (waiting) => {
      if (this.#room.isThere || isReading(waiting)) turn.decide(waiting)
      else waiting.reject(new Unavailable('The disk is full.'))
    })
    if (isClear) turn.carryOn()
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
    turn.abandon(new Unavailable('Another command of the same turn failed.'))
    this.#state = 'rebuilding'
    void this.#pipeline.landed().then(() => this.#rebuild())
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
    this.#pipeline.doubt()
    const away = new Unavailable('The store cannot be reached.')
    for (const waiting of this.#line.clear()) waiting.reject(away)
  }

  get #hasFailed(): boolean {
    return this.#state === 'failed'
  }

  #report(errors: readonly unknown[]): void {
    for (const error of errors) {
      this.#options.log.error('turn not stored', { error: String(error) })
      if (isSurelyFull(error)) this.#room.lose()
    }
    for (const waiters of this.#runWaiters.values()) {
      for (const waiting of waiters) waiting.reject(new Unavailable('Try again.'))
    }
    this.#runWaiters.clear()
  }

  async #fill(): Promise<void> {
    this.#shard.fill(await this.#options.store.shard.load())
    if (!this.#hasFailed) this.#state = 'running'
  }

  /** The store is lost: nobody can be told what became of the turns on their way. */
  fail(error: Error): void {
    this.#state = 'failed'
    this.#pipeline.giveUp()
    for (const waiting of this.#line.clear()) waiting.reject(new Unavailable(error.message))
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
