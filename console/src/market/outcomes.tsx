// The outcomes of a market with their prices; one is chosen.

import { exchange } from '../exchange.ts'
import { chance, shares } from '../figures.ts'
import { useEvents } from '../live/events.ts'
import type { PricesByOutcome } from '../live/market-feed.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { Bar, Price } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { Panel } from '../parts/panel.tsx'
import type { Market, Outcome, Prices } from '../wire.ts'
import { payoutOf } from './payout.ts'

const volumeMs = 1_000

type Props = {
  readonly market: Market
  readonly prices: PricesByOutcome
  readonly chosen: Outcome
  readonly onOutcome: (id: string) => void
}

export function Outcomes({ market, prices, chosen, onOutcome }: Props) {
  const volumes = useVolumes(market)
  const isResolved = market.resolvedAt !== null
  return (
    <Panel title="Outcomes" kind="outcomes">
      <div class="scroll">
        <table class="table compact">
          <Heads
            columns={[
              'Outcome',
              [isResolved ? 'Pays' : 'Chance', 'number'],
              ['Bid', 'number'],
              ['Ask', 'number'],
              ['Last', 'number'],
              ['24 h', 'number wide-only'],
            ]}
          />
          <tbody>
            {market.outcomes.map((outcome) => (
              <OutcomeRow
                key={outcome.id}
                outcome={outcome}
                now={prices[outcome.id]}
                volume={volumes[outcome.id] ?? 0}
                payout={payoutOf(market, outcome)}
                isWinner={outcome.id === market.winningOutcomeId}
                isChosen={outcome.id === chosen.id}
                onChoose={() => onOutcome(outcome.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

type RowProps = {
  readonly outcome: Outcome
  readonly now: Prices | undefined
  readonly volume: number
  /** Shown instead of the chance once the market is resolved; null before. */
  readonly payout: string | null
  readonly isWinner: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function OutcomeRow(props: RowProps) {
  const { outcome, now, volume, payout, isWinner, isChosen, onChoose } = props
  const shown = now?.midPrice ?? now?.lastPrice ?? null
  return (
    <tr class="clickable" data-chosen={isChosen ? 'yes' : undefined} onClick={onChoose}>
      <th scope="row">
        <button type="button" class="plain" aria-pressed={isChosen}>
          {outcome.name}
        </button>
        {isWinner ? <span class="badge">Winner</span> : null}
      </th>
      <td class="number chance">
        <Bar share={payout === null ? (shown ?? 0) : Number(payout)} />
        <span class="percent">{payout ?? chance(shown)}</span>
      </td>
      <td class="number bid">
        <Price value={now?.bestBid ?? null} glows />
      </td>
      <td class="number ask">
        <Price value={now?.bestAsk ?? null} glows />
      </td>
      <td class="number">
        <Price value={now?.lastPrice ?? null} glows />
      </td>
      <td class="number wide-only">{shares(volume)}</td>
    </tr>
  )
}

/** Volumes are not streamed: they are loaded again after trades. */
function useVolumes({ id, status }: Market): Readonly<Record<string, number>> {
  const isVisible = status !== 'DRAFT'
  const loaded = useLoaded(
    () => (isVisible ? exchange().marketData.prices(id) : null),
    [id, isVisible],
  )
  const reload = useThrottled(loaded.reload, volumeMs)
  useEvents((event) => {
    if (event === null || (event.marketId === id && event.eventType === 'ORDER_MATCHED')) reload()
  })
  return Object.fromEntries(
    (loaded.data ?? []).map(({ outcomeId, volume24h }) => [outcomeId, volume24h]),
  )
}
