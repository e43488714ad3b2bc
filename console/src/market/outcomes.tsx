// The outcomes of a market with their prices; one is chosen.

import { exchange } from '../exchange.ts'
import { chance, shares } from '../figures.ts'
import { totalOfPrices } from '../live/book.ts'
import { useEvents } from '../live/events.ts'
import type { PricesByOutcome } from '../live/market-feed.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { Bar, Price } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { memo } from '../parts/memo.tsx'
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
                id={outcome.id}
                name={outcome.name}
                now={prices[outcome.id]}
                volume={volumes[outcome.id] ?? 0}
                payout={payoutOf(market, outcome)}
                isWinner={outcome.id === market.winningOutcomeId}
                isChosen={outcome.id === chosen.id}
                onOutcome={onOutcome}
              />
            ))}
          </tbody>
          {market.resolvedAt === null ? <TotalRow market={market} prices={prices} /> : null}
        </table>
      </div>
    </Panel>
  )
}

/** What one share of every outcome costs, and brings, at the best prices. A set is worth 1. */
function TotalRow({ market, prices }: Pick<Props, 'market' | 'prices'>) {
  const all = market.outcomes.map(({ id }) => prices[id])
  const bids = all.flatMap((price) => price?.bestBid ?? [])
  const asks = all.flatMap((price) => price?.bestAsk ?? [])
  const totalOf = (found: readonly number[]) =>
    found.length === all.length ? totalOfPrices(found) : null
  const missing = (found: readonly number[], what: string) => {
    const count = all.length - found.length
    return count === 0 ? `The sum of the best ${what}s` : `${count} outcomes have no ${what}`
  }
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={2}>
          Total of the book
        </th>
        <td class="number bid" title={missing(bids, 'bid')}>
          <Price value={totalOf(bids)} />
        </td>
        <td class="number ask" title={missing(asks, 'ask')}>
          <Price value={totalOf(asks)} />
        </td>
        <td />
        <td class="wide-only" />
      </tr>
    </tfoot>
  )
}

type RowProps = {
  readonly id: string
  readonly name: string
  readonly now: Prices | undefined
  readonly volume: number
  /** Shown instead of the chance once the market is resolved; null before. */
  readonly payout: string | null
  readonly isWinner: boolean
  readonly isChosen: boolean
  readonly onOutcome: (id: string) => void
}

/** A market has up to 256 of them, and a price changes only one. */
const OutcomeRow = memo((props: RowProps) => {
  const { id, name, now, volume, payout, isWinner, isChosen, onOutcome } = props
  const shown = now?.midPrice ?? now?.lastPrice ?? null
  return (
    <tr class="clickable" data-chosen={isChosen ? 'yes' : undefined} onClick={() => onOutcome(id)}>
      <th scope="row">
        <button type="button" class="plain" aria-pressed={isChosen}>
          {name}
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
})

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
