// The markets in which their owner has the next step, above the list.

import { exchange } from '../exchange.ts'
import { totalOf } from '../figures.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded, usePolling, useThrottled } from '../loaded.ts'
import { isTradingOver } from '../market/trading-time.ts'
import { Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { hrefOf } from '../route.ts'
import type { Market, MarketStatus } from '../wire.ts'

const shownMax = 5
const reloadMs = 1_000
/** Trading ends without an event. */
const pollMs = 30_000

const steps: Readonly<Partial<Record<MarketStatus, string>>> = {
  OPEN: 'Its trading time is over: close it.',
  SUSPENDED: 'Trading is paused: resume or close it.',
  CLOSED: 'Trading has ended: resolve it.',
  RESOLVED: 'The result is known: settle it.',
}

/** What the owner of a market has to do next; null if nothing. */
function nextStepOf(market: Market, now: number): string | null {
  if (market.status === 'OPEN' && !isTradingOver(market, now)) return null
  return steps[market.status] ?? null
}

export function Attention() {
  const found = useLoaded(() => exchange().markets.list({ attention: true, limit: shownMax }), [])
  const reload = useThrottled(found.reload, reloadMs)
  useEvents((event) => {
    if (event === null || event.eventType.startsWith('MARKET_')) reload()
  })
  usePolling(found.reload, pollMs)
  const { data } = found
  if (data === null || data.markets.length === 0) return null
  const now = Date.now()
  return (
    <Panel
      title="Needs attention"
      kind="attention"
      tools={
        data.hasMore ? <a href={hrefOf('/markets?attention=true')}>All {totalOf(data)}</a> : null
      }
    >
      <ul>
        {data.markets.map((market) => (
          <li key={market.id}>
            <a href={hrefOf(`/markets/${market.id}`)}>{market.title}</a>
            <Status of={market.status} />
            <span class="hint">{nextStepOf(market, now)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
