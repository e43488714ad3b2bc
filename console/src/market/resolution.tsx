// The resolution of a market: result, source, and progress of the settlement.

import { exchange } from '../exchange.ts'
import { dateTime } from '../figures.ts'
import { can, owns } from '../identity.ts'
import { Problem, useSending } from '../parts/form.tsx'
import { Panel } from '../parts/panel.tsx'
import { notify } from '../parts/toast.tsx'
import type { Market } from '../wire.ts'
import { Progress, settlementChanges, useSummary } from './settle-dialog.tsx'

export function Resolution({ market }: { market: Market }) {
  if (market.resolvedAt === null) return null
  return (
    <Panel title="Resolution" kind="resolution">
      <dl class="facts">
        <div>
          <dt>Result</dt>
          <dd>{resultOf(market)}</dd>
        </div>
        <div>
          <dt>Source</dt>
          <dd>{market.resolutionSource ?? '–'}</dd>
        </div>
        <div>
          <dt>Resolved</dt>
          <dd>{dateTime(market.resolvedAt)}</dd>
        </div>
        {market.resolutionNotes === null ? null : (
          <div>
            <dt>Notes</dt>
            <dd>{market.resolutionNotes}</dd>
          </div>
        )}
      </dl>
      <Settlement market={market} />
    </Panel>
  )
}

function Settlement({ market }: { market: Market }) {
  const summary = useSummary(market, false)
  const { isBusy, error, send } = useSending()
  if (summary === null) return null
  const retry = () =>
    send(async () => {
      await exchange().markets.retrySettlements(market.id)
      settlementChanges.value += 1
      notify('You can acknowledge the failed settlements again.')
    })
  return (
    <>
      <Progress summary={summary} currency={market.currency} />
      {summary.failedCount === 0 || !can('manage') || !owns(market) ? null : (
        <button type="button" disabled={isBusy} onClick={retry}>
          Retry failed settlements
        </button>
      )}
      <Problem error={error} />
    </>
  )
}

function resultOf({ winningOutcomeId, payouts, outcomes }: Market): string {
  const nameOf = (id: string) => outcomes.find((outcome) => outcome.id === id)?.name ?? id
  if (winningOutcomeId !== null) return nameOf(winningOutcomeId)
  const parts = payouts?.filter(({ payoutPerShare }) => Number(payoutPerShare) > 0) ?? []
  return parts
    .map(({ outcomeId, payoutPerShare }) => `${nameOf(outcomeId)} pays ${payoutPerShare}`)
    .join(', ')
}
