// The tape: the latest trades of an outcome, newest first.

import { useMemo, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { shares, timeOfDay } from '../figures.ts'
import { useTrades } from '../live/market-feed.ts'
import { connection } from '../live/stream.ts'
import { mergeTrades } from '../live/tape.ts'
import { useLoaded } from '../loaded.ts'
import { Price } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { Empty, Panel } from '../parts/panel.tsx'
import type { Market, Outcome, TapeTrade } from '../wire.ts'

const shownMax = 40

type Props = {
  readonly market: Market
  readonly outcome: Outcome
}

export function TapePanel({ market, outcome }: Props) {
  const trades = useTape(market, outcome) ?? []
  return (
    <Panel title="Trades" kind="tape" tools={<span class="of">{outcome.name}</span>}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard scrolling needs focus. */}
      <section class="scroll" tabIndex={0} aria-label="Latest trades">
        {trades.length === 0 ? (
          <Empty>No trades yet.</Empty>
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

/** null until loaded. */
function useTape(market: Market, outcome: Outcome): readonly TapeTrade[] | null {
  const [received, setReceived] = useState<readonly TapeTrade[]>([])
  const isVisible = market.status !== 'DRAFT'
  const stored = useLoaded(
    () =>
      isVisible ? exchange().marketData.tape(market.id, outcome.id, { limit: shownMax }) : null,
    [market.id, outcome.id, isVisible, connection.value],
  )
  useTrades(market.id, isVisible, (trades) => {
    const ours = trades.filter(({ outcomeId }) => outcomeId === outcome.id)
    if (ours.length > 0) {
      setReceived((before) => [...ours.toReversed(), ...before].slice(0, shownMax))
    }
  })
  const { data } = stored
  return useMemo(
    () => (data === null ? null : mergeTrades(data.trades, received).slice(0, shownMax)),
    [data, received],
  )
}
