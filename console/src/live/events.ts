// Live events of the operator: kept for the events page, and passed to components that reload when
// their data changes.

import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import type { StoredEvent } from '../wire.ts'
import { connection } from './stream.ts'

const keptMax = 500

/** Newest first. */
export const recentEvents = signal<readonly StoredEvent[]>([])

const listeners = new Set<(event: StoredEvent) => void>()

export function receiveEvent(event: StoredEvent): void {
  addEvents([event])
  for (const listener of listeners) listener(event)
}

export function clearEvents(): void {
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

/** Loads the latest stored events. Sequences have no gap, so a binary search finds the last one. */
export async function loadRecentEvents(count: number): Promise<void> {
  const { events } = exchange()
  const has = async (sequence: number) => {
    const page = await events.list({ since: sequence - 1, limit: 1 })
    return page.events.length > 0
  }
  const oldest = await events.list({ limit: 1 })
  const [first] = oldest.events
  if (first === undefined) return
  let low = Math.max(first.sequence, oldest.earliestSequence)
  let step = 1
  while (await has(low + step)) {
    low += step
    step *= 2
  }
  let high = low + step
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await has(middle)) low = middle
    else high = middle
  }
  const since = Math.max(0, low - count)
  addEvents((await events.list({ since, limit: count })).events)
}
