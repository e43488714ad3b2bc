// Commands that wait for their turn: cancels before the rest, each in the order of arrival. Both
// lines are bounded, so that a flood is refused instead of kept.

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
  /** What was fetched from the store for it. */
  isMarketSought: boolean
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
    isMarketSought: false,
    settlement: undefined,
    run: (situation) => perform(situation, ask),
    resolve,
    reject,
  }
}

export class WaitingLine {
  #cancels: Waiting[] = []
  #others: Waiting[] = []

  get length(): number {
    return this.#cancels.length + this.#others.length
  }

  /** Throws Unavailable where the line is too long, or has not moved for too long. */
  add(waiting: Waiting): void {
    const isCancel = waiting.kind === 'cancel' || waiting.kind === 'cancelMany'
    const line = isCancel ? this.#cancels : this.#others
    const first = line[0]
    if (line.length >= (isCancel ? cancelsMax : commandsMax)) {
      throw new Unavailable('Too many commands are waiting.')
    }
    if (!isCancel && first !== undefined && waiting.since - first.since > waitMax) {
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
    const isCancel = ({ kind }: Waiting) => kind === 'cancel'
    this.#cancels.unshift(...taken.filter(isCancel))
    this.#others.unshift(...taken.filter((waiting) => !isCancel(waiting)))
  }

  take(atMost: number): Waiting[] {
    const cancels = this.#cancels.splice(0, atMost)
    return cancels.concat(this.#others.splice(0, atMost - cancels.length))
  }

  /** Takes everything, to refuse it. */
  clear(): Waiting[] {
    return this.take(this.length)
  }
}
