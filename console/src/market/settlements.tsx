// What each position of a market was paid.

import { exchange } from '../exchange.ts'
import { grouped } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { Money } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { Instead, Nothing } from '../parts/panel.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import { Status } from '../parts/status.tsx'
import type { Market } from '../wire.ts'

const shownMax = 100

export function Settlements({ market }: { market: Market }) {
  const asked = { marketId: market.id, limit: shownMax }
  const page = useLoaded(() => exchange().settlements.page(asked), [market.id, market.status])
  if (page.data === null) return <Instead of={page} what="Settlements" />
  if (page.data.settlements.length === 0) {
    return <Nothing>There are settlements once the market is settled.</Nothing>
  }
  const nameOf = (id: string) => market.outcomes.find((outcome) => outcome.id === id)?.name
  return (
    <Scroller name="Settlements">
      <table class="table compact">
        <Heads
          columns={[
            'Player',
            'Outcome',
            ['Shares', 'number'],
            ['A share pays', 'number wide-only'],
            ['Payout', 'number'],
            'State',
          ]}
        />
        <tbody>
          {page.data.settlements.map((settlement) => (
            <tr key={settlement.id}>
              <th scope="row">{settlement.playerId}</th>
              <td>{nameOf(settlement.outcomeId)}</td>
              <td class="number">{grouped(settlement.shares)}</td>
              <td class="number wide-only">{settlement.payoutPerShare}</td>
              <td class="number">
                <Money of={settlement.totalPayout} />
              </td>
              <td>
                <Status of={settlement.status} />
                {settlement.errorMessage === null ? null : <small>{settlement.errorMessage}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Latest page={page.data} count={shownMax} />
    </Scroller>
  )
}
