// Simulated owners. The record, of which there is one, executes a command if its node owns the
// shard in the present epoch, and one with a transactionId or an order once only.

import type { PeerOutcome, Route } from '../../src/cluster/peer.ts'
import { isQuery, waitsForJob } from '../../src/cluster/repeatable.ts'
import type { CommandKind, Commands, Result } from '../../src/engine/commands.ts'
import type { Random } from '../support/process/random.ts'
import type { SimClock } from './router-clock.ts'

/** A command with what the simulator knows of it. */
export type SimCommand = Commands[CommandKind]['command'] & {
  readonly number: number
  readonly simKind: CommandKind
  /** A link broke when it was under way. */
  wasLost: boolean
}

export type Execution = {
  readonly shard: number
  readonly command: SimCommand
  readonly epoch: number
  readonly at: number
}

export type Received = { readonly deadline: number; readonly reply: (to: PeerOutcome) => void }

/** What all nodes share, as they share the database. */
export class SimRecord {
  readonly owners: (Route | null)[] = []
  readonly epochs: number[] = []
  readonly executions: Execution[] = []
  readonly #done = new Set<string>()
  readonly #clock: SimClock

  constructor(clock: SimClock) {
    this.#clock = clock
  }

  claim(shard: number, nodeId: string): Route {
    const epoch = (this.epochs[shard] ?? 0) + 1
    this.epochs[shard] = epoch
    const route = { nodeId, epoch }
    this.owners[shard] = route
    return route
  }

