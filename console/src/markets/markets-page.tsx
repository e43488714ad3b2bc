// The page of markets: those that need attention, and a list that can be filtered and sorted, with
// the last day of each. Filters and order are in the address.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { can } from '../identity.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { CsvDownload } from '../parts/csv-download.tsx'
import { CheckField, SelectField } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { LoadState } from '../parts/panel.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { hrefOf, useQueryFields } from '../route.ts'
import { useShortcuts } from '../shortcuts.ts'
import { Attention } from './attention.tsx'
import { MarketTable } from './market-table.tsx'

const states = [
  ['', 'All states'],
  ['OPEN', 'Open'],
  ['UPCOMING', 'Upcoming'],
  ['DRAFT', 'Draft'],
  ['SUSPENDED', 'Suspended'],
  ['CLOSED', 'Closed'],
  ['RESOLVED', 'Resolved'],
  ['SETTLED', 'Settled'],
  ['CANCELLED', 'Cancelled'],
] as const

const defaults = {
  ...{ search: '', status: '', categoryId: '', attention: '' },
  ...{ sort: 'createdAt', order: 'desc' },
}
type Fields = Readonly<Record<keyof typeof defaults, string>>
const sorts = ['createdAt', 'title', 'totalVolume', 'totalTrades', 'tradingEndsAt'] as const

const pageSize = 25
const reloadMs = 400

export function MarketsPage() {
  const [fields, change] = useQueryFields(defaults)
  const [cursors, setCursors] = useState<readonly string[]>([])
  const set = (changes: Partial<Fields>) => {
    change(changes)
    setCursors([])
  }
  const cursor = cursors.at(-1)
  const query = queryOf(fields)
  const page = useLoaded(
    () => exchange().markets.list({ ...query, cursor, limit: pageSize }),
    [JSON.stringify(query), cursor],
  )
  const reload = useThrottled(page.reload, reloadMs)
  useEvents((event) => {
    if (event === null || event.eventType.startsWith('MARKET_')) reload()
  })
  useShortcuts([{ keys: '/', description: 'Search markets', act: focusSearch }])
  const sorting = {
    by: fields.sort,
    isAscending: fields.order === 'asc',
    onSort: (by: string) => set({ sort: by, order: nextOrder(fields, by) }),
  }
  const isFiltered = Object.keys(query).length > 0
  return (
    <Page
      title="Markets"
      actions={
        <>
          <CsvDownload name="markets" pages={(options) => exchange().markets.csv(query, options)} />
          {can('manage') ? <NewMarket /> : null}
        </>
      }
    >
      {isFiltered || cursor !== undefined ? null : <Attention />}
      <Filters fields={fields} onChange={set} />
      {page.data === null || page.error !== null ? (
        <LoadState of={page} what="Markets" />
      ) : (
        <>
          <MarketTable
            markets={page.data.markets}
            isFiltered={isFiltered}
            sorting={sorting}
            onChanged={page.reload}
          />
          <Pager
            page={page.data}
            shown={page.data.markets.length}
            {...{ pageSize, cursors, onCursors: setCursors }}
          />
        </>
      )}
    </Page>
  )
}

/** Of the request; an unknown value in the address counts as none. */
function queryOf({ search, status, categoryId, attention, sort, order }: Fields) {
  const by = sorts.find((each) => each === sort)
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(states.some(([state]) => state === status && state !== '') ? { status } : {}),
    ...(categoryId === '' ? {} : { categoryId }),
    ...(attention === 'true' ? { attention: true } : {}),
    ...(by === undefined || by === 'createdAt' ? {} : { sort: by }),
    ...(order === 'asc' ? { order: 'asc' as const } : {}),
  }
}

/** The same column turns its order round; another starts with what most want first. */
function nextOrder({ sort, order }: Fields, by: string): string {
  if (sort === by) return order === 'asc' ? 'desc' : 'asc'
  return by === 'title' || by === 'tradingEndsAt' ? 'asc' : 'desc'
}

function Filters({
  fields,
  onChange,
}: {
  fields: Fields
  onChange: (to: Partial<Fields>) => void
}) {
  return (
    <div class="filters">
      <SearchField
        name="Search titles"
        value={fields.search}
        onValue={(search) => onChange({ search })}
        mark="search"
        placeholder="Title"
      />
      <SelectField
        name="State"
        choices={states.map(([state, name]) => [state as string, name] as const)}
        value={fields.status}
        onValue={(status) => onChange({ status })}
      />
      <CategoryFilter
        value={fields.categoryId}
        onValue={(categoryId) => onChange({ categoryId })}
      />
      <CheckField
        name="Needs attention"
        isOn={fields.attention === 'true'}
        onChange={(isOn) => onChange({ attention: isOn ? 'true' : '' })}
      />
    </div>
  )
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[data-mark=search]')?.focus()
}

function CategoryFilter(props: { value: string; onValue: (id: string) => void }) {
  const categories = useLoaded(() => exchange().categories.list(), [])
  const choices = (categories.data ?? []).map(({ id, name }) => [id, name] as const)
  return <SelectField name="Category" choices={[['', 'All categories'], ...choices]} {...props} />
}

function NewMarket() {
  return (
    <a class="button primary" href={hrefOf('/markets/new')}>
      <Icon name="plus" />
      Create market
    </a>
  )
}
