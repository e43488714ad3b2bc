// What the engine publishes of a turn once it is committed.

import type { Serial } from '../ids.ts'
import { type EventType, eventTypes } from '../words.ts'
import { type EventRecord, type StoredEventRecord, storedRecordOf } from './events.ts'

export type CommittedTurn = {
  readonly eventRecords: readonly EventRecord[]
  /** In the order of execution. */
  readonly trades: readonly PublicTrade[]
}

/** Consecutive events of one operator that belong to a trace. */
export type EventTrace = {
  readonly operatorId: string
  readonly firstSequence: number
  readonly count: number
  readonly traceId: string
}

/** A committed turn without objects of the core: it can be sent to another process. */
export type PublishedTurn = {
  readonly records: readonly PublishedRecord[]
  readonly trades: readonly PublicTrade[]
}

export type PublishedRecord = {
  /** null where they are about no market. */
  readonly marketId: string | null
  /** Which types are among its events: bit n stands for eventTypes[n]. */
  readonly types: number
  readonly stored: StoredEventRecord
}

/** A trade without its parties. */
export type PublicTrade = {
  readonly serial: Serial
  readonly marketId: string
  readonly outcomeId: string
  /** In ticks. */
  readonly price: number
  /** In hundredths of a share. */
  readonly shares: number
  readonly isSellIncoming: boolean
  readonly createdAt: number
}

export function publishedRecordOf(eventRecord: EventRecord): PublishedRecord {
  const { market, types } = eventRecord
  return { marketId: market?.id ?? null, types, stored: storedRecordOf(eventRecord) }
}

/** The types of events that are published to everybody, as bits. */
export const publicTypes = bitOf('ORDER_BOOK_UPDATE') | bitOf('PRICE_UPDATED')

function bitOf(type: EventType): number {
  return 1 << eventTypes.indexOf(type)
}
