// A shard for tests, without its commands: it runs turns, moves time, restarts, and shows what is
// inside as it would be saved. Operators go by name and outcomes by index.

import assert from 'node:assert/strict'
import {
  type Event,
  type EventForm,
  type EventRecord,
  expand,
  presentForm,
  recordEvents,
  type StoredEventRecord,
  storedRecordOf,
} from '../../../src/core/events/events.ts'
import { Ids, type Serial } from '../../../src/core/ids.ts'
import { advance } from '../../../src/core/markets/schedule.ts'
import { decimals, textOf } from '../../../src/core/money.ts'
import type { Reject, RejectCode } from '../../../src/core/reject.ts'
import { check } from '../../../src/core/snapshot/check.ts'
import { load } from '../../../src/core/snapshot/load.ts'
import type {
  MarketRecord,
  OrderRecord,
  PositionRecord,
} from '../../../src/core/snapshot/records.ts'
import { hashOf, save } from '../../../src/core/snapshot/save.ts'
import { Exchange, type Rules } from '../../../src/core/state/exchange.ts'
import type { Market } from '../../../src/core/state/market.ts'
import type { Operator } from '../../../src/core/state/operator.ts'
import type { MarketStatus } from '../../../src/core/words.ts'
import { serial, usualRules } from './steps.ts'

export type Turn = {
  readonly reject: Reject | null
  readonly code: RejectCode | null
  readonly events: readonly Event[]
}

/** Left out: the house, and the market that was made last. */
export type Aim = { readonly operator?: string; readonly market?: Serial }
export type Holding = { readonly shares: string; readonly cost: string; readonly profit: string }
export type Saved = ReturnType<typeof savedOf>

/** Owns the markets unless said otherwise. */
export const house = 'house'
const dueAtMost = 1_000

export class TestShard {
  core: Exchange
  /** All events so far, in full and as records. */
  readonly events: Event[] = []
  readonly eventRecords: EventRecord[] = []
  /** The serial of the market that was made last. */
  marketSerial = serial(0)
  /** In which events are recorded. */
  eventForm: EventForm = presentForm
  #isTogether = false

  constructor(rules: Partial<Rules> = {}) {
    this.core = emptyExchange({ ...usualRules, ...rules })
  }

  /** Runs a command as a turn, after which the whole shard is checked. */
  turn(command: (exchange: Exchange) => Reject | null): Turn {
    const reject = command(this.core)
    const events = this.#isTogether ? [] : this.#endTurn()
    return { reject, code: reject?.code ?? null, events }
  }

  /** Lets several commands share one turn. */
  together(commands: () => void): readonly Event[] {
    this.#isTogether = true
    commands()
    this.#isTogether = false
    return this.#endTurn()
  }

  /** Lets time pass; returns what fell due. */
  wait(ms: number): Turn {
    const now = this.now + ms
    return this.turn((exchange) => {
      assert(advance(exchange, now, dueAtMost))
      return null
    })
  }

  get now(): number {
    return this.core.now
  }

  /** What would be stored, free to be changed. */
  save(): Saved {
    return savedOf(this.core)
  }

  /** Throws the memory away and loads those records, or what was saved of it. */
  restart(records: Saved = this.save(), rules: Partial<Rules> = {}): void {
    this.core = emptyExchange({ ...this.core.rules, ...rules })
    load(this.core, records)
  }

  get hash(): string {
    return hashOf(this.core)
  }

  operator(id: string): Operator {
    return this.core.operator(id)!
  }

  market(serial = this.marketSerial): Market {
    return this.core.market(serial)!
  }

  status(serial?: Serial): MarketStatus {
    return this.market(serial).status
  }

  /** The serial of an outcome, or 0 where there is none. */
  outcomeSerial(index: number, { market = this.marketSerial }: Aim = {}): Serial {
    return this.core.market(market)?.books[index]?.serial ?? serial(0)
  }

  /** What a player holds, as exact decimals; null where it never held any. */
  holding(player: string, aim: Aim & { readonly outcome?: number } = {}): Holding | null {
    const { operator = house, outcome = 0 } = aim
    const outcomeSerial = this.outcomeSerial(outcome, aim)
    const found = this.save().positions.find(
      (position) =>
        position.operatorId === operator &&
        position.playerId === player &&
        position.outcomeSerial === outcomeSerial,
    )
    if (found === undefined) return null
    return {
      shares: textOf(found.shares, decimals.shares),
      cost: textOf(found.cost, decimals.money),
      profit: textOf(found.profit, decimals.money),
    }
  }

  #endTurn(): readonly Event[] {
    const eventRecords = recordEvents(this.core, this.eventForm)
    const events = eventRecords.flatMap((eventRecord) => expand(this.core.ids, stored(eventRecord)))
    this.eventRecords.push(...eventRecords)
    this.events.push(...events)
    this.core.endTurn()
    check(this.core)
    return events
  }
}

// A store keeps an event record as JSON.
function stored(eventRecord: EventRecord): StoredEventRecord {
  return JSON.parse(JSON.stringify(storedRecordOf(eventRecord)))
}

type Changeable<Record> = { -readonly [Field in keyof Record]: Record[Field] }

function savedOf(exchange: Exchange) {
  const saved = structuredClone(save(exchange))
  const { head, operators, deadMen, orderGroups, controls, markets, positions, orders } = saved
  return {
    head: head as Changeable<typeof head>,
    operators: [...operators],
    deadMen: [...deadMen],
    orderGroups: [...orderGroups],
    controls: [...controls],
    markets: [...markets] as Changeable<MarketRecord>[],
    positions: [...positions] as Changeable<PositionRecord>[],
    orders: [...orders] as Changeable<OrderRecord>[],
  }
}

function emptyExchange(rules: Rules): Exchange {
  return new Exchange(rules, new Ids({ shard: 5, key: [0x1234567, 0x89abcde] }))
}
