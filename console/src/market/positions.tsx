// The positions of players in a market.

import { exchange } from '../exchange.ts'
import { grouped } from '../figures.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { Money } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import type { Market } from '../wire.ts'

const shownMax = 100
const reloadMs = 250

export function Positions({ market }: { market: Market }) {
  const query = { marketId: market.id, limit: shownMax }
  const page = useLoaded(() => exchange().positions.page(query), [market.id])
  const reload = useThrottled(page.reload, reloadMs)
  useEvents((event) => {
    if (event === null || event.marketId === market.id) reload()
  })
  if (page.data === null) return <LoadState of={page} what="Positions" />
  if (page.data.positions.length === 0) return <Empty>No positions yet.</Empty>
  const nameOf = (id: string) => market.outcomes.find((outcome) => outcome.id === id)?.name
  return (
    <Scroller name="Positions">
      <table class="table compact">
        <Heads
          columns={[
            'Player',
            'Outcome',
            ['Shares', 'number'],
            ['Reserved', 'number wide-only'],
            ['Average price', 'number'],
            ['Cost', 'number wide-only'],
            ['Realised P&L', 'number'],
          ]}
        />
        <tbody>
          {page.data.positions.map((position) => (
            <tr key={position.id}>
              <th scope="row">{position.playerId}</th>
              <td>{nameOf(position.outcomeId)}</td>
              <td class="number">{grouped(position.shares)}</td>
              <td class="number wide-only">{grouped(position.reservedShares)}</td>
              <td class="number">{Number(position.avgPrice).toFixed(4)}</td>
              <td class="number wide-only">
                <Money of={position.totalCost} />
              </td>
              <td class={`number ${signOf(position.realizedPnl)}`}>
                <Money of={position.realizedPnl} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Latest page={page.data} count={shownMax} />
    </Scroller>
  )
}

function signOf(decimal: string): string {
  if (decimal === '0') return ''
  return decimal.startsWith('-') ? 'ask' : 'bid'
}
