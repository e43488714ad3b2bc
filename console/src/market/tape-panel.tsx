// The tape: the latest trades of an outcome, newest first.

import { useEffect, useState } from 'preact/hooks'
import { shares, timeOfDay } from '../figures.ts'
import { connection } from '../live/stream.ts'
import { useLoaded } from '../loaded.ts'
import { Price } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { Nothing, Panel } from '../parts/panel.tsx'
import { get } from '../request.ts'
import type { Market, Outcome, TapePage, TapeTrade } from '../wire.ts'

const shownMax = 40

type Props = {
  readonly market: Market
  readonly outcome: Outcome
  readonly trade: TapeTrade | null
}

export function TapePanel({ market, outcome, trade }: Props) {
  const trades = useTape(market, outcome, trade)
  return (
    <Panel title="Trades" kind="tape" tools={<span class="of">{outcome.name}</span>}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <section class="scroll" tabIndex={0} aria-label="Latest trades">
        {trades.length === 0 ? (
          <Nothing>No trades yet.</Nothing>
        ) : (
          <table class="book-table">
            <Heads columns={['Price', 'Shares', 'Time']} />
            <tbody>
              {trades.map((each, at) => (
                <tr key={`${each.timestamp}-${trades.length - at}`}>
                  <td class={each.takerSide === 'BUY' ? 'bid' : 'ask'}>
                    <Price value={each.price} />
                    <span class="unseen">{each.takerSide === 'BUY' ? 'bought' : 'sold'}</span>
                  </td>
                  <td>{shares(each.shares)}</td>
                  <td>{timeOfDay(each.timestamp)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </Panel>
  )
}

function useTape(market: Market, outcome: Outcome, trade: TapeTrade | null): readonly TapeTrade[] {
  const [trades, setTrades] = useState<readonly TapeTrade[]>([])
  const isVisible = market.status !== 'DRAFT'
  const path = `/markets/${market.id}/trades/${outcome.id}?limit=${shownMax}`
  const stored = useLoaded(
    () => (isVisible ? get<TapePage>(path) : null),
    [path, isVisible, connection.value],
  )
  useEffect(() => setTrades([]), [outcome.id])
  useEffect(() => {
    if (stored.data !== null) setTrades(stored.data.trades)
  }, [stored.data])
  useEffect(() => {
    if (trade !== null) setTrades((before) => [trade, ...before].slice(0, shownMax))
  }, [trade])
  return trades
}
