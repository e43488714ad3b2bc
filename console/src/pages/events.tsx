// The page of live events, newest first, each with its payload.

import { useState } from 'preact/hooks'
import { timeOfDay } from '../figures.ts'
import { loadRecentEvents, recentEvents } from '../live/events.ts'
import { useLoaded } from '../loaded.ts'
import { SelectField } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { hrefOf } from '../route.ts'
import type { StoredEvent } from '../wire.ts'
import { eventTypes } from './event-words.ts'

const loadedAtOnce = 100
const choices = [['', 'All events'] as const, ...eventTypes.map((type) => [type, type] as const)]

export function EventsPage() {
  const loading = useLoaded(() => loadRecentEvents(loadedAtOnce), [])
  const [type, setType] = useState('')
  const [paused, setPaused] = useState<readonly StoredEvent[] | null>(null)
  const all = paused ?? recentEvents.value
  const shown = type === '' ? all : all.filter(({ eventType }) => eventType === type)
  return (
    <Page
      title="Events"
      actions={
        <button
          type="button"
          aria-pressed={paused !== null}
          onClick={() => setPaused(paused === null ? recentEvents.value : null)}
        >
          {paused === null ? 'Pause' : 'Resume'}
        </button>
      }
    >
      <p class="lead">The events of your markets and orders, as your backend receives them.</p>
      <div class="filters">
        <SelectField name="Event type" choices={choices} value={type} onValue={setType} />
      </div>
      {shown.length > 0 ? (
        <ol class="events" reversed>
          {shown.map((event) => (
            <EventRow key={event.sequence} event={event} />
          ))}
        </ol>
      ) : loading.error === null ? (
        <Empty>No events yet. They appear here as they happen.</Empty>
      ) : (
        <LoadState of={loading} what="Events" />
      )}
    </Page>
  )
}

function EventRow({ event }: { event: StoredEvent }) {
  const { sequence, eventType, createdAt, payload, marketId } = event
  return (
    <li>
      <details class="event">
        <summary>
          <span class="event-sequence">{sequence}</span>
          <span class="event-time">{timeOfDay(createdAt)}</span>
          <span class="event-type" data-kind={eventType.split('_')[0]}>
            {eventType}
          </span>
          <span class="event-gist">{summaryOf(payload)}</span>
        </summary>
        <div class="event-body">
          <pre>{JSON.stringify(payload, null, 2)}</pre>
          {marketId === null ? null : <a href={hrefOf(`/markets/${marketId}`)}>Open the market</a>}
        </div>
      </details>
    </li>
  )
}

const summaryFields = [
  'title',
  'tradingEndsAt',
  'previousStatus',
  'status',
  'playerId',
  'side',
  'type',
  'shares',
  'price',
  'filledShares',
  'version',
  'bestBid',
  'bestAsk',
  'lastPrice',
  'totalPayout',
  'reason',
]

/** The most important fields, in one line. */
function summaryOf(payload: StoredEvent['payload']): string {
  return summaryFields
    .filter((name) => payload[name] !== undefined && payload[name] !== null)
    .map((name) => `${name} ${String(payload[name])}`)
    .join(' · ')
}
