// What the settlement of a market would pay, per outcome and operator, before it is confirmed.

import { exchange } from '../exchange.ts'
import { explain } from '../explain.ts'
import { grouped, money } from '../figures.ts'
import { identity } from '../identity.ts'
import { useLoaded } from '../loaded.ts'
import { Heads } from '../parts/heads.tsx'
import { Scroller } from '../parts/scroller.tsx'
import type { Market, SettlementPreview } from '../wire.ts'

type Result = {
  readonly winningOutcomeId?: string
  readonly payouts?: { outcomeId: string; payoutPerShare: number }[]
}

/** `result` is null while there is none; without fields, it is that of the resolved market. */
export function PayoutPreview({ market, result }: { market: Market; result: Result | null }) {
  const loaded = useLoaded(
    () => (result === null ? null : exchange().markets.previewSettlement(market.id, result)),
    [market.id, JSON.stringify(result)],
  )
  if (result === null) return null
  if (loaded.error !== null) return <p class="problem">{explain(loaded.error)}</p>
  if (loaded.data === null) return <p class="hint">Adding up what it pays …</p>
  return <PreviewTables market={market} preview={loaded.data} />
}

function PreviewTables({ market, preview }: { market: Market; preview: SettlementPreview }) {
  const { outcomes, operators, operatorsTotal, positions, totalPayout } = preview
  const nameOf = (id: string) => market.outcomes.find((outcome) => outcome.id === id)?.name ?? id
  const perShare = new Map(preview.payouts.map((each) => [each.outcomeId, each.payoutPerShare]))
  const me = identity.value
  return (
    <section class="payout-preview" aria-label="What it pays">
      <p>
        Pays {money(totalPayout)} {market.currency} to {grouped(String(positions))}{' '}
        {positions === 1 ? 'position' : 'positions'}.
      </p>
      {outcomes.length === 0 ? null : (
        <Scroller name="Payouts by outcome">
          <table class="table compact">
            <Heads
              columns={[
                'Outcome',
                ['Per share', 'number'],
                ['Shares', 'number'],
                ['Payout', 'number'],
              ]}
            />
            <tbody>
              {outcomes.map(({ outcomeId, shares, payout }) => (
                <tr key={outcomeId}>
                  <th scope="row">{nameOf(outcomeId)}</th>
                  <td class="number">{perShare.get(outcomeId)}</td>
                  <td class="number">{grouped(shares)}</td>
                  <td class="number">{money(payout)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
      {operators.length === 0 ? null : (
        <Scroller name="Payouts by operator">
          <table class="table compact">
            <Heads columns={['Operator', ['Positions', 'number'], ['Payout', 'number']]} />
            <tbody>
              {operators.map((each) => (
                <tr key={each.operatorId}>
                  <th scope="row">
                    {each.operatorId === me?.operatorId ? me.operatorName : each.operatorId}
                  </th>
                  <td class="number">{grouped(String(each.positions))}</td>
                  <td class="number">{money(each.totalPayout)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {operatorsTotal > operators.length ? (
            <p class="hint">
              The {operators.length} of {operatorsTotal} operators that are paid most.
            </p>
          ) : null}
        </Scroller>
      )}
    </section>
  )
}
