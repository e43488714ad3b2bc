// Commands that wait to be executed. Each operator has a line of its own, in which cancels go
// first, and operators are served in rounds, by cost. Lines are bounded: under overload, commands
// of the operator that causes it are refused at once instead of piling up.

import type { Serial } from '../core/ids.ts'
import type { Exchange } from '../core/state/exchange.ts'
import type { Market } from '../core/state/market.ts'
import type { SettlementRow } from '../store/store.ts'
import {
  type CommandKind,
  type Commands,
  type KeyedCommand,
  type Result,
  Unavailable,
} from './commands.ts'
import { type ExecutionContext, type Executors, executors } from './execute.ts'
import { FairQueue } from './fair-queue.ts'
import type { KeyLookup } from './shard.ts'

/** Of one operator. */
const commandsMax = 10_000
const cancelsMax = 20_000
const waitMsMax = 500
/** So few commands do not wait for each other: what holds them up is the load of others. */
const shortLine = 64
/**
 * How many operators can have as many commands waiting as they may, before the queue as a whole is
 * full. Only operators with less than an equal share can then add more.
 */
const fullOwners = 5

export type QueuedCommand = {
  readonly kind: CommandKind
  /** Unix milliseconds. */
  readonly queuedAt: number
  readonly operatorId: string | null
  /** The market that the command is about, if it names one. */
  marketSerial: Serial | null
  /** The trace that its request belongs to, if it names one. */
  readonly traceId: string | undefined
  /** The command itself if it can carry a transactionId. */
  readonly keyed: KeyedCommand | null
  /** The generation of the shard into which the market was last fetched from the store. */
  marketFetchGeneration: number | null
  /** A finished lookup that did not find the transactionId in the store. */
  keyLookup: KeyLookup | null
  /** Fetched from the store; undefined until then, null if there is none. */
  settlement: SettlementRow | null | undefined
  readonly command: Commands[CommandKind]['command']
  readonly execute: (context: ExecutionContext) => Result<unknown>
  readonly resolve: (result: Result<unknown>) => void
  readonly reject: (error: Error) => void
}

export function queuedCommand<Kind extends CommandKind>(
  kind: Kind,
  command: Commands[Kind]['command'],
  queuedAt: number,
  { resolve, reject }: Pick<QueuedCommand, 'resolve' | 'reject'>,
): QueuedCommand {
  const execute: Executors[Kind] = executors[kind]
  return {
    kind,
    command,
    queuedAt,
    operatorId: 'operatorId' in command ? command.operatorId : null,
    marketSerial: 'marketSerial' in command ? command.marketSerial : null,
    traceId: 'traceId' in command ? command.traceId : undefined,
    keyed: 'transactionId' in command && 'playerId' in command ? command : null,
    marketFetchGeneration: null,
    keyLookup: null,
    settlement: undefined,
    execute: (context) => execute(context, command),
    resolve,
    reject,
  }
}

/** The markets that a command is about, without those that are not in memory. */
export function marketsOf(
  { command, marketSerial }: QueuedCommand,
  exchange: Exchange,
): readonly Market[] {
  if (marketSerial !== null) {
    const market = exchange.market(marketSerial)
    return market === undefined ? [] : [market]
  }
  const { books, orders } = exchange
  const serials =
    'orderSerials' in command
      ? command.orderSerials
      : 'orderSerial' in command
        ? [command.orderSerial]
        : []
  const open = serials.map((serial) => orders.find(serial)).filter((order) => order >= 0)
  return open.map((order) => books.at(orders.book(order)).market)
}

export class CommandQueue {
  /** Commands about late markets; they are tried in every turn and block no other command. */
  #held: QueuedCommand[] = []
  /** How many commands of each owner are held. */
  readonly #heldCounts = new Map<string, number>()
  readonly #ready = new FairQueue<QueuedCommand>()

  get length(): number {
    return this.#held.length + this.readyLength
  }

  /** Without the held commands. */
  get readyLength(): number {
    return this.#ready.length
  }

  /**
   * Whether only an operator waits whose last command cost more than a turn. Its next one may, too:
   * the commands of others are committed and answered first.
   */
  get hasOnlyExpensive(): boolean {
    return this.#ready.hasOnlyExpensive
  }

