// Whether an earlier attempt with the same Idempotency-Key has changed a trading window, if its
// process ended before the answer was kept. Its event is looked for: the same end of trading, for
// the same reason, not before the attempt began.

import { expand, type StoredEventRecord } from '../../core/events/events.ts'
import type { Serial } from '../../core/ids.ts'
import type { ChangeTradingWindow } from '../../engine/commands.ts'
import type { Attempt } from '../idempotency/kept-answers.ts'
import { timeText } from '../present/time.ts'
import { clockOffMsMax } from './earlier-market.ts'
import { eventPage } from './event-page.ts'
import type { MarketCaller } from './market-answer.ts'

const eventsRead = 1_000

export async function isWindowChanged(
  { operator, shard }: MarketCaller,
  { marketSerial, tradingEndsAt, reason }: ChangeTradingWindow,
  attempt: Attempt | null,
): Promise<boolean> {
  if (attempt === null || attempt.isFirst) return false
  const { ids, reads } = shard
  // Answered only when every command that was executed before is committed or has failed.
  await shard.submit('prices', { marketSerial: 0 as Serial, outcomeSerial: null })
  const { events } = await eventPage(
    {
      read: (query) => reads.events(query),
      expand: ({ body, ...row }) =>
        expand(ids, {
          ...row,
          operatorId: operator.id,
          body: JSON.parse(body) as StoredEventRecord['body'],
        }),
    },
    {
      operatorNumber: operator.number,
      since: 0,
      eventType: 'MARKET_UPDATED',
      marketSerial,
      limit: eventsRead,
      notBefore: attempt.begunAt - clockOffMsMax,
    },
  )
  const wanted = timeText(tradingEndsAt)
  return events.some(
    ({ payload }) =>
      'tradingEndsAt' in payload && payload.tradingEndsAt === wanted && payload.reason === reason,
  )
}
