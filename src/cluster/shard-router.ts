// Commands of one shard on their way to its owner: to the engine of this node, or over the link to
// another node. What cannot be sent now is held for a short time. What was sent over a link that
// broke is sent again if it cannot be done twice.

import {
  type CommandKind,
  type Commands,
  CommitUnknown,
  type CostOf,
  NotOwner,
  type Result,
  type Submit,
  type SubmitAll,
  Unavailable,
} from '../engine/commands.ts'
import { refusalInForm } from '../engine/forms-needed.ts'
import { CurrentOwner, type Owner } from './current-owner.ts'
import { answerOfFirstTry } from './done-before.ts'
import { HeldCommands } from './held-commands.ts'
import type { PeerOutcome } from './peer.ts'
import { isQuery, isRepeatable, waitsForJob } from './repeatable.ts'
import {
  belongTogether,
  commandMsMax,
  groupsOf,
  holdEndOf,
  outcomeOf,
  type RoutedCommand,
  routedCommand,
} from './routed-command.ts'
import type { RoutedOutcome, RouterOptions, ShardCommands } from './router-options.ts'

/** How often limits of time are checked, and a refused or unreachable owner is tried again. */
const tickMs = 50

type ShardRouterOptions = RouterOptions & {
  readonly shard: number
  /** Called when so many more are held, or fewer if it is negative. */
  readonly onHeld: (more: number) => void
}

type Answer<Kind extends CommandKind> = Promise<Result<Commands[Kind]['answer']>>

export class ShardRouter implements ShardCommands {
  readonly #options: ShardRouterOptions
  readonly #current = new CurrentOwner()
  readonly #held = new HeldCommands<RoutedCommand>()
  /** Sent to other nodes and not answered, without jobs. */
  readonly #inFlight = new Set<RoutedCommand>()
  #arrivals = 0
  #hasTimer = false
  #isStopped = false

  constructor(options: ShardRouterOptions) {
    this.#options = options
  }

  readonly submit: Submit = (kind, command) => {
    const engine = this.#openEngine()
    if (engine === null) return this.#route(kind, [command])[0]!
    return this.#followLocal(kind, command, engine.submit(kind, command))
  }

