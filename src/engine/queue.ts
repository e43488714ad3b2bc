// Commands that wait for their turn: cancels before the rest, each in the order of arrival. Both
// lines are bounded, so that a flood is refused instead of kept.

import type { Exchange } from '../core/state/exchange.ts'
import type { Market } from '../core/state/market.ts'
import type { SettlementRow } from '../store/store.ts'
import {
  type ChangeSets,
  type CommandKind,
  type Commands,
  type PlaceOrder,
  type Result,
  Unavailable,
} from './commands.ts'
import { type PerformContext, type Performers, performers } from './execute.ts'
import type { KeyWatch } from './shard.ts'

const commandsMax = 10_000
const cancelsMax = 20_000
const waitMax = 500

export type QueuedCommand = {
  readonly kind: CommandKind
  /** Of the clock, when it came. */
  readonly since: number
  readonly operatorId: string | null
  /** The market it is about, where it names one. */
  marketSerial: number | null
  /** Where it may be asked again under its transactionId. */
  readonly keyed: (PlaceOrder | ChangeSets) | null
  /** The generation of the memory into which its market was fetched from the store. */
  marketSoughtIn: number | null
  /** The store did not know its key; says whether somebody has used it since. */
  freeKey: KeyWatch | null
  /** What was fetched from the store for it. */
  settlement: SettlementRow | null | undefined
  readonly command: Commands[CommandKind]['command']
  readonly run: (context: PerformContext) => Result<unknown>
  readonly resolve: (result: Result<unknown>) => void
  readonly reject: (error: Error) => void
}

export function queuedCommand<Kind extends CommandKind>(
  kind: Kind,
  command: Commands[Kind]['command'],
  since: number,
  { resolve, reject }: Pick<QueuedCommand, 'resolve' | 'reject'>,
): QueuedCommand {
  const perform: Performers[Kind] = performers[kind]
  return {
    kind,
    command,
    since,
    operatorId: 'operatorId' in command ? command.operatorId : null,
    marketSerial: 'marketSerial' in command ? command.marketSerial : null,
    keyed: 'transactionId' in command && 'playerId' in command ? command : null,
    marketSoughtIn: null,
    freeKey: null,
    settlement: undefined,
    run: (context) => perform(context, command),
    resolve,
    reject,
  }
}

/** The markets that a command is about, as far as they are in memory. */
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
  /** About markets that are late; nobody waits behind them. */
  #held: QueuedCommand[] = []
  #cancels: QueuedCommand[] = []
  #others: QueuedCommand[] = []

  get length(): number {
    return this.#held.length + this.ready
  }

  /** How many nothing is known to hold up. */
  get ready(): number {
    return this.#cancels.length + this.#others.length
  }

  /** Throws Unavailable where the line is too long, or has not moved for too long. */
  add(queued: QueuedCommand): void {
    const goesFirst = isCancel(queued)
    const line = goesFirst ? this.#cancels : this.#others
    const first = line[0]
    if (this.#held.length + line.length >= (goesFirst ? cancelsMax : commandsMax)) {
      throw new Unavailable('Too many commands are waiting.')
    }
    if (!goesFirst && first !== undefined && queued.since - first.since > waitMax) {
      throw new Unavailable('Commands are waiting too long.')
    }
    line.push(queued)
  }

  /** Puts back what had to wait for the store: it keeps its place at the front. */
  putBack(queued: QueuedCommand): void {
    this.#others.unshift(queued)
  }

  /** What was taken and is not wanted yet: it is first in line again. */
  giveBack(accepted: readonly QueuedCommand[]): void {
    this.#cancels.unshift(...accepted.filter(isCancel))
    this.#others.unshift(...accepted.filter((queued) => !isCancel(queued)))
  }

  /** What was taken and is about a market that is late: it is asked for again in every turn. */
  hold(accepted: readonly QueuedCommand[]): void {
    this.#held.push(...accepted)
  }

  /** All that was held, and as many others as that. */
  take(atMost: number): QueuedCommand[] {
    const cancels = this.#cancels.splice(0, atMost)
    const others = this.#others.splice(0, atMost - cancels.length)
    return this.#held.splice(0).concat(cancels, others)
  }

  /** Takes one after the other while more are wanted. The rest stays, also where one throws. */
  serve(atMost: number, isMoreWanted: () => boolean, use: (queued: QueuedCommand) => void): void {
    const accepted = this.take(atMost)
    let begun = 0
    try {
      while (begun < accepted.length && isMoreWanted()) {
        begun += 1
        use(accepted[begun - 1]!)
      }
    } finally {
      this.giveBack(accepted.slice(begun))
    }
  }

  /** Takes everything, to refuse it. */
  clear(): QueuedCommand[] {
    return this.take(this.length)
  }
}

function isCancel({ kind }: QueuedCommand): boolean {
  return kind === 'cancel' || kind === 'cancelMany'
}
