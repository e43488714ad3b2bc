// The page of live events, newest first, each with its payload. The list can be held, so that a
// busy one can be read.

import { useCallback, useState } from 'preact/hooks'
import type { CallOptions } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import { grouped, timeOfDay } from '../figures.ts'
import { keptMax, loadRecentEvents, recentEvents, sinceOfLatest } from '../live/events.ts'
import { useLoaded } from '../loaded.ts'
import { CsvDownload } from '../parts/csv-download.tsx'
import { csvRowsMax } from '../parts/csv-file.ts'
import { SelectField } from '../parts/form.tsx'
import { memo } from '../parts/memo.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { PlayerLink } from '../parts/player-link.tsx'
import { hrefOf } from '../route.ts'
import { useShortcuts } from '../shortcuts.ts'
import type { StoredEvent } from '../wire.ts'
import { eventTypes } from './event-words.ts'

const loadedAtOnce = 100
const choices = [['', 'All events'] as const, ...eventTypes.map((type) => [type, type] as const)]

export function EventsPage() {
  const loading = useLoaded(() => loadRecentEvents(loadedAtOnce), [])
  const [type, setType] = useState('')
  const [held, setHeld] = useState<readonly StoredEvent[] | null>(null)
  const isShown = ({ eventType }: StoredEvent) => type === '' || eventType === type
  const shown = (held ?? recentEvents.value).filter(isShown)
  const hold = useCallback(() => setHeld((before) => before ?? recentEvents.peek()), [])
  const switchHold = () => setHeld((before) => (before === null ? recentEvents.peek() : null))
  useShortcuts([{ keys: 'h', description: 'Hold or continue the list', act: switchHold }])
  return (
    <Page
      title="Events"
      actions={<CsvDownload name="events" pages={(options) => csvOf(type, options)} />}
    >
      <p class="lead">
        The events of your markets and orders, as your backend receives them. Open one, or press H,
        to hold the list.
      </p>
      <div class="filters hold">
        <SelectField name="Event type" choices={choices} value={type} onValue={setType} />
        <button type="button" class={held === null ? '' : 'primary'} onClick={switchHold}>
          {held === null ? 'Hold' : `Continue, ${waitingOf(held, isShown)} waiting`}
        </button>
      </div>
      {shown.length > 0 ? (
        <ol class="events" reversed>
          {shown.map((event) => (
            <EventRow key={event.sequence} event={event} onOpen={hold} />
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

/** Those of the latest events that have the type, oldest first. */
async function* csvOf(type: string, options: CallOptions): AsyncGenerator<string> {
  const { events } = exchange()
  const since = await sinceOfLatest(csvRowsMax, options)
  const eventType = eventTypes.find((each) => each === type)
  yield* events.csv({ since, ...(eventType === undefined ? {} : { eventType }) }, options)
}

/** How many events came since; "500+" if there are more than are kept. */
function waitingOf(held: readonly StoredEvent[], isShown: (event: StoredEvent) => boolean): string {
  const newest = held[0]?.sequence ?? 0
  const later = recentEvents.value.filter(({ sequence }) => sequence > newest)
  const count = grouped(String(later.filter(isShown).length))
  return later.length < keptMax ? count : `${count}+`
}

type RowProps = { readonly event: StoredEvent; readonly onOpen: () => void }

const EventRow = memo(({ event, onOpen }: RowProps) => {
  const { sequence, eventType, createdAt, payload, marketId } = event
  return (
    <li>
      <details class="event" onToggle={({ currentTarget }) => currentTarget.open && onOpen()}>
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
          {typeof payload.playerId === 'string' ? <PlayerLink id={payload.playerId} /> : null}
          {marketId === null ? null : <a href={hrefOf(`/markets/${marketId}`)}>Open the market</a>}
        </div>
      </details>
    </li>
  )
})

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
