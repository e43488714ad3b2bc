// The page of markets, searchable by title, state and category, with live prices.

import { useEffect, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { dateTime, grouped } from '../figures.ts'
import { useEvents } from '../live/events.ts'
import { type PricesByOutcome, usePrices } from '../live/market-feed.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { Price } from '../parts/figure.tsx'
import { SelectField, TextField } from '../parts/form.tsx'
import { type Column, Heads } from '../parts/heads.tsx'
import { Icon } from '../parts/icon.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { go, hrefOf } from '../route.ts'
import { useShortcuts } from '../shortcuts.ts'
import type { Market, MarketPage } from '../wire.ts'

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
type State = (typeof states)[number][0]

const columns: readonly Column[] = [
  'Market',
  ['State', 'wide-only'],
  ['First outcome', 'number'],
  ['Shares traded', 'number wide-only'],
  ['Trades', 'number wide-only'],
  ['Trading ends', 'wide-only'],
]
const pageSize = 25
const typingMs = 250
const reloadMs = 400

export function MarketsPage() {
  const [status, setStatus] = useState<State>('')
  const [categoryId, setCategoryId] = useState('')
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  const [cursors, setCursors] = useState<readonly string[]>([])
  const cursor = cursors.at(-1)
  useEffect(() => {
    const timer = setTimeout(() => {
      setSearch(typed)
      setCursors([])
    }, typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const filter = withoutEmpty({ status, categoryId, search: search.trim() })
  const page = useLoaded(
    () => exchange().markets.list({ ...filter, cursor, limit: pageSize }),
    [JSON.stringify(filter), cursor],
  )
  const reload = useThrottled(page.reload, reloadMs)
  useEvents((event) => {
    if (event === null || event.eventType.startsWith('MARKET_')) reload()
  })
  useShortcuts([{ keys: '/', description: 'Search markets', act: focusSearch }])
  const chooseStatus = (chosen: State) => {
    setStatus(chosen)
    setCursors([])
  }
  const chooseCategory = (chosen: string) => {
    setCategoryId(chosen)
    setCursors([])
  }
  return (
    <Page title="Markets" actions={<NewMarket />}>
      <div class="filters">
        <TextField
          name="Search titles"
          type="search"
          value={typed}
          onValue={setTyped}
          mark="search"
          placeholder="Title"
        />
        <SelectField name="State" choices={states} value={status} onValue={chooseStatus} />
        <CategoryFilter value={categoryId} onValue={chooseCategory} />
      </div>
      {page.data === null ? (
        <LoadState of={page} what="Markets" />
      ) : (
        <>
          <MarketTable markets={page.data.markets} isFiltered={Object.keys(filter).length > 0} />
          <Pager page={page.data} cursors={cursors} onCursors={setCursors} />
        </>
      )}
    </Page>
  )
}

/** Drops empty fields. */
function withoutEmpty(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
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

type TableProps = { readonly markets: readonly Market[]; readonly isFiltered: boolean }

function MarketTable({ markets, isFiltered }: TableProps) {
  const visible = markets.filter(({ status }) => status === 'OPEN' || status === 'SUSPENDED')
  const prices = usePrices(visible.map(({ id }) => id))
  if (markets.length === 0) {
    return (
      <Empty>{isFiltered ? 'No matching markets.' : 'No markets yet. Create the first one.'}</Empty>
    )
  }
  return (
    <div class="table-wrap">
      <table class="table markets-table">
        <Heads columns={columns} />
        <tbody>
          {markets.map((market) => (
            <MarketRow key={market.id} market={market} prices={prices} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function MarketRow({ market, prices }: { market: Market; prices: PricesByOutcome }) {
  const [outcome] = market.outcomes
  const now = outcome === undefined ? undefined : prices[outcome.id]
  const href = hrefOf(`/markets/${market.id}`)
  return (
    <tr
      class="clickable"
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a') === null) {
          go(`/markets/${market.id}`)
        }
      }}
    >
      <th scope="row">
        <a href={href}>{market.title}</a>
        <small>
          <span class="narrow-only">
            <Status of={market.status} />{' '}
          </span>
          {market.category === undefined ? '' : `${market.category.name} · `}
          {market.outcomes.length} outcomes · {market.currency}
          {market.shared ? ' · shared' : ''}
        </small>
      </th>
      <td class="wide-only">
        <Status of={market.status} />
      </td>
      <td class="number">
        <Price value={now?.lastPrice ?? now?.midPrice ?? null} glows />
        <small>{outcome?.name}</small>
      </td>
      <td class="number wide-only">{grouped(market.totalVolume)}</td>
      <td class="number wide-only">{grouped(String(market.totalTrades))}</td>
      <td class="wide-only">{dateTime(market.tradingEndsAt)}</td>
    </tr>
  )
}

type PagerProps = {
  readonly page: MarketPage
  readonly cursors: readonly string[]
  readonly onCursors: (cursors: readonly string[]) => void
}

function Pager({ page, cursors, onCursors }: PagerProps) {
  const { total, hasMore, nextCursor, markets } = page
  const from = cursors.length * pageSize
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {total === 0 ? '0' : `${from + 1}–${from + markets.length}`} of {grouped(String(total))}
      </span>
      <button
        type="button"
        disabled={cursors.length === 0}
        onClick={() => onCursors(cursors.slice(0, -1))}
      >
        Newer
      </button>
      <button
        type="button"
        disabled={!hasMore || nextCursor === null}
        onClick={() => nextCursor !== null && onCursors([...cursors, nextCursor])}
      >
        Older
      </button>
    </nav>
  )
}
