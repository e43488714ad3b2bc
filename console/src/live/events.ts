// Live events of the operator: kept for the events page, and passed to components that reload when
// their data changes.

import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { CallOptions } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import type { StoredEvent } from '../wire.ts'
import { frames } from './browser-frames.ts'
import { connection } from './stream.ts'

export const keptMax = 500

/** Newest first. */
export const recentEvents = signal<readonly StoredEvent[]>([])

const listeners = new Set<(event: StoredEvent) => void>()

const received = frames.gather<StoredEvent>((events) => {
  addEvents(events)
  for (const event of events) for (const listener of listeners) listener(event)
})

export const receiveEvent = received.add

export function clearEvents(): void {
  received.end()
  recentEvents.value = []
}

function addEvents(events: readonly StoredEvent[]): void {
  const bySequence = new Map(recentEvents.peek().map((event) => [event.sequence, event]))
  for (const event of events) bySequence.set(event.sequence, event)
  recentEvents.value = [...bySequence.values()]
    .sort((a, b) => b.sequence - a.sequence)
    .slice(0, keptMax)
}

/** Calls for each event, and with null after each reconnect, when events may have been missed. */
export function useEvents(onEvent: (event: StoredEvent | null) => void): void {
  const latest = useRef(onEvent)
  latest.current = onEvent
  useEffect(() => {
    const listener = (event: StoredEvent) => latest.current(event)
    listeners.add(listener)
    let isFirst = true
    const end = effect(() => {
      connection.value
      if (!isFirst) latest.current(null)
      isFirst = false
    })
    return () => {
      listeners.delete(listener)
      end()
    }
  }, [])
}

export async function loadRecentEvents(count: number): Promise<void> {
  const since = await sinceOfLatest(count)
  addEvents((await exchange().events.list({ since, limit: count })).events)
}

/** After which sequence the latest events, up to a count, begin. */
export async function sinceOfLatest(count: number, options?: CallOptions): Promise<number> {
  const { latestSequence } = await exchange().events.list({ limit: 1 }, options)
  return Math.max(0, latestSequence - count)
}