  readonly submitAll: SubmitAll = (kind, commands) => {
    if (commands.length === 0) return []
    const engine = this.#openEngine()
    if (engine === null) return this.#route(kind, commands)
    const answers = engine.submitAll(kind, commands)
    return answers.map((answer, at) => this.#followLocal(kind, commands[at]!, answer))
  }

  readonly costOf: CostOf = (kind, command) =>
    this.#options.local(this.#options.shard)?.costOf(kind, command) ?? null

  /** The route may have changed, or a link was connected: tries again what is held. */
  retry(): void {
    if (!this.#isStopped) this.#sendHeld()
  }

  /** Gives up what is held. */
  stop(): void {
    this.#isStopped = true
    for (const routed of this.#removeHeld(() => true)) this.#fail(routed, stopping())
  }

  /** The engine of this node, if a command that is given to it overtakes no other. */
  #openEngine(): ShardCommands | null {
    const engine = this.#options.local(this.#options.shard)
    if (engine === null || this.#held.length > 0) return null
    return this.#current.isOpen(engine) ? engine : null
  }

  // Most commands end here, so no more is kept of them than what the closures need.
  #followLocal<Kind extends CommandKind>(
    kind: Kind,
    command: Commands[Kind]['command'],
    answer: Answer<Kind>,
  ): Answer<Kind> {
    const arrivedAt = this.#options.now()
    this.#arrivals += 1
    const arrival = this.#arrivals
    const isJob = waitsForJob(kind, command)
    const period = isJob ? this.#current.period : this.#current.begin()
    return answer.then(
      (result) => {
        if (!isJob) this.#leave(period)
        this.#measure('local', arrivedAt)
        return result
      },
      (error: unknown) => {
        if (error instanceof NotOwner) {
          return new Promise((resolve, reject) => {
            const routed = this.#routed(kind, command, { arrival, arrivedAt, resolve, reject })
            Object.assign(routed, { period, tries: 1, isUnderWay: !isJob })
            this.#onOutcome(routed, { kind: 'NOT_OWNER', owner: null })
          })
        }
        if (!isJob) this.#leave(period)
        throw error
      },
    )
  }

  #route<Kind extends CommandKind>(
    kind: Kind,
    commands: readonly Commands[Kind]['command'][],
  ): readonly Answer<Kind>[] {
    const arrivedAt = this.#options.now()
    const all: RoutedCommand[] = []
    const form = this.#options.eventForm()
    const answers = commands.map((command): Answer<Kind> => {
      // An owner of an earlier version would leave out what it does not know.
      const unreadable = refusalInForm(form, { kind, command })
      if (unreadable !== null) return Promise.reject(unreadable)
      this.#arrivals += 1
      const arrival = this.#arrivals
      return new Promise((resolve, reject) => {
        all.push(this.#routed(kind, command, { arrival, arrivedAt, resolve, reject }))
      })
    })
    if (all.length === 0) return answers
    const owner = this.#held.length > 0 || this.#isStopped ? null : this.#reachableOwner()
    if (owner !== null && this.#current.capacityFor(owner, arrivedAt) >= all.length) {
      this.#send(owner, all)
    } else {
      for (const routed of all) this.#hold(routed)
      this.#sendHeld()
    }
    return answers
  }

  #routed<Kind extends CommandKind>(
    kind: Kind,
    command: Commands[Kind]['command'],
    arrival: {
      readonly arrival: number
      readonly arrivedAt: number
      readonly resolve: (result: Result<Commands[Kind]['answer']>) => void
      readonly reject: (error: Error) => void
    },
  ): RoutedCommand {
    const resolve = arrival.resolve as RoutedCommand['resolve']
    return routedCommand(kind, command, { ...arrival, resolve, shard: this.#options.shard })
  }

  #hold(routed: RoutedCommand): void {
    routed.heldAt = this.#options.now()
    if (this.#isStopped) {
      this.#fail(routed, stopping())
    } else if (this.#held.add(routed)) {
      this.#options.onHeld(1)
      this.#setTimer()
    } else {
      this.#fail(routed, new Unavailable('Too many commands wait for the owner of the shard.'))
    }
  }

  #removeHeld(condition: (routed: RoutedCommand) => boolean): RoutedCommand[] {
    const removed = this.#held.removeIf(condition)
    if (removed.length > 0) this.#options.onHeld(-removed.length)
    return removed
  }

  #sendHeld(): void {
    if (this.#held.length === 0) return
    const owner = this.#reachableOwner()
    if (owner === null) return
    const now = this.#options.now()
    const capacity = this.#current.capacityFor(owner, now)
    if (capacity <= 0) return
    const isOpen = this.#current.isOpen(owner)
    const next = isOpen ? this.#held.removeFirst(capacity) : this.#held.removeGroup(belongTogether)
    this.#options.onHeld(-next.length)
    for (const routed of next) routed.heldMs += now - routed.heldAt
    for (const group of groupsOf(next)) this.#send(owner, group)
  }

  /** The owner, if commands can be sent to it now. */
  #reachableOwner(): Owner | null {
    const { local, peer, routes, shard } = this.#options
    const engine = local(shard)
    if (engine !== null) return engine
    const route = routes.owner(shard)
    return route !== null && peer(route.nodeId)?.isConnected === true ? route : null
  }

