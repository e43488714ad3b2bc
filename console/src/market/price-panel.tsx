// The price charts of a market: candles of one outcome, or lines of all.

import { signal } from '@preact/signals'
import type { Range } from '../live/candles.ts'
import { Segments } from '../parts/form.tsx'
import { Empty, Panel } from '../parts/panel.tsx'
import type { Market, Outcome } from '../wire.ts'
import { CandleChart } from './candle-chart.tsx'
import { LinesChart } from './lines-chart.tsx'

const ranges = [
  ['1H', '1H'],
  ['6H', '6H'],
  ['1D', '1D'],
  ['1W', '1W'],
  ['all', 'All'],
] as const
const views = [
  ['one', 'Candles'],
  ['all', 'All outcomes'],
] as const

/** Kept across outcomes and markets. */
const range = signal<Range>('all')
const view = signal<'one' | 'all'>('one')

type Props = {
  readonly market: Market
  readonly outcome: Outcome
}

export function PricePanel({ market, outcome }: Props) {
  const setRange = (chosen: Range) => {
    range.value = chosen
  }
  const setView = (chosen: 'one' | 'all') => {
    view.value = chosen
  }
  return (
    <Panel
      title="Price"
      kind="price-panel"
      tools={
        <>
          <Segments name="Chart" choices={views} value={view.value} onValue={setView} />
          <Segments name="Range" choices={ranges} value={range.value} onValue={setRange} />
        </>
      }
    >
      <div class="chart-place">
        {market.status === 'DRAFT' ? (
          <Empty>The chart starts when the market opens.</Empty>
        ) : view.value === 'one' ? (
          <CandleChart market={market} outcome={outcome} range={range.value} />
        ) : (
          <LinesChart market={market} chosen={outcome} range={range.value} />
        )}
      </div>
    </Panel>
  )
}
