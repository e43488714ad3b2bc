// The log of delivery attempts of webhooks.

import type { EventType } from '../core/words.ts'

export interface WebhookLogStore {
  /** Adds all of it or nothing. To repeat it changes nothing. */
  add(batch: AttemptBatch): Promise<void>
}

export type AttemptBatch = {
  /** The attempts of a webhook in order of their numbers. */
  readonly attempts: readonly AttemptRow[]
  /** The minutes with these attempts, as they are now. */
  readonly minutes: readonly WebhookMinute[]
}

export const attemptStatuses = ['DELIVERED', 'RETRYING', 'FAILED'] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

export type AttemptRow = {
  readonly webhookId: string
  /** Counts the attempts of the webhook. */
  readonly number: number
  readonly deliveryId: string
  /** 0 for a test. */
  readonly sequence: number
  readonly eventType: EventType | 'PING'
  readonly attempt: number
  readonly isRedelivery: boolean
  readonly status: AttemptStatus
  /** null if there was no response. */
  readonly httpStatus: number | null
  readonly error: string | null
  /** The start of the response; null if there was none. */
  readonly response: string | null
  readonly durationMs: number
  /** The machine's time. */
  readonly startedAt: number
  /** When the next attempt is due, in logical time; null if none follows. */
  readonly nextAt: number | null
}

/** What the attempts that ended in a minute were like. */
export type WebhookMinute = {
  readonly webhookId: string
  /** Logical time, in minutes since 1970. */
  readonly minute: number
  readonly delivered: number
  readonly failed: number
}

/** The log has at most so many attempts of a webhook; older ones are deleted. */
export const attemptsPerWebhookMax = 10_000
/** The success rate of a webhook covers this time. */
export const healthMinutes = 60

export type AttemptQuery = {
  readonly operatorNumber: number
  readonly webhookId: string
  /** Attempts with a smaller number; null for the latest. */
  readonly before: number | null
  readonly limit: number
}

/** Newest first. */
export type AttemptPage = { readonly rows: readonly AttemptRow[]; readonly hasMore: boolean }

export type LogStateQuery = { readonly webhookIds: readonly string[]; readonly minute: number }

/** Where the log of a webhook goes on. */
export type LogState = WebhookMinute & {
  /** The number of its last attempt; 0 if there is none. */
  readonly number: number
}

export type HealthQuery = {
  readonly operatorNumber: number
  readonly webhookIds: readonly string[]
  /** The first minute that counts. */
  readonly since: number
}

/** The attempts of the last hour. */
export type WebhookHealth = {
  readonly webhookId: string
  readonly delivered: number
  readonly failed: number
}

export type DeliveryStateQuery = {
  readonly operatorNumber: number
  readonly webhookId: string
  /** Deliveries of events after this one. */
  readonly after: number
}

/** How the last attempt of a delivery ended, as far as the log has it. */
export type DeliveryState = Pick<
  AttemptRow,
  'sequence' | 'eventType' | 'status' | 'attempt' | 'isRedelivery' | 'nextAt'
>
