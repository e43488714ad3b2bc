// The body of an event record: events one after another, as plain numbers and texts that JSON
// leaves unchanged. The files of the events write the fields of a type and, next to that, read them
// with this reader, which checks every field.

import { assert } from '../assert.ts'
import type { Ids, Serial } from '../ids.ts'
import { type EventType, eventTypes } from '../words.ts'

/**
 * A quantity is a whole number of steps, and as a decimal text where it may pass 2^53. A word is
 * its place in its list, a record its serial and its age: how long before the event it was made.
 * An outcome is the distance of its serial from its market's.
 */
export type Field = number | string | null

/**
 * The fields of a type may change; every form of them that was ever stored stays readable. 0 is the
 * first. Form 1 has the placer of an order, and its role and its fee in a trade. With form 2 came
 * MARKET_UPDATED, with form 3 DEAD_MAN_TRIGGERED, CONTROLS_CHANGED and their reasons to cancel:
 * what only reads earlier forms does not know them. With form 4 came the price band in
 * MARKET_UPDATED and ORDER_GROUP_TRIGGERED, their reasons to cancel, the limits in
 * CONTROLS_CHANGED, and orders by amount.
 */
export type EventForm = 0 | 1 | 2 | 3 | 4
export const firstForm = 0 satisfies EventForm
export const presentForm = 4 satisfies EventForm
/** The form since which a type is as it is now, where that is not the first. */
const lastForms: { readonly [Type in EventType]?: EventForm } = {
  ORDER_PLACED: 1,
  ORDER_AMENDED: 1,
  ORDER_MATCHED: 1,
  ORDER_CANCELLED: 1,
  MARKET_UPDATED: 4,
  CONTROLS_CHANGED: 4,
}
const codesPerForm = 32

/** What an event begins with: the place of its type, and so many more for each later form. */
export function eventCode(type: EventType, form: EventForm): number {
  const lastForm = lastForms[type] ?? 0
  return eventTypes.indexOf(type) + (form < lastForm ? 0 : lastForm) * codesPerForm
}

/** The player that placed an order, and the transactionId of its request. */
export type Placer = { readonly playerId: string; readonly transactionId: string | null }
/** Instead of a placer: an earlier event of the record has it, about the same order. */
export const samePlacer = 0

/** Instead of the serial of a market, and of the time of its creation: in events about none. */
export const noMarket = 0

/** An event record as a store returns it: without objects of the core. */
export type StoredEventRecord = {
  readonly operatorId: string
  /** 0 for events that are about no market; the next field is 0 as well. */
  readonly marketSerial: Serial
  readonly marketCreatedAt: number
  /** Of its first event. */
  readonly firstSequence: number
  readonly createdAt: number
  readonly body: readonly Field[]
}

const wholeNumber = /^-?\d{1,40}$/

export class BodyReader {
  /** The receiver of the events. */
  readonly operatorId: string
  /** null where the events are about no market. */
  readonly marketIdOrNull: string | null
  readonly createdAt: number
  private readonly ids: Ids
  private readonly record: StoredEventRecord
  /** By the id of the order. */
  private readonly placers = new Map<string, Placer>()
  /** That of the event that is being read. */
  form = 0
  private at = 0

  constructor(ids: Ids, record: StoredEventRecord) {
    this.operatorId = record.operatorId
    const { marketSerial, marketCreatedAt } = record
    const isAboutMarket = marketSerial !== noMarket
    this.marketIdOrNull = isAboutMarket ? ids.textOf(marketSerial, marketCreatedAt) : null
    this.createdAt = record.createdAt
    this.ids = ids
    this.record = record
  }

  get marketId(): string {
    assert(this.marketIdOrNull !== null, 'the events of a market have its id')
    return this.marketIdOrNull
  }

  get isAtEnd(): boolean {
    return this.at === this.record.body.length
  }

  /** A whole number, not negative. */
  whole(): number {
    const field = this.next()
    assert(Number.isSafeInteger(field) && Number(field) >= 0, 'a body has a whole number here')
    return Number(field)
  }

  wholeOrNull(): number | null {
    if (this.record.body[this.at] !== null) return this.whole()
    this.at += 1
    return null
  }

  /** A whole number of any size and sign. */
  sum(): number | bigint {
    const field = this.next()
    if (typeof field === 'string') {
      assert(wholeNumber.test(field), 'a body has a sum here')
      return BigInt(field)
    }
    assert(Number.isSafeInteger(field), 'a body has a sum here')
    return Number(field)
  }

  text(): string {
    const field = this.next()
    assert(typeof field === 'string', 'a body has a text here')
    return field
  }

  textOrNull(): string | null {
    const field = this.next()
    assert(field === null || typeof field === 'string', 'a body has a text or null here')
    return field
  }

  /** What an event begins with. */
  eventType(): EventType {
    const code = this.whole()
    const eventType = eventTypes[code % codesPerForm]
    this.form = Math.floor(code / codesPerForm)
    assert(eventType !== undefined, 'a body has the code of a type here')
    const isKnown = this.form === 0 || this.form === lastForms[eventType]
    assert(isKnown, 'a body has a known form of its type here')
    return eventType
  }

  /** The placer of the order with that public id. */
  placer(orderId: string): Placer {
    if (this.record.body[this.at] === samePlacer) {
      this.at += 1
      const known = this.placers.get(orderId)
      assert(known !== undefined, 'a body has the placer with the first event of an order')
      return known
    }
    const placer = { playerId: this.text(), transactionId: this.textOrNull() }
    this.placers.set(orderId, placer)
    return placer
  }

  /** One of a list. */
  word<Word extends string>(words: readonly Word[]): Word {
    const word = words[this.whole()]
    assert(word !== undefined, 'a body has a word of its list here')
    return word
  }

  /** The public id of a record: its serial, then its age. */
  id(): string {
    const serial = this.whole() as Serial
    return this.ids.textOf(serial, this.createdAt - this.whole())
  }

  /** The public id of a record that the command itself made: its serial. */
  newId(): string {
    return this.ids.textOf(this.whole() as Serial, this.createdAt)
  }

  outcomeId(): string {
    const { marketSerial, marketCreatedAt } = this.record
    return this.ids.textOf((marketSerial + this.whole()) as Serial, marketCreatedAt)
  }

  outcomeIdOrNull(): string | null {
    if (this.record.body[this.at] !== null) return this.outcomeId()
    this.at += 1
    return null
  }

  private next(): Field {
    const field = this.record.body[this.at]
    assert(field !== undefined, 'a body ends behind an event')
    this.at += 1
    return field
  }
}
