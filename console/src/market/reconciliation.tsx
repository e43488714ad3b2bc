// The reconciliation of a market, computed by the exchange from its stored records.

import { exchange } from '../exchange.ts'
import { grouped, money } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { Money, Stat } from '../parts/figure.tsx'
import { LoadState } from '../parts/panel.tsx'
import type { Market, Reconciliation } from '../wire.ts'

export function ReconciliationView({ market }: { market: Market }) {
  const loaded = useLoaded(
    () => exchange().markets.reconciliation(market.id),
    [market.id, market.totalTrades, market.status],
  )
  if (loaded.data === null) return <LoadState of={loaded} what="Reconciliations" />
  const { setsMinted, setsRedeemed, payouts, balanced, outcomes, operators } = loaded.data
  const nameOf = (id: string) => market.outcomes.find((outcome) => outcome.id === id)?.name ?? id
  return (
    <div class="stack">
      <p class="balance" data-balanced={balanced ? 'yes' : 'no'}>
        {balanced ? 'The books balance.' : 'The books do not balance. Run an audit.'}
      </p>
      <dl class="stats">
        <Stat name="Sets minted" value={grouped(setsMinted)} />
        <Stat name="Sets redeemed" value={grouped(setsRedeemed)} />
        <Stat name="Paid out" value={money(payouts)} />
        {outcomes.map(({ outcomeId, shares }) => (
          <Stat key={outcomeId} name={`Shares of ${nameOf(outcomeId)}`} value={grouped(shares)} />
        ))}
      </dl>
      {operators.length === 0 ? null : <OperatorSums operators={operators} />}
      <div>
        <button type="button" class="small" onClick={loaded.reload}>
          Recompute
        </button>
      </div>
    </div>
  )
}

function OperatorSums({ operators }: Pick<Reconciliation, 'operators'>) {
  return (
    <div class="table-wrap">
      <table class="table compact">
        <thead>
          <tr>
            <th scope="col">Operator</th>
            {['Minted', 'Redeemed', 'Bought', 'Sold', 'Fees'].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {operators.map((sums) => (
            <tr key={sums.operatorId}>
              <th scope="row">
                <code>{sums.operatorId.slice(-12)}</code>
              </th>
              <td class="number">
                <Money of={sums.minted} />
              </td>
              <td class="number">
                <Money of={sums.redeemed} />
              </td>
              <td class="number">
                <Money of={sums.bought} />
              </td>
              <td class="number">
                <Money of={sums.sold} />
              </td>
              <td class="number">
                <Money of={sums.fees} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
