// Settles a market, and shows the progress.

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { grouped, money } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { Confirm } from '../parts/confirm.tsx'
import { notify } from '../parts/toast.tsx'
import type { Market, SettlementSummary } from '../wire.ts'
import { PayoutPreview } from './settlement-preview.tsx'

/** Counts acknowledgements and retries in this console, for which there are no events. */
export const settlementChanges = signal(0)

/** The result of the resolved market. */
const ofMarket = {}

const pollMs = 300
/** A market can have very many positions. */
const settleMaxMs = 600_000

type Props = {
  readonly market: Market
  readonly onDone: () => void
  readonly onClose: () => void
}

export function SettleDialog({ market, onDone, onClose }: Props) {
  const [isRunning, setRunning] = useState(false)
  const summary = useSummary(market, isRunning)
  const confirm = async () => {
    setRunning(true)
    try {
      const { successCount, totalPayout } = await exchange().markets.settle(market.id, {
        timeoutMs: settleMaxMs,
      })
      const paid = `${money(totalPayout)} ${market.currency}`
      notify(`Settled ${grouped(String(successCount))} positions: ${paid}.`)
      onDone()
    } finally {
      setRunning(false)
    }
  }
  return (
    <Confirm
      title="Settle this market?"
      verb={isRunning ? 'Settling' : 'Settle'}
      word="SETTLE"
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>This records the payout of every position. Then credit your players.</p>
      <PayoutPreview market={market} result={ofMarket} />
      {summary === null ? null : <Progress summary={summary} currency={market.currency} />}
    </Confirm>
  )
}

export function useSummary(market: Market, isRunning: boolean): SettlementSummary | null {
  const { id, status } = market
  const { data, reload } = useLoaded(
    () => exchange().markets.settlementStatus(id),
    [id, status, settlementChanges.value],
  )
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(reload, pollMs)
    return () => clearInterval(timer)
  }, [isRunning, reload])
  return data
}

type ProgressProps = { readonly summary: SettlementSummary; readonly currency: string }

export function Progress({ summary, currency }: ProgressProps) {
  const { totalPositions, completedCount, failedCount, totalPayout, completedPayout } = summary
  const done = completedCount + failedCount
  return (
    <div class="progress">
      <progress max={Math.max(1, totalPositions)} value={done} aria-label="Positions settled" />
      <p>
        {grouped(String(done))} of {grouped(String(totalPositions))} positions
        {failedCount === 0 ? '' : `, ${grouped(String(failedCount))} failed`}
        {' · '}
        {money(completedPayout)} of {money(totalPayout)} {currency}
      </p>
    </div>
  )
}
