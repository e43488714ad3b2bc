// Why a market is suspended, from the event of the suspension.

import { exchange } from '../exchange.ts'
import { useLoaded } from '../loaded.ts'
import type { Market } from '../wire.ts'

const eventsMax = 1_000
const byBand =
  'Trading was suspended, because an order met prices outside of the price band. Check the book ' +
  'before you resume. Open orders stay in it and can be cancelled.'

/** Only the words that are given until the reason is known, or if its event is no longer kept. */
export function useSuspension({ id, updatedAt }: Market, otherwise: string): string {
  const query = { marketId: id, eventType: 'MARKET_STATUS_CHANGED', limit: eventsMax } as const
  const reason = useLoaded(async () => {
    const { events } = await exchange().events.list(query)
    const last = events.findLast(({ payload }) => 'status' in payload)
    return { words: last === undefined ? null : last.payload.reason }
  }, [id, updatedAt])
  const words = reason.data?.words ?? null
  if (words === 'PRICE_BAND') return byBand
  return typeof words === 'string' ? `${otherwise} Reason: ${words}` : otherwise
}
