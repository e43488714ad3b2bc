// The price chart of an outcome: candles, and volumes below.

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { exchange } from '../exchange.ts'
import { type Interval, intervals, withTrade } from '../live/candles.ts'
import { useTrades } from '../live/market-feed.ts'
import { connection } from '../live/stream.ts'
import { useLoaded } from '../loaded.ts'
import { Segments } from '../parts/form.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { colour } from '../theme.ts'
import type { Candle, Market, Outcome } from '../wire.ts'
import { drawCandles } from './candle-drawing.ts'
import { Chart } from './chart.tsx'
import { axis, isNarrow, priceAxis, quietCursor } from './chart-style.ts'

const choices = [
  ['1m', '1m'],
  ['5m', '5m'],
  ['1h', '1h'],
  ['1d', '1d'],
] as const
const candlesShown = 120
const candlesAtLeast = 40
const chartHeight = isNarrow ? 232 : 360

type Props = {
  readonly market: Market
  readonly outcome: Outcome
}

export function PricePanel({ market, outcome }: Props) {
  const [interval, setInterval] = useState<Interval>('1m')
  const isVisible = market.status !== 'DRAFT'
  const loaded = useLoaded(
    () => (isVisible ? loadCandles(market, outcome, interval) : null),
    [market.id, outcome.id, interval, isVisible, connection.value],
  )
  const candles = useLiveCandles(market, outcome, loaded.data, intervals[interval])
  const options = useCallback(() => chartOptions(intervals[interval]), [interval])
  const data = useMemo(() => columns(candles.slice(-candlesShown)), [candles])
  return (
    <Panel
      title="Price"
      kind="price-panel"
      tools={<Segments name="Interval" choices={choices} value={interval} onValue={setInterval} />}
    >
      <div class="chart-place">
        {!isVisible ? (
          <Empty>The chart starts when the market opens.</Empty>
        ) : loaded.data === null ? (
          <LoadState of={loaded} what="Price charts" />
        ) : candles.length === 0 ? (
          <Empty>No trades yet.</Empty>
        ) : (
          <Chart
            name={`Price of ${outcome.name} over time`}
            height={chartHeight}
            data={data}
            options={options}
          />
        )}
      </div>
    </Panel>
  )
}

function loadCandles(market: Market, outcome: Outcome, interval: Interval) {
  const from = new Date(Date.now() - intervals[interval] * candlesShown).toISOString()
  return exchange().marketData.candles(market.id, outcome.id, { interval, from })
}

/** The loaded candles, updated with the trades since. */
function useLiveCandles(
  { id, status }: Market,
  outcome: Outcome,
  loaded: readonly Candle[] | null,
  intervalMs: number,
): readonly Candle[] {
  const [candles, setCandles] = useState<readonly Candle[]>([])
  useEffect(() => setCandles(loaded ?? []), [loaded])
  useTrades(id, status !== 'DRAFT', (trade) => {
    if (trade.outcomeId !== outcome.id) return
    setCandles((before) => withTrade(before, trade, intervalMs))
  })
  return candles
}

function columns(candles: readonly Candle[]): uPlot.AlignedData {
  return [
    candles.map(({ time }) => time / 1_000),
    candles.map(({ open }) => open),
    candles.map(({ high }) => high),
    candles.map(({ low }) => low),
    candles.map(({ close }) => close),
    candles.map(({ volume }) => volume),
  ]
}

function chartOptions(intervalMs: number): Omit<uPlot.Options, 'width' | 'height'> {
  const hidden = { show: false, scale: 'y' }
  return {
    legend: { show: false },
    cursor: quietCursor,
    padding: [12, 0, 0, 20],
    scales: {
      x: { range: ({ data: [times] }) => spanned(times, intervalMs / 1_000) },
      y: { range: ({ data: [, , highs, lows] }) => padded(lows, highs) },
      // Volumes use the lowest quarter.
      volume: { range: (_plot, _low, high) => [0, (high ?? 1) * 4] },
    },
    axes: [
      axis({
        space: 80,
        size: 30,
        values: (_plot, ticks) => ticks.map((at) => timeLabel(at, intervalMs)),
      }),
      priceAxis({ side: 1, size: 52 }),
    ],
    series: [
      {},
      hidden,
      hidden,
      hidden,
      { scale: 'y', stroke: 'transparent', width: 0, points: { show: false } },
      { scale: 'volume', stroke: 'transparent', width: 0, points: { show: false } },
    ],
    hooks: {
      draw: [
        (plot) => {
          const shades = { up: colour('bid'), down: colour('ask') }
          drawCandles(plot, shades, intervalMs / 1_000)
        },
      ],
    },
  }
}

/** Ends at the newest candle, and has a minimum span, so that few candles keep their width. */
function spanned(times: ArrayLike<number>, interval: number): [number, number] {
  const first = times[0] ?? 0
  const last = times[times.length - 1] ?? 0
  return [Math.min(first - interval, last - interval * candlesAtLeast), last + interval]
}

const hours = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const days = new Intl.DateTimeFormat(undefined, { day: '2-digit', month: 'short' })

function timeLabel(seconds: number, intervalMs: number): string {
  return (intervalMs < intervals['1h'] ? hours : days).format(seconds * 1_000)
}

/** Adds margins, and a minimum span, so that one tick does not look like a crash. */
function padded(lows: Column, highs: Column): [number, number] {
  const low = Math.min(...numbersOf(lows))
  const high = Math.max(...numbersOf(highs))
  const margin = Math.max(0.02, (high - low) * 0.2)
  return [Math.max(0, low - margin), Math.min(1, high + margin)]
}

type Column = ArrayLike<number | null | undefined> | undefined

function numbersOf(column: Column): readonly number[] {
  return Array.from(column ?? []).filter((value) => typeof value === 'number')
}
