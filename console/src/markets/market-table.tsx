// The table of markets: each with its favourite outcome, the last day, and a box to choose it for
// an action on several markets.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { dateTime, grouped, price, shares } from '../figures.ts'
import { can } from '../identity.ts'
import { useEvents } from '../live/events.ts'
import { type PricesByOutcome, usePrices } from '../live/market-feed.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { Price } from '../parts/figure.tsx'
import { type Column, Heads, type Sorting } from '../parts/heads.tsx'
import { Empty } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { go, hrefOf } from '../route.ts'
import type { Market, MarketSummary } from '../wire.ts'
import { BulkActions } from './bulk-actions.tsx'
import { Sparkline } from './sparkline.tsx'

const columns: readonly Column[] = [
  ['Choose', 'action'],
  ['Market', '', 'title'],
  ['State', 'wide-only'],
  ['Favourite', 'number'],
  ['Price, 24 h', 'wide-only'],
  ['Volume, 24 h', 'number wide-only'],
  ['Shares traded', 'number wide-only', 'totalVolume'],
  ['Trades', 'number wide-only', 'totalTrades'],
  ['Trading ends', 'wide-only', 'tradingEndsAt'],
]
const reloadMs = 2_000

type Props = {
  readonly markets: readonly Market[]
  readonly isFiltered: boolean
  readonly sorting: Sorting
  readonly onChanged: () => void
}

export function MarketTable({ markets, isFiltered, sorting, onChanged }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const visible = markets.filter(({ status }) => status === 'OPEN' || status === 'SUSPENDED')
  const prices = usePrices(visible.map(({ id }) => id))
  const summaries = useSummaries(markets, onChanged)
  if (markets.length === 0) {
    return (
      <Empty>{isFiltered ? 'No matching markets.' : 'No markets yet. Create the first one.'}</Empty>
    )
  }
  const choose = (id: string, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const now = Date.now()
  return (
    <>
      <BulkActions
        chosen={markets.filter(({ id }) => chosen.has(id))}
        onChosen={setChosen}
        onDone={onChanged}
      />
      <div class="table-wrap">
        <table class="table markets-table">
          <Heads columns={can('manage') ? columns : columns.slice(1)} sorting={sorting} />
          <tbody>
            {markets.map((market) => (
              <MarketRow
                key={market.id}
                market={market}
                prices={prices}
                summary={summaries.get(market.id)}
                now={now}
                isChosen={chosen.has(market.id)}
                onChoose={(isOn) => choose(market.id, isOn)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

type Summaries = ReadonlyMap<string, MarketSummary>

/**
 * They are not streamed: they are loaded again after trades, and so are the markets, so that their
 * totals are as new.
 */
function useSummaries(markets: readonly Market[], onTrades: () => void): Summaries {
  const ids = markets.map(({ id }) => id)
  const loaded = useLoaded(
    () => (ids.length === 0 ? null : exchange().markets.summaries(ids)),
    [ids.join()],
  )
  const reload = useThrottled(() => {
    loaded.reload()
    onTrades()
  }, reloadMs)
  useEvents((event) => {
    if (event === null || event.eventType === 'ORDER_MATCHED') reload()
  })
  return new Map(loaded.data?.summaries.map((summary) => [summary.marketId, summary]))
}

type RowProps = {
  readonly market: Market
  readonly prices: PricesByOutcome
  readonly summary: MarketSummary | undefined
  readonly now: number
  readonly isChosen: boolean
  readonly onChoose: (isOn: boolean) => void
}

function MarketRow({ market, prices, summary, now, isChosen, onChoose }: RowProps) {
  return (
    <tr
      class="clickable"
      data-chosen={isChosen ? 'yes' : undefined}
      onClick={(event) => {
        const isControl =
          event.target instanceof Element && event.target.closest('a, label') !== null
        if (!isControl) go(`/markets/${market.id}`)
      }}
    >
      {can('manage') ? <ChoiceCell {...{ market, isChosen, onChoose }} /> : null}
      <th scope="row">
        <a href={hrefOf(`/markets/${market.id}`)}>{market.title}</a>
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
      <FavouriteCell market={market} prices={prices} summary={summary} />
      <td class="wide-only">
        {summary?.favourite ? <Sparkline of={summary.favourite} now={now} /> : null}
      </td>
      <td class="number wide-only">{summary === undefined ? '–' : shares(summary.volume24h)}</td>
      <td class="number wide-only">{grouped(market.totalVolume)}</td>
      <td class="number wide-only">{grouped(String(market.totalTrades))}</td>
      <td class="wide-only">{dateTime(market.tradingEndsAt)}</td>
    </tr>
  )
}

function ChoiceCell({
  market,
  isChosen,
  onChoose,
}: Pick<RowProps, 'market' | 'isChosen' | 'onChoose'>) {
  return (
    <td class="choice">
      <label>
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={`Choose ${market.title}`}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
      </label>
    </td>
  )
}

type FavouriteProps = Pick<RowProps, 'market' | 'prices' | 'summary'>

/** Before the first trade, the outcome with the highest price that its book shows. */
function FavouriteCell({ market, prices, summary }: FavouriteProps) {
  const favourite = summary?.favourite ?? null
  if (favourite !== null) {
    const { outcomeId, outcomeName, lastPrice, change24h } = favourite
    const now = prices[outcomeId]?.lastPrice ?? lastPrice
    return (
      <td class="number">
        <Price value={now} glows /> <Change by={change24h + now - lastPrice} />
        <small>{outcomeName}</small>
      </td>
    )
  }
  const [best] = market.outcomes
    .map(({ id, name }) => ({ name, price: prices[id]?.midPrice ?? null }))
    .sort((one, other) => (other.price ?? 0) - (one.price ?? 0))
  return (
    <td class="number">
      <Price value={best?.price ?? null} glows />
      <small>{best?.name}</small>
    </td>
  )
}

function Change({ by }: { by: number }) {
  const shown = price(Math.abs(by))
  const direction = by > 0 ? 'up' : 'down'
  if (Number(shown) === 0) return null
  return (
    <span class={`change ${by > 0 ? 'bid' : 'ask'}`} title="In the last 24 hours">
      <span aria-hidden="true">{by > 0 ? '▲' : '▼'}</span>
      <span class="unseen">{direction} by</span>
      {shown}
    </span>
  )
}
