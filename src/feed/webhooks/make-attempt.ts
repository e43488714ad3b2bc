// One attempt of a delivery, with the time that it took.

import type { Log } from '../../ops/log.ts'
import type { WebhookRow } from '../../store/store.ts'
import type { Timing } from '../timing.ts'
import { type Delivery, headersOf, type Signing } from './delivery.ts'
import { type AttemptResult, notStarted, type WebhookRequest } from './webhook-sender.ts'

export type AttemptContext = {
  readonly attempt: (request: WebhookRequest) => Promise<AttemptResult>
  /** Those that sign the deliveries now. */
  readonly secretsOf: (webhook: WebhookRow) => Signing['secrets']
  /** The trace of an event, if its request has named one. */
  readonly traceIdOf: (operatorId: string, sequence: number) => string | undefined
  readonly timing: Pick<Timing, 'wall'>
  readonly log: Pick<Log, 'warn'>
}

export type TimedResult = AttemptResult & {
  /** The machine's time. */
  readonly startedAt: number
  readonly durationMs: number
}

/** Never throws: errors are part of the result. */
export async function makeAttempt(
  context: AttemptContext,
  webhook: WebhookRow,
  delivery: Delivery,
): Promise<TimedResult> {
  const { timing } = context
  const startedAt = timing.wall()
  const result = await send(context, webhook, { ...delivery, startedAt })
  return { ...result, startedAt, durationMs: Math.max(0, timing.wall() - startedAt) }
}

async function send(
  { attempt, secretsOf, traceIdOf, log }: AttemptContext,
  webhook: WebhookRow,
  { startedAt: now, ...delivery }: Delivery & { readonly startedAt: number },
): Promise<AttemptResult> {
  const { id: webhookId, operatorId, url } = webhook
  try {
    const traceId = traceIdOf(operatorId, delivery.sequence)
    const headers = headersOf(delivery, { secrets: secretsOf(webhook), now, traceId })
    return await attempt({ url, headers, body: delivery.body })
  } catch (error) {
    log.warn('webhook attempt not started', { webhookId, error })
    return notStarted
  }
}

/** What the log has of an attempt, whatever follows it. */
export function aboutAttempt({ id, sequence, eventType }: Delivery, result: TimedResult) {
  const { httpStatus, error, response, startedAt, durationMs } = result
  const answer = { httpStatus, error, response }
  return { id, sequence, eventType, isRedelivery: false, ...answer, startedAt, durationMs }
}
