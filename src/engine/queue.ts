// Commands that wait for their turn: cancels before the rest, each in the order of arrival. Both
// lines are bounded, so that a flood is refused instead of kept.

import type { Exchange } from '../core/state/exchange.ts'
import type { Market } from '../core/state/market.ts'
import type { SettlementRow } from '../store/store.ts'
import {
  type CommandKind,
  type Commands,
  type PlaceAsk,
  type Result,
  type SetsAsk,
  Unavailable,
} from './commands.ts'
import { type Performers, performers, type Situation } from './perform.ts'
import type { KeyWatch } from './shard.ts'

const commandsMax = 10_000
const cancelsMax = 20_000
const waitMax = 500

export type Waiting = {
  readonly kind: CommandKind
  /** Of the clock, when it came. */
  readonly since: number
  readonly operatorId: string | null
  /** The market it is about, where it names one. */
  marketId: number | null
  /** Where it may be asked again under its transactionId. */
  readonly keyed: (PlaceAsk | SetsAsk) | null
  /** The generation of the memory into which its market was fetched from the store. */
  marketSoughtIn: number | null
  /** The store did not know its key; says whether somebody has used it since. */
  freeKey: KeyWatch | null
  /** What was fetched from the store for it. */
  settlement: SettlementRow | null | undefined
  readonly ask: Commands[CommandKind]['ask']
  readonly run: (situation: Situation) => Result<unknown>
  readonly resolve: (result: Result<unknown>) => void
  readonly reject: (error: Error) => void
}

export function newWaiting<Kind extends CommandKind>(
  kind: Kind,
  ask: Commands[Kind]['ask'],
  since: number,
  { resolve, reject }: Pick<Waiting, 'resolve' | 'reject'>,
): Waiting {
  const perform: Performers[Kind] = performers[kind]
  return {
    kind,
    ask,
    since,
    operatorId: 'operatorId' in ask ? ask.operatorId : null,
    marketId: 'marketId' in ask ? ask.marketId : null,
    keyed: 'transactionId' in ask && 'playerId' in ask ? ask : null,
    marketSoughtIn: null,
    freeKey: null,
    settlement: undefined,
    run: (situation) => perform(situation, ask),
    resolve,
    reject,
  }
}

/** The markets that a command is about, as far as they are in memory. */
export function marketsOf({ ask, marketId }: Waiting, exchange: Exchange): readonly Market[] {
  if (marketId !== null) {
    const market = exchange.market(marketId)
    return market === undefined ? [] : [market]
  }
  const { books, orders } = exchange
  const serials = 'orders' in ask ? ask.orders : 'orderId' in ask ? [ask.orderId] : []
  const open = serials.map((serial) => orders.find(serial)).filter((order) => order >= 0)
  return open.map((order) => books.at(orders.book(order)).market)
}

export class WaitingLine {
  /** About markets that are late; nobody waits behind them. */
  #held: Waiting[] = []
  #cancels: Waiting[] = []
  #others: Waiting[] = []

  get length(): number {
    return this.#held.length + this.ready
  }

  /** How many nothing is known to hold up. */
  get ready(): number {
    return this.#cancels.length + this.#others.length
  }

  /** Throws Unavailable where the line is too long, or has not moved for too long. */
  add(waiting: Waiting): void {
    const goesFirst = isCancel(waiting)
    const line = goesFirst ? this.#cancels : this.#others
    const first = line[0]
    if (this.#held.length + line.length >= (goesFirst ? cancelsMax : commandsMax)) {
      throw new Unavailable('Too many commands are waiting.')
    }
    if (!goesFirst && first !== undefined && waiting.since - first.since > waitMax) {
      throw new Unavailable('Commands are waiting too long.')
    }
    line.push(waiting)
  }

  /** Puts back what had to wait for the store: it keeps its place at the front. */
  putBack(waiting: Waiting): void {
    this.#others.unshift(waiting)
  }

  /** What was taken and is not wanted yet: it is first in line again. */
  giveBack(taken: readonly Waiting[]): void {
    this.#cancels.unshift(...taken.filter(isCancel))
    this.#others.unshift(...taken.filter((waiting) => !isCancel(waiting)))
  }

  /** What was taken and is about a market that is late: it is asked for again in every turn. */
  hold(taken: readonly Waiting[]): void {
    this.#held.push(...taken)
  }

  /** All that was held, and as many others as that. */
  take(atMost: number): Waiting[] {
    const cancels = this.#cancels.splice(0, atMost)
    const others = this.#others.splice(0, atMost - cancels.length)
    return this.#held.splice(0).concat(cancels, others)
  }

  /** Takes one after the other while more are wanted. The rest stays, also where one throws. */
  serve(atMost: number, isMoreWanted: () => boolean, use: (waiting: Waiting) => void): void {
    const taken = this.take(atMost)
    let begun = 0
    try {
      while (begun < taken.length && isMoreWanted()) {
        begun += 1
        use(taken[begun - 1]!)
      }
    } finally {
      this.giveBack(taken.slice(begun))
    }
  }

  /** Takes everything, to refuse it. */
  clear(): Waiting[] {
    return this.take(this.length)
  }
}

function isCancel({ kind }: Waiting): boolean {
  return kind === 'cancel' || kind === 'cancelMany'
}