  /** The result; null if the epoch is over. */
  execute(shard: number, epoch: number, command: SimCommand): Result<unknown> | null {
    const { simKind, number } = command
    if (this.owners[shard]?.epoch !== epoch) return null
    if (isQuery(simKind)) return { isAccepted: true, answer: number }
    const isOnce =
      simKind === 'cancel' ||
      simKind === 'settle' ||
      ('transactionId' in command && command.transactionId !== null)
    if (isOnce && this.#done.has(`${number}`)) return repeated(command)
    this.#done.add(`${number}`)
    this.executions.push({ shard, command, epoch, at: this.#clock.now() })
    return { isAccepted: true, answer: number }
  }
}

function repeated({ simKind, number }: SimCommand): Result<unknown> {
  if (simKind === 'cancel') {
    return { isAccepted: false, reject: { code: 'ORDER_CANNOT_CANCEL', status: 'CANCELLED' } }
  }
  if (simKind === 'settle') {
    return { isAccepted: false, reject: { code: 'SETTLEMENT_ALREADY_COMPLETED' } }
  }
  return { isAccepted: true, answer: number }
}

type Waiting = Received & { readonly command: SimCommand; isDone: boolean }

class SimEngine {
  readonly epoch: number
  /** A loaded engine accepts commands until it is closed. */
  isLoaded = false
  isClosed = false
  queue: Waiting[] = []
  jobs: Waiting[] = []

  constructor(epoch: number) {
    this.epoch = epoch
  }
}

/** Chances in percent of what an owner may answer instead of a result. */
export type Faults = {
  readonly unavailable: number
  readonly failed: number
  readonly unknown: number
}

type NodeOptions = {
  readonly id: string
  readonly clock: SimClock
  readonly random: Random
  readonly record: SimRecord
  readonly faults: Faults
}

export class SimNode {
  readonly id: string
  isFrozen = false
  isDown = false
  readonly #options: NodeOptions
  readonly #engines = new Map<number, SimEngine>()
  /** Former owners, which may be given as a hint. */
  readonly #heard = new Map<number, Route[]>()
  #backlog: (() => void)[] = []

  constructor(options: NodeOptions) {
    this.id = options.id
    this.#options = options
  }

  hear(shard: number, route: Route): void {
    this.#heard.set(shard, [...(this.#heard.get(shard) ?? []), route])
  }

  /** The epoch of its engine; null if it accepts no commands. */
  epochOf(shard: number): number | null {
    const engine = this.#engines.get(shard)
    return engine?.isLoaded === true && !engine.isClosed ? engine.epoch : null
  }

  receive(shard: number, kind: CommandKind, command: SimCommand, received: Received): void {
    this.#whenAwake(() => this.#accept(shard, kind, command, received))
  }

  #accept(shard: number, kind: CommandKind, command: SimCommand, received: Received): void {
    const { random, faults } = this.#options
    const engine = this.#engines.get(shard)
    if (engine === undefined || !engine.isLoaded || engine.isClosed) {
      received.reply({ kind: 'NOT_OWNER', owner: this.#hint(shard) })
    } else if (random.chance(faults.unavailable)) {
      received.reply({ kind: 'UNAVAILABLE', message: 'simulated' })
    } else if (random.chance(faults.failed)) {
      received.reply({ kind: 'FAILED', message: 'simulated' })
    } else if (waitsForJob(kind, command)) {
      this.#startJob(shard, engine, { ...received, command, isDone: false })
    } else {
      engine.queue.push({ ...received, command, isDone: false })
      if (engine.queue.length === 1) this.#scheduleTurn(shard, engine)
    }
  }

  #hint(shard: number): Route | null {
    const { random, record } = this.#options
    const heard = this.#heard.get(shard) ?? []
    if (random.chance(30) || heard.length === 0) return null
    return random.chance(50) ? record.owners[shard]! : random.pick(heard)
  }

  #startJob(shard: number, engine: SimEngine, waiting: Waiting): void {
    const { clock, random } = this.#options
    engine.jobs.push(waiting)
    const ms = random.chance(70) ? random.between(0, 200) : random.between(0, 12_000)
    clock.after(ms, () => this.#whenAwake(() => this.#run(shard, engine, waiting)))
  }

  #scheduleTurn(shard: number, engine: SimEngine): void {
    const { clock, random } = this.#options
    const ms = random.chance(90) ? random.between(0, 5) : random.between(0, 80)
    clock.after(ms, () => this.#whenAwake(() => this.#runTurn(shard, engine)))
  }

  #runTurn(shard: number, engine: SimEngine): void {
    for (const waiting of engine.queue.splice(0)) this.#run(shard, engine, waiting)
  }

  #run(shard: number, engine: SimEngine, waiting: Waiting): void {
    const { clock, random, record, faults } = this.#options
    if (waiting.isDone) return
    waiting.isDone = true
    if (this.#engines.get(shard) !== engine && !engine.isClosed) return
    const { command, deadline, reply } = waiting
    if (clock.now() >= deadline) {
      reply({ kind: 'UNAVAILABLE', message: 'too late' })
      return
    }
    const isUnknown = !isQuery(command.simKind) && random.chance(faults.unknown)
    const result =
      isUnknown && random.chance(50) ? null : record.execute(shard, engine.epoch, command)
    const answer: PeerOutcome = isUnknown
      ? { kind: 'UNKNOWN', message: 'simulated' }
      : result === null
        ? { kind: 'NOT_OWNER', owner: this.#hint(shard) }
        : { kind: 'ANSWERED', result }
    clock.after(random.between(0, 3), () => this.#whenAwake(() => reply(answer)))
  }

  /** Starts to own a shard: refuses commands until it is loaded. */
  start(shard: number, { epoch }: Route, load: { ms: number; onLoaded: () => void }): void {
    this.lose(shard)
    const engine = new SimEngine(epoch)
    this.#engines.set(shard, engine)
    this.#options.clock.after(load.ms, () => {
      engine.isLoaded = true
      load.onLoaded()
    })
  }

  /** Refuses commands from now on; what is executed within the given time is answered. */
  close(shard: number, drainMs: number, onReleased: () => void): void {
    const engine = this.#engines.get(shard)
    if (engine === undefined) return
    engine.isClosed = true
    this.#options.clock.after(drainMs, () => {
      onReleased()
      this.#drop(shard, engine)
    })
  }

  /** The shard has another owner or epoch: what waits is refused. */
  lose(shard: number): void {
    const engine = this.#engines.get(shard)
    if (engine === undefined || engine.epoch === this.#options.record.owners[shard]?.epoch) return
    this.#whenAwake(() => this.#drop(shard, engine))
  }

  #drop(shard: number, engine: SimEngine): void {
    engine.isClosed = true
    if (this.#engines.get(shard) === engine) this.#engines.delete(shard)
    for (const waiting of [...engine.queue.splice(0), ...engine.jobs.splice(0)]) {
      if (waiting.isDone) continue
      waiting.isDone = true
      waiting.reply({ kind: 'NOT_OWNER', owner: this.#hint(shard) })
    }
  }

  freeze(ms: number): void {
    this.isFrozen = true
    this.#options.clock.after(ms, () => {
      this.isFrozen = false
      for (const run of this.#backlog.splice(0)) this.#whenAwake(run)
    })
  }

  /** Its memory is gone; it comes back empty. */
  kill(ms: number): void {
    this.isDown = true
    this.#engines.clear()
    this.#backlog = []
    this.#options.clock.after(ms, () => {
      this.isDown = false
    })
  }

  #whenAwake(run: () => void): void {
    if (this.isDown) return
    if (this.isFrozen) this.#backlog.push(run)
    else run()
  }
}