  #send(owner: Owner, group: readonly RoutedCommand[]): void {
    const { now, peer, shard } = this.#options
    const { kind, deadlineAt, isJob } = group[0]!
    const commands = group.map(({ command }) => command)
    for (const routed of group) {
      routed.tries += 1
      routed.isUnderWay = !isJob
      routed.period = isJob ? this.#current.period : this.#current.begin()
    }
    if ('submitAll' in owner) {
      const answers = owner.submitAll(kind, commands)
      for (const [at, routed] of group.entries()) this.#followEngine(routed, answers[at]!)
      return
    }
    const msLeft = isJob ? null : Math.max(0, deadlineAt - now())
    const outcomes = peer(owner.nodeId)!.sendAll(shard, kind, commands, msLeft)
    for (const [at, routed] of group.entries()) {
      if (!isJob) this.#inFlight.add(routed)
      outcomes[at]!.then(
        (outcome) => this.#onOutcome(routed, outcome),
        () => this.#onOutcome(routed, { kind: 'LOST' }),
      )
    }
    this.#setTimer()
  }

  #followEngine(routed: RoutedCommand, answer: Promise<Result<unknown>>): void {
    answer.then(
      (result) => this.#onOutcome(routed, { kind: 'ANSWERED', result }),
      (error: Error) => {
        if (error instanceof NotOwner) {
          this.#onOutcome(routed, { kind: 'NOT_OWNER', owner: null })
          return
        }
        this.#fail(routed, error)
        this.#current.prove(routed.period)
        this.#endTry(routed)
      },
    )
  }

  // A command that is held again gets its place before others can be sent.
  #onOutcome(routed: RoutedCommand, outcome: PeerOutcome): void {
    const { now, routes, shard } = this.#options
    if (!routed.isEnded) this.#apply(outcome, routed)
    if (outcome.kind === 'NOT_OWNER') this.#current.refuse(routed.period, now())
    else if (!(outcome.kind === 'UNSENT' || outcome.kind === 'LOST')) {
      this.#current.prove(routed.period)
    }
    this.#endTry(routed)
    if (outcome.kind === 'NOT_OWNER' && outcome.owner !== null) {
      routes.setOwner(shard, outcome.owner)
    }
  }

  #apply(outcome: PeerOutcome, routed: RoutedCommand): void {
    switch (outcome.kind) {
      case 'ANSWERED':
        this.#answer(routed, outcome.result)
        break
      case 'NOT_OWNER':
      case 'UNSENT':
        if (this.#isOvertaken(routed)) this.#fail(routed, new Unavailable('The shard has moved.'))
        else this.#hold(routed)
        break
      case 'LOST':
        this.#onLost(routed)
        break
      case 'UNAVAILABLE':
        this.#fail(routed, new Unavailable(outcome.message))
        break
      case 'UNKNOWN':
        this.#fail(routed, new CommitUnknown(outcome.message))
        break
      case 'FAILED':
        this.#fail(routed, new Error(`The owner of the shard failed: ${outcome.message}`))
    }
  }

  // Its owner has answered so late that the next one has later commands already. After a loss there
  // is no order to keep.
  #isOvertaken({ period, isJob, mayBeDone, kind }: RoutedCommand): boolean {
    return period !== this.#current.period && !isJob && !mayBeDone && !isQuery(kind)
  }

  #onLost(routed: RoutedCommand): void {
    const { kind, command, isJob } = routed
    if (!isRepeatable(kind, command)) {
      this.#fail(routed, new CommitUnknown('The link to the owner of the shard broke.'))
      return
    }
    routed.mayBeDone = !isQuery(kind)
    routed.heldMs = 0
    if (isJob) routed.deadlineAt = this.#options.now() + commandMsMax
    this.#hold(routed)
  }

  #endTry(routed: RoutedCommand): void {
    this.#inFlight.delete(routed)
    if (!routed.isUnderWay) {
      this.#sendHeld()
      return
    }
    routed.isUnderWay = false
    this.#leave(routed.period)
  }

  #leave(period: number): void {
    this.#current.end(period)
    if (this.#held.length > 0) this.#sendHeld()
  }

  #answer(routed: RoutedCommand, result: Result<unknown>): void {
    const { mayBeDone, isJob, tries } = routed
    const isAgain = mayBeDone || (isJob && tries > 1)
    const stored = isAgain ? answerOfFirstTry(this.#options, routed, result) : null
    if (stored === null) {
      this.#resolve(routed, result)
      return
    }
    const fail = () => this.#fail(routed, new CommitUnknown('The stored answer was not found.'))
    stored.then((answer) => {
      if (answer === null) fail()
      else this.#resolve(routed, { isAccepted: true, answer })
    }, fail)
  }

  #resolve(routed: RoutedCommand, result: Result<unknown>): void {
    this.#end(routed, 'ANSWERED')
    this.#measure('remote', routed.arrivedAt)
    routed.resolve(result)
  }

  // What an owner says of its try is not true of the tries before it.
  #fail(routed: RoutedCommand, error: Error): void {
    const fault = routed.mayBeDone ? new CommitUnknown(error.message, { cause: error }) : error
    this.#end(routed, outcomeOf(fault))
    routed.reject(fault)
  }

  #end(routed: RoutedCommand, outcome: RoutedOutcome): void {
    routed.isEnded = true
    this.#options.metrics.routed(routed.kind, outcome)
  }

  #measure(where: 'local' | 'remote', arrivedAt: number): void {
    const { metrics, now } = this.#options
    metrics.routeSeconds(where, (now() - arrivedAt) / 1_000)
  }

  #setTimer(): void {
    if (this.#hasTimer || this.#isStopped) return
    this.#hasTimer = true
    this.#options.setTimer(() => this.#tick(), tickMs)
  }

  #tick(): void {
    this.#hasTimer = false
    if (this.#isStopped) return
    const now = this.#options.now()
    for (const routed of this.#removeHeld((held) => now >= holdEndOf(held))) {
      this.#fail(routed, new Unavailable('The owner of the shard cannot be reached.'))
    }
    for (const routed of this.#inFlight) if (now >= routed.deadlineAt) this.#onDeadline(routed)
    this.#sendHeld()
    if (this.#held.length > 0 || this.#inFlight.size > 0) this.#setTimer()
  }

  #onDeadline(routed: RoutedCommand): void {
    const message = 'The owner of the shard did not answer in time.'
    const isSafe = isQuery(routed.kind)
    this.#fail(routed, isSafe ? new Unavailable(message) : new CommitUnknown(message))
    this.#endTry(routed)
  }
}

function stopping(): Unavailable {
  return new Unavailable('The service is shutting down.')
}
