// The depth chart: cumulative shares of both sides by price.

import { useMemo } from 'preact/hooks'
import uPlot from 'uplot'
import { shares } from '../figures.ts'
import { type Book, depthOf } from '../live/book.ts'
import { Empty, Panel } from '../parts/panel.tsx'
import { colour } from '../theme.ts'
import { Chart } from './chart.tsx'
import { axis, isNarrow, priceAxis, quietCursor } from './chart-style.ts'

const levelsMax = 200
const chartHeight = isNarrow ? 168 : 240

export function DepthPanel({ book }: { book: Book | null }) {
  const data = useMemo(() => columns(book), [book])
  return (
    <Panel title="Depth" kind="depth-panel">
      <div class="chart-place low">
        {data[0].length === 0 ? (
          <Empty>The book is empty.</Empty>
        ) : (
          <Chart
            name="Cumulative shares of bids and asks by price"
            height={chartHeight}
            data={data}
            options={chartOptions}
          />
        )}
      </div>
    </Panel>
  )
}

function columns(book: Book | null): uPlot.AlignedData {
  if (book === null) return [[]]
  const { prices, bids, asks } = depthOf(book, levelsMax)
  return [prices, bids, asks]
}

function chartOptions(): Omit<uPlot.Options, 'width' | 'height'> {
  const side = (name: 'bid' | 'ask', align: -1 | 1): uPlot.Series => ({
    stroke: colour(name),
    fill: colour(`${name}-soft`),
    width: 1.5,
    points: { show: false },
    ...(uPlot.paths.stepped === undefined ? {} : { paths: uPlot.paths.stepped({ align }) }),
  })
  return {
    legend: { show: false },
    cursor: quietCursor,
    padding: [12, 0, 0, 20],
    scales: {
      x: { time: false },
      y: { range: (_plot, _low, high) => [0, (high ?? 1) * 1.1] },
    },
    axes: [
      priceAxis({ space: 60, size: 30 }),
      axis({ side: 1, size: 52, values: (_plot, ticks) => ticks.map((at) => shares(at)) }),
    ],
    series: [{}, side('bid', -1), side('ask', 1)],
  }
}
