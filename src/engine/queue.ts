// Commands that wait to be executed: cancels before the rest, each in the order of arrival. The
// queue is bounded, so that under overload commands are refused at once instead of piling up.

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
import type { KeyLookup } from './shard.ts'

const commandsMax = 10_000
const cancelsMax = 20_000
const waitMaxMs = 500

export type QueuedCommand = {
  readonly kind: CommandKind
  /** Unix milliseconds. */
  readonly queuedAt: number
  readonly operatorId: string | null
  /** The market that the command is about, if it names one. */
  marketSerial: Serial | null
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
  #cancels: QueuedCommand[] = []
  #others: QueuedCommand[] = []

  get length(): number {
    return this.#held.length + this.readyLength
  }

  /** Without the held commands. */
  get readyLength(): number {
    return this.#cancels.length + this.#others.length
  }

  /** Throws Unavailable if the queue is full, or if its first command has waited too long. */
  add(queued: QueuedCommand): void {
    const goesFirst = isCancel(queued)
    const queue = goesFirst ? this.#cancels : this.#others
    const max = goesFirst ? cancelsMax : commandsMax
    const first = queue[0]
    if (this.#held.length + queue.length >= max) {
      throw new Unavailable(`The command queue is full: ${max} commands are waiting.`)
    }
    if (!goesFirst && first !== undefined && queued.queuedAt - first.queuedAt > waitMaxMs) {
      throw new Unavailable(`Commands in the queue have waited for more than ${waitMaxMs} ms.`)
    }
    queue.push(queued)
  }

  /** Puts dequeued commands back at the front, in their order. */
  requeue(commands: readonly QueuedCommand[]): void {
    this.#cancels.unshift(...commands.filter(isCancel))
    this.#others.unshift(...commands.filter((queued) => !isCancel(queued)))
  }

  /** Keeps dequeued commands whose markets are late for the next turn. */
  hold(commands: readonly QueuedCommand[]): void {
    this.#held.push(...commands)
  }

  /** Removes and returns all held commands, and up to `atMost` others. */
  dequeue(atMost: number): QueuedCommand[] {
    const cancels = this.#cancels.splice(0, atMost)
    const others = this.#others.splice(0, atMost - cancels.length)
    return this.#held.splice(0).concat(cancels, others)
  }

  /**
   * Dequeues commands one after the other for as long as canContinue() is true. The others stay at
   * the front of the queue, even if `use` throws.
   */
  drain(atMost: number, canContinue: () => boolean, use: (queued: QueuedCommand) => void): void {
    const commands = this.dequeue(atMost)
    let used = 0
    try {
      while (used < commands.length && canContinue()) {
        used += 1
        use(commands[used - 1]!)
      }
    } finally {
      this.requeue(commands.slice(used))
    }
  }

  /** Empties the queue and returns every command that was in it. */
  clear(): QueuedCommand[] {
    return this.dequeue(this.length)
  }
}

function isCancel({ kind }: QueuedCommand): boolean {
  return kind === 'cancel' || kind === 'cancelMany'
}
