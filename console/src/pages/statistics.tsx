// The page of statistics: markets by state, trades by day, and the busiest open markets.

import { exchange } from '../exchange.ts'
import { grouped } from '../figures.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { Bar } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { hrefOf } from '../route.ts'
import type { Market, MarketStatus } from '../wire.ts'
import { DailyCharts } from './daily-charts.tsx'

const states: readonly MarketStatus[] = [
  'DRAFT',
  'UPCOMING',
  'OPEN',
  'SUSPENDED',
  'CLOSED',
  'RESOLVED',
  'SETTLED',
  'CANCELLED',
]
const busiestMax = 10
const reloadMs = 500

export function StatisticsPage() {
  const overview = useLoaded(() => exchange().statistics(), [])
  const counts = useLoaded(loadCounts, [])
  const open = useLoaded(
    () => exchange().markets.list({ status: 'OPEN,SUSPENDED', limit: 1_000 }),
    [],
  )
  const reload = useThrottled(() => {
    overview.reload()
    counts.reload()
    open.reload()
  }, reloadMs)
  useEvents((event) => {
    if (event === null || event.eventType.startsWith('MARKET_')) reload()
  })
  return (
    <Page title="Statistics">
      {overview.data === null ? (
        <LoadState of={overview} what="Statistics" />
      ) : (
        <dl class="tiles">
          <Tile name="Open markets" value={overview.data.openMarkets} />
          <Tile name="Waiting to be resolved" value={overview.data.pendingResolution} />
          <Tile name="Resolved or settled" value={overview.data.resolved} />
        </dl>
      )}
      <DailyCharts />
      <div class="halves">
        <Panel title="Markets by state">
          {counts.data === null ? (
            <LoadState of={counts} what="Counts" />
          ) : (
            <Counts counts={counts.data} />
          )}
        </Panel>
        <Panel title="Busiest open markets">
          {open.data === null ? (
            <LoadState of={open} what="Markets" />
          ) : (
            <Busiest markets={open.data.markets} />
          )}
        </Panel>
      </div>
    </Page>
  )
}

function Tile({ name, value }: { name: string; value: number }) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>{grouped(String(value))}</dd>
    </div>
  )
}

type Count = { readonly status: MarketStatus; readonly total: number }

function loadCounts(): Promise<readonly Count[]> {
  return Promise.all(
    states.map(async (status) => {
      const { total } = await exchange().markets.list({ status, limit: 1 })
      return { status, total }
    }),
  )
}

function Counts({ counts }: { counts: readonly Count[] }) {
  const most = Math.max(1, ...counts.map(({ total }) => total))
  return (
    <table class="table compact bars">
      <tbody>
        {counts.map(({ status, total }) => (
          <tr key={status}>
            <th scope="row">
              <Status of={status} />
            </th>
            <td class="bar-cell">
              <Bar share={total / most} />
            </td>
            <td class="number">{grouped(String(total))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Busiest({ markets }: { markets: readonly Market[] }) {
  if (markets.length === 0) return <Empty>No market is open.</Empty>
  const busiest = markets
    .toSorted((a, b) => Number(b.totalVolume) - Number(a.totalVolume))
    .slice(0, busiestMax)
  return (
    <div class="table-wrap">
      <table class="table compact">
        <Heads columns={['Market', ['Trades', 'number'], ['Shares', 'number']]} />
        <tbody>
          {busiest.map(({ id, title, totalTrades, totalVolume }) => (
            <tr key={id}>
              <th scope="row">
                <a href={hrefOf(`/markets/${id}`)}>{title}</a>
              </th>
              <td class="number">{grouped(String(totalTrades))}</td>
              <td class="number">{grouped(totalVolume)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
