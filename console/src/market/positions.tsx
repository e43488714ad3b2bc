// The positions of players in a market.

import { exchange } from '../exchange.ts'
import { grouped } from '../figures.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { CsvDownload } from '../parts/csv-download.tsx'
import { Money } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { PlayerLink } from '../parts/player-link.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import type { Market, Position } from '../wire.ts'

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
    <>
      <div class="holdings-tools">
        <CsvDownload
          name="positions"
          pages={(options) => exchange().positions.csv({ marketId: market.id }, options)}
        />
      </div>
      <Scroller name="Positions">
        <table class="table compact">
          <Heads
            columns={[
              'Player',
              'Outcome',
              ['Shares', 'number'],
              ['Reserved', 'number wide-only'],
              ['Average price', 'number wide-only'],
              ['Cost', 'number wide-only'],
              ['Value', 'number'],
              ['Unrealised P&L', 'number wide-only'],
              ['Realised P&L', 'number wide-only'],
              ['Total P&L', 'number'],
              ['Pays if it wins', 'number wide-only'],
            ]}
          />
          <tbody>
            {page.data.positions.map((position) => (
              <tr key={position.id}>
                <th scope="row">
                  <PlayerLink id={position.playerId} />
                </th>
                <td class="name">{nameOf(position.outcomeId)}</td>
                <td class="number">{grouped(position.shares)}</td>
                <td class="number wide-only">{grouped(position.reservedShares)}</td>
                <td class="number wide-only">{Number(position.avgPrice).toFixed(4)}</td>
                <td class="number wide-only">
                  <Money of={position.totalCost} />
                </td>
                <ValueCells position={position} />
              </tr>
            ))}
          </tbody>
        </table>
        <Latest page={page.data} count={shownMax} />
      </Scroller>
    </>
  )
}

/** Value, profit by kind, and the payout. */
export function ValueCells({ position }: { position: Position }) {
  const { value, mark, unrealizedPnl, realizedPnl, totalPnl, payoutIfWins } = position
  return (
    <>
      <td class="number" title={markWords[mark]}>
        <Money of={value} />
      </td>
      <ProfitCell of={unrealizedPnl} kind="wide-only" />
      <ProfitCell of={realizedPnl} kind="wide-only" />
      <ProfitCell of={totalPnl} />
      <td class="number wide-only">
        <Money of={payoutIfWins} />
      </td>
    </>
  )
}

const markWords: Readonly<Record<Position['mark'], string>> = {
  PAYOUT: 'By what a share pays',
  LAST: 'At the price of the last trade',
  COST: 'At its cost',
}

function ProfitCell({ of, kind = '' }: { of: string; kind?: string }) {
  return (
    <td class={`number ${kind} ${signOf(of)}`}>
      <Money of={of} />
    </td>
  )
}

export function signOf(decimal: string): string {
  if (decimal === '0') return ''
  return decimal.startsWith('-') ? 'ask' : 'bid'
}
