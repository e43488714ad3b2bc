// The settlements of a market, and whether the operator has acknowledged them.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { grouped } from '../figures.ts'
import { can } from '../identity.ts'
import { useLoaded } from '../loaded.ts'
import { CsvDownload } from '../parts/csv-download.tsx'
import { Money } from '../parts/figure.tsx'
import { type Column, Heads } from '../parts/heads.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { PlayerLink } from '../parts/player-link.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import { Status } from '../parts/status.tsx'
import type { Market, Settlement } from '../wire.ts'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import { settlementChanges } from './settle-dialog.tsx'

const shownMax = 100

const columns: readonly Column[] = [
  'Player',
  'Outcome',
  ['Shares', 'number wide-only'],
  ['Payout per share', 'number wide-only'],
  ['Payout', 'number'],
  'State',
  ['Transaction', 'wide-only'],
  ['Acknowledge', 'action'],
]

export function Settlements({ market }: { market: Market }) {
  const page = useLoaded(
    () => exchange().settlements.page({ marketId: market.id, limit: shownMax }),
    [market.id, market.status, settlementChanges.value],
  )
  const [chosen, setChosen] = useState<Settlement | null>(null)
  if (page.data === null) return <LoadState of={page} what="Settlements" />
  if (page.data.settlements.length === 0) {
    return <Empty>No settlements yet. They appear when you settle the market.</Empty>
  }
  return (
    <>
      <div class="holdings-tools">
        <CsvDownload
          name="settlements"
          pages={(options) => exchange().settlements.csv({ marketId: market.id }, options)}
        />
      </div>
      <Scroller name="Settlements">
        <table class="table compact">
          <Heads columns={can('manage') ? columns : columns.slice(0, -1)} />
          <tbody>
            {page.data.settlements.map((settlement) => (
              <SettlementRow
                key={settlement.id}
                settlement={settlement}
                market={market}
                onAcknowledge={() => setChosen(settlement)}
              />
            ))}
          </tbody>
        </table>
        <Latest page={page.data} count={shownMax} />
        {chosen === null ? null : (
          <AcknowledgeDialog
            settlement={chosen}
            currency={market.currency}
            onDone={() => {
              settlementChanges.value += 1
            }}
            onClose={() => setChosen(null)}
          />
        )}
      </Scroller>
    </>
  )
}

type RowProps = {
  readonly settlement: Settlement
  readonly market: Market
  readonly onAcknowledge: () => void
}

function SettlementRow({ settlement, market, onAcknowledge }: RowProps) {
  const { playerId, outcomeId, transactionId, errorMessage } = settlement
  const outcome = market.outcomes.find(({ id }) => id === outcomeId)
  return (
    <tr>
      <th scope="row">
        <PlayerLink id={playerId} />
      </th>
      <td class="name">{outcome?.name}</td>
      <td class="number wide-only">{grouped(settlement.shares)}</td>
      <td class="number wide-only">{settlement.payoutPerShare}</td>
      <td class="number">
        <Money of={settlement.totalPayout} />
      </td>
      <td>
        <Status of={settlement.status} />
        {errorMessage === null ? null : <small>{errorMessage}</small>}
      </td>
      <td class="wide-only">{transactionId ?? 'Not acknowledged'}</td>
      {can('manage') ? (
        <td class="number">
          <button type="button" class="quiet small" onClick={onAcknowledge}>
            Acknowledge
            <span class="unseen">{` the payout of ${playerId} for ${outcome?.name ?? ''}`}</span>
          </button>
        </td>
      ) : null}
    </tr>
  )
}
