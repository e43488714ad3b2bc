// The candles of an outcome, and its volumes below, with a readout of one candle.

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { exchange } from '../exchange.ts'
import { dateTime, price as priceText, shares } from '../figures.ts'
import { type Interval, intervals, type Range, windowOf, withTrade } from '../live/candles.ts'
import { useTrades } from '../live/market-feed.ts'
import { connection } from '../live/stream.ts'
import { useLoaded } from '../loaded.ts'
import { Empty, LoadState } from '../parts/panel.tsx'
import type { Candle, Market, Outcome } from '../wire.ts'
import { drawCandles } from './candle-drawing.ts'
import { Chart } from './chart.tsx'
import { aboveBand, lowestOf } from './chart-band.ts'
import { chartHeight, paddedPrices, priceAxis, quietCursor, timeAxis } from './chart-style.ts'

/** So few candles keep their width in the range of everything. */
const candlesAtLeast = 40
const keptMax = 1_000

type Props = {
  readonly market: Market
  readonly outcome: Outcome
  readonly range: Range
}

export function CandleChart({ market, outcome, range }: Props) {
  const loaded = useLoaded(
    () => loadCandles(market, outcome, range),
    [market.id, outcome.id, range, connection.value],
  )
  const { candles, interval, spanMs } = useLiveCandles(market, outcome, loaded.data)
  const [at, setAt] = useState<number | null>(null)
  const isAll = range === 'all'
  const options = useCallback(
    () => chartOptions(intervals[interval], isAll ? null : spanMs),
    [interval, isAll, spanMs],
  )
  const data = useMemo(() => columns(candles), [candles])
  if (loaded.data === null) return <LoadState of={loaded} what="Price charts" />
  const shown = candles[at ?? candles.length - 1] ?? candles.at(-1)
  if (shown === undefined) {
    return <Empty>{isAll ? 'No trades yet.' : 'No trades in this time.'}</Empty>
  }
  return (
    <>
      <CandleReadout candle={shown} />
      <Chart
        name={`Price of ${outcome.name} over time`}
        height={chartHeight}
        data={data}
        options={options}
        readout={{ at, text: textOf(shown), onPoint: setAt }}
      />
    </>
  )
}

function CandleReadout({ candle }: { candle: Candle }) {
  return (
    <dl class="readout">
      {partsOf(candle).map(([name, value, letter]) => (
        <div key={name}>
          <dt>
            <abbr title={name}>{letter}</abbr>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function partsOf({ time, open, high, low, close, volume }: Candle) {
  return [
    ['Time', dateTime(time), 'Time'],
    ['Open', priceText(open), 'O'],
    ['High', priceText(high), 'H'],
    ['Low', priceText(low), 'L'],
    ['Close', priceText(close), 'C'],
    ['Volume', shares(volume), 'Volume'],
  ] as const
}

function textOf(candle: Candle): string {
  return partsOf(candle)
    .map(([name, value]) => (name === 'Time' ? value : `${name.toLowerCase()} ${value}`))
    .join(', ')
}

type Loading = {
  readonly interval: Interval
  readonly spanMs: number
  readonly candles: readonly Candle[]
}

async function loadCandles(market: Market, outcome: Outcome, range: Range): Promise<Loading> {
  const started = new Date(market.createdAt).getTime()
  const { interval, fromMs, toMs } = windowOf(range, started, Date.now())
  const query = { interval, from: new Date(fromMs).toISOString() }
  const candles = await exchange().marketData.candles(market.id, outcome.id, query)
  return { interval, spanMs: toMs - fromMs, candles }
}

const nothing: Loading = { interval: '1m', spanMs: intervals['1h'], candles: [] }

/** The loaded candles, updated with the trades since. */
function useLiveCandles(market: Market, outcome: Outcome, loaded: Loading | null): Loading {
  const { interval, spanMs, candles: before } = loaded ?? nothing
  const [candles, setCandles] = useState(before)
  useEffect(() => setCandles(before), [before])
  useTrades(market.id, true, (trades) => {
    const ours = trades.filter(({ outcomeId }) => outcomeId === outcome.id)
    if (ours.length === 0) return
    setCandles((known) =>
      ours
        .reduce((grown, trade) => withTrade(grown, trade, intervals[interval]), known)
        .slice(-keptMax),
    )
  })
  return { interval, spanMs, candles }
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

/** `spanMs` is null for the range of everything. */
function chartOptions(
  intervalMs: number,
  spanMs: number | null,
): Omit<uPlot.Options, 'width' | 'height'> {
  const hidden = { show: false, scale: 'y' }
  const seconds = intervalMs / 1_000
  return {
    legend: { show: false },
    cursor: quietCursor,
    padding: [12, 0, 0, 20],
    scales: {
      x: {
        range: ({ data: [times] }) => {
          const end = Math.max(Date.now() / 1_000, times.at(-1) ?? 0) + seconds
          return spanMs === null ? spanned(times, seconds) : [end - spanMs / 1_000 - seconds, end]
        },
      },
      y: {
        range: ({ data: [, , highs, lows] }) => aboveBand(paddedPrices(numbersOf(lows, highs))),
      },
    },
    axes: [
      timeAxis(spanMs ?? intervalMs * candlesAtLeast),
      priceAxis({ side: 1, size: 52 }, onlyAboveBand),
    ],
    series: [
      {},
      hidden,
      hidden,
      hidden,
      { scale: 'y', stroke: 'transparent', width: 0, points: { show: false } },
      hidden,
    ],
    hooks: { draw: [(plot) => drawCandles(plot, seconds)] },
  }
}

const onlyAboveBand: uPlot.Axis.Filter = (plot, prices) => {
  const { min, max } = plot.scales.y ?? {}
  const lowest = lowestOf([min ?? 0, max ?? 1])
  return prices.map((price) => (price >= lowest ? price : null))
}

/** Ends at the newest candle, and has a minimum span, so that few candles keep their width. */
function spanned(times: ArrayLike<number>, interval: number): [number, number] {
  const first = times[0] ?? 0
  const last = times[times.length - 1] ?? 0
  return [Math.min(first - interval, last - interval * candlesAtLeast), last + interval]
}

type Column = ArrayLike<number | null | undefined> | undefined

function numbersOf(...given: readonly Column[]): readonly number[] {
  return given
    .flatMap((column) => Array.from(column ?? []))
    .filter((value) => typeof value === 'number')
}
