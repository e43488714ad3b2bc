// Events of the operator as they come: kept for the page that shows them, and told to parts of
// pages that load again when something of theirs changed.

import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { get, query } from '../request.ts'
import type { EventPage, StoredEvent } from '../wire.ts'
import { connection, listen } from './stream.ts'

const keptMax = 500

/** Newest first. */
export const recentEvents = signal<readonly StoredEvent[]>([])

export function keepEvents(): void {
  listen((said) => {
    if (said.type === 'event') addEvents([said.event])
  })
}

export function forgetEvents(): void {
  recentEvents.value = []
}

export function addEvents(events: readonly StoredEvent[]): void {
  const bySequence = new Map(recentEvents.peek().map((event) => [event.sequence, event]))
  for (const event of events) bySequence.set(event.sequence, event)
  recentEvents.value = [...bySequence.values()]
    .sort((a, b) => b.sequence - a.sequence)
    .slice(0, keptMax)
}

/** Calls for each event, and once for each new connection, before which some may be missed. */
export function useEvents(onEvent: (event: StoredEvent | null) => void): void {
  const latest = useRef(onEvent)
  latest.current = onEvent
  useEffect(() => {
    const quiet = listen((said) => {
      if (said.type === 'event') latest.current(said.event)
    })
    let isFirst = true
    const end = effect(() => {
      connection.value
      if (!isFirst) latest.current(null)
      isFirst = false
    })
    return () => {
      quiet()
      end()
    }
  }, [])
}

/** The latest stored events. Sequences have no gap, so the last one is found by halving. */
export async function loadRecentEvents(count: number): Promise<void> {
  const has = async (sequence: number) => {
    const page = await get<EventPage>(`/events${query({ since: sequence - 1, limit: 1 })}`)
    return page.events.length > 0
  }
  const { events, earliestSequence } = await get<EventPage>('/events?limit=1')
  const [first] = events
  if (first === undefined) return
  let low = Math.max(first.sequence, earliestSequence)
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
  const page = await get<EventPage>(`/events${query({ since, limit: count })}`)
  addEvents(page.events)
}
