// On the page of a player: what its positions pay, by market and by the outcome that wins.

import type { Loaded } from '../loaded.ts'
import { type PayoutIfWins, payoutsIfWins, sumOf } from '../market/payouts-if-wins.ts'
import { signOf } from '../market/positions.tsx'
import { Money } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import { hrefOf } from '../route.ts'
import type { Market, Position, PositionPage } from '../wire.ts'

type Props = {
  readonly positions: Loaded<PositionPage>
  readonly markets: Readonly<Record<string, Market>>
}

export function PlayerPayouts({ positions: { data, ...loaded }, markets }: Props) {
  if (data === null) return <LoadState of={{ ...loaded, data }} what="Positions" />
  const ids = [...new Set(data.positions.map(({ marketId }) => marketId))]
  const rows = ids.flatMap((id) => {
    const market = markets[id]
    const positions = data.positions.filter(({ marketId }) => marketId === id)
    if (market === undefined || isDecided(market, positions)) return []
    const payouts = payoutsIfWins(positions, { outcomeCount: market.outcomes.length })
    return payouts.length === 0 ? [] : [{ market, positions, payouts }]
  })
  if (rows.length === 0) return <Empty>No positions in markets that can still pay.</Empty>
  return (
    <Scroller name="Payouts by the outcome that wins">
      <table class="table compact grouped-table">
        <Heads columns={['If this wins', ['It pays', 'number'], ['Total P&L', 'number']]} />
        {rows.map(({ market, positions, payouts }) => (
          <tbody key={market.id}>
            <MarketHead market={market} positions={positions} />
            {payouts.map((payout) => (
              <PayoutRow key={payout.outcomeId} market={market} payout={payout} />
            ))}
          </tbody>
        ))}
      </table>
      <Latest page={data} count={data.positions.length} />
    </Scroller>
  )
}

/** What it pays is known, or that its positions are not paid by an outcome. */
function isDecided({ status, resolvedAt }: Market, positions: readonly Position[]): boolean {
  const isResolved = resolvedAt !== null || positions.some(({ mark }) => mark === 'PAYOUT')
  return isResolved || status === 'CANCELLED'
}

function MarketHead({ market, positions }: { market: Market; positions: readonly Position[] }) {
  const value = sumOf(positions.map((position) => position.value))
  const total = sumOf(positions.map(({ totalPnl }) => totalPnl))
  return (
    <tr class="group-head">
      <th scope="rowgroup">
        <a href={hrefOf(`/markets/${market.id}`)}>{market.title}</a>
        <small>Now, in {market.currency}</small>
      </th>
      <td class="number">
        <Money of={value} />
      </td>
      <td class={`number ${signOf(total)}`}>
        <Money of={total} />
      </td>
    </tr>
  )
}

function PayoutRow({ market, payout }: { market: Market; payout: PayoutIfWins }) {
  const { outcomeId, paid, profit } = payout
  const outcome = market.outcomes.find(({ id }) => id === outcomeId)
  return (
    <tr>
      <th scope="row">{outcome?.name ?? 'Any other outcome'}</th>
      <td class="number">
        <Money of={paid} />
      </td>
      <td class={`number ${signOf(profit)}`}>
        <Money of={profit} />
      </td>
    </tr>
  )
}
