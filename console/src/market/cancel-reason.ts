// Why the exchange has cancelled the rest of an order that was just placed.

import { useEffect, useState } from 'preact/hooks'
import { recentEvents, useEvents } from '../live/events.ts'
import type { StoredEvent } from '../wire.ts'

const sentences: Readonly<Record<string, string>> = {
  PRICE_BAND: 'The rest was cancelled: it met only prices outside of the price band.',
  SELF_TRADE: 'The rest was cancelled: it met another order of the player.',
}

/** The sentence, as soon as the event of the order has come; null for other reasons. */
export function useCancelReason(orderId: string | null): string | null {
  const [reason, setReason] = useState<unknown>(null)
  useEffect(() => {
    // It may have come before the answer.
    const earlier = recentEvents.peek().find((event) => isAbout(event, orderId))
    setReason(earlier?.payload.reason ?? null)
  }, [orderId])
  useEvents((event) => {
    if (event !== null && isAbout(event, orderId)) setReason(event.payload.reason)
  })
  return typeof reason === 'string' ? (sentences[reason] ?? null) : null
}

function isAbout({ eventType, payload }: StoredEvent, orderId: string | null): boolean {
  return orderId !== null && eventType === 'ORDER_CANCELLED' && payload.orderId === orderId
}