  /**
   * Throws Unavailable if too many commands of the owner wait, if the first of more than a few has
   * waited too long, or if the queue as a whole is full and the owner has its share of it.
   */
  add(queued: QueuedCommand): void {
    const owner = ownerOf(queued)
    const isUrgent = isCancel(queued)
    const max = isUrgent ? cancelsMax : commandsMax
    const line = this.#ready.line(owner)
    const lineLength = (isUrgent ? line?.urgent.length : line?.usual.length) ?? 0
    const waiting = lineLength + (this.#heldCounts.get(owner) ?? 0)
    if (waiting >= max) {
      throw new Unavailable(`Too many ${nameOf(queued)} are waiting; at most ${max} may wait.`)
    }
    const first = lineLength < shortLine ? undefined : line?.usual.first
    if (!isUrgent && first !== undefined && queued.queuedAt - first.queuedAt > waitMsMax) {
      throw new Unavailable(`The first of the ${nameOf(queued)} has waited over ${waitMsMax} ms.`)
    }
    const allMax = max * fullOwners
    if (this.length >= allMax && waiting >= allMax / this.#ready.waitingOwners) {
      throw new Unavailable(`The command queue is full: ${this.length} commands are waiting.`)
    }
    this.#ready.add(owner, queued, isUrgent)
  }

  /** Puts dequeued commands back at the front of their owners' lines, in their order. */
  requeue(commands: readonly QueuedCommand[]): void {
    for (const queued of commands.toReversed()) {
      this.#ready.putFirst(ownerOf(queued), queued, isCancel(queued))
    }
  }

  /** Keeps dequeued commands whose markets are late for the next turn. */
  hold(commands: readonly QueuedCommand[]): void {
    for (const queued of commands) {
      const owner = ownerOf(queued)
      this.#heldCounts.set(owner, (this.#heldCounts.get(owner) ?? 0) + 1)
      this.#held.push(queued)
    }
  }

  /** Charges an operator for work that was done; null for that of public queries. */
  charge(operatorId: string | null, cost: number): void {
    this.#ready.charge(operatorId ?? publicOwner, cost)
  }

  /**
   * Dequeues all held commands and up to `atMost` others, one after the other, for as long as
   * canContinue() is true. `use` has to charge for them. The held commands that were not used go
   * back to their lines, even if `use` throws.
   */
  drain(atMost: number, canContinue: () => boolean, use: (queued: QueuedCommand) => void): void {
    this.#drainHeld(canContinue, use)
    for (let used = 0; used < atMost && canContinue(); used += 1) {
      const queued = this.#ready.next()
      if (queued === undefined) return
      use(queued)
    }
  }

  #drainHeld(canContinue: () => boolean, use: (queued: QueuedCommand) => void): void {
    if (this.#held.length === 0) return
    const held = this.#removeHeld()
    let used = 0
    try {
      while (used < held.length && canContinue()) {
        used += 1
        use(held[used - 1]!)
      }
    } finally {
      this.requeue(held.slice(used))
    }
  }

  /** Empties the queue and rejects every command that was in it. */
  rejectAll(error: Error): void {
    for (const queued of this.#removeHeld().concat(this.#ready.clear())) queued.reject(error)
  }

  #removeHeld(): QueuedCommand[] {
    this.#heldCounts.clear()
    return this.#held.splice(0)
  }
}

/** Public queries have no operator; they share one line. */
const publicOwner = 'public'

function ownerOf({ operatorId }: QueuedCommand): string {
  return operatorId ?? publicOwner
}

function nameOf(queued: QueuedCommand): string {
  if (queued.operatorId === null) return 'public queries'
  return isCancel(queued) ? 'cancels of this operator' : 'commands of this operator'
}

// A renewal that came too late would cancel everything; a brake or to end a group is as urgent.
function isCancel({ kind }: QueuedCommand): boolean {
  return urgentKinds.has(kind)
}

const urgentKinds: ReadonlySet<CommandKind> = new Set([
  'cancel',
  'cancelMany',
  'armDeadMan',
  'clearDeadMan',
  'changeControls',
  'triggerOrderGroup',
  'deleteOrderGroup',
])
