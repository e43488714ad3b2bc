// The prices of all outcomes as lines, with a readout of all at one time.

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { exchange } from '../exchange.ts'
import { dateTime, price as priceText } from '../figures.ts'
import { type Interval, intervals, type Range, windowOf, withTrade } from '../live/candles.ts'
import { type Line, linesAt } from '../live/lines.ts'
import { useTrades } from '../live/market-feed.ts'
import { connection } from '../live/stream.ts'
import { useLoaded } from '../loaded.ts'
import { Empty, LoadState } from '../parts/panel.tsx'
import { colour } from '../theme.ts'
import type { Market, Outcome } from '../wire.ts'
import { Chart } from './chart.tsx'
import { chartHeight, paddedPrices, priceAxis, quietCursor, timeAxis } from './chart-style.ts'

/** As many as there are distinct styles: each colour solid and dashed. */
const colours = 8
const linesMax = 2 * colours

type Props = {
  readonly market: Market
  readonly chosen: Outcome
  readonly range: Range
}

export function LinesChart({ market, chosen, range }: Props) {
  const loaded = useLoaded(() => loadLines(market, range), [market.id, range, connection.value])
  const { lines, spanMs } = useLiveLines(market, loaded.data)
  const [at, setAt] = useState<number | null>(null)
  const count = lines.length
  const options = useCallback(() => chartOptions(count, spanMs), [count, spanMs])
  const { times, prices } = useMemo(() => linesAt(lines), [lines])
  const data = useMemo<uPlot.AlignedData>(
    () => [times.map((each) => each / 1_000), ...prices],
    [times, prices],
  )
  if (loaded.data === null) return <LoadState of={loaded} what="Price charts" />
  const point = Math.min(at ?? times.length - 1, times.length - 1)
  const time = times[point]
  if (time === undefined) {
    return <Empty>{range === 'all' ? 'No trades yet.' : 'No trades in this time.'}</Empty>
  }
  const entries = lines.map(({ outcomeId }, index) => ({
    outcomeId,
    name: market.outcomes.find(({ id }) => id === outcomeId)?.name ?? '',
    price: prices[index]?.[point] ?? null,
  }))
  const said = entries.map(({ name, price }) => `${name} ${inWords(price)}`)
  return (
    <>
      <dl class="readout">
        <div>
          <dt>Time</dt>
          <dd>{dateTime(time)}</dd>
        </div>
        {entries.map(({ outcomeId, name, price }, index) => (
          <div key={outcomeId} data-chosen={outcomeId === chosen.id ? 'yes' : undefined}>
            <dt>
              <Swatch index={index} />
              {name}
            </dt>
            <dd>{inWords(price)}</dd>
          </div>
        ))}
      </dl>
      {market.outcomes.length > count ? (
        <p class="hint">
          The {count} outcomes with the highest prices, of {market.outcomes.length}.
        </p>
      ) : null}
      <Chart
        name="Prices of all outcomes over time"
        height={chartHeight}
        data={data}
        options={options}
        readout={{ at, text: [dateTime(time), ...said].join(', '), onPoint: setAt }}
      />
    </>
  )
}

function Swatch({ index }: { index: number }) {
  const isDashed = index >= colours
  const style = { 'border-color': `var(--${shadeOf(index)})` }
  return <span class="swatch" data-dashed={isDashed ? 'yes' : undefined} style={style} />
}

function shadeOf(index: number): string {
  return `series-${(index % colours) + 1}`
}

function inWords(price: number | null): string {
  return price === null ? '–' : priceText(price)
}

type Loading = {
  readonly interval: Interval
  readonly spanMs: number
  readonly lines: readonly Line[]
}

async function loadLines(market: Market, range: Range): Promise<Loading> {
  const { marketData } = exchange()
  const started = new Date(market.createdAt).getTime()
  const { interval, fromMs, toMs } = windowOf(range, started, Date.now())
  const query = { interval, from: new Date(fromMs).toISOString() }
  const lines = (await shownOutcomes(market)).map(async (outcomeId) => ({
    outcomeId,
    candles: await marketData.candles(market.id, outcomeId, query),
  }))
  return { interval, spanMs: toMs - fromMs, lines: await Promise.all(lines) }
}

/** All outcomes in their order; of very many, those with the highest prices. */
async function shownOutcomes({ id, outcomes }: Market): Promise<readonly string[]> {
  if (outcomes.length <= linesMax) return outcomes.map((outcome) => outcome.id)
  const prices = await exchange().marketData.prices(id)
  return prices
    .map(({ outcomeId, midPrice, lastPrice }) => ({ outcomeId, price: midPrice ?? lastPrice ?? 0 }))
    .toSorted((a, b) => b.price - a.price)
    .slice(0, linesMax)
    .map(({ outcomeId }) => outcomeId)
}

const nothing: Loading = { interval: '1m', spanMs: intervals['1h'], lines: [] }

function useLiveLines(market: Market, loaded: Loading | null): Loading {
  const { interval, spanMs, lines: before } = loaded ?? nothing
  const [lines, setLines] = useState(before)
  useEffect(() => setLines(before), [before])
  useTrades(market.id, true, (trades) => {
    setLines((known) =>
      known.map(({ outcomeId, candles }) => ({
        outcomeId,
        candles: trades
          .filter((trade) => trade.outcomeId === outcomeId)
          .reduce((grown, trade) => withTrade(grown, trade, intervals[interval]), candles),
      })),
    )
  })
  return { interval, spanMs, lines }
}

function chartOptions(count: number, spanMs: number): Omit<uPlot.Options, 'width' | 'height'> {
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  const line = (index: number): uPlot.Series => ({
    stroke: colour(shadeOf(index)),
    width: 2,
    points: { show: false },
    ...(index < colours ? {} : { dash: [6, 4] }),
    ...(stepped === undefined ? {} : { paths: stepped }),
  })
  return {
    legend: { show: false },
    cursor: quietCursor,
    padding: [12, 0, 0, 20],
    scales: {
      y: {
        range: ({ data: [, ...columns] }) =>
          paddedPrices(
            columns.flatMap((column) =>
              Array.from(column).filter((price) => typeof price === 'number'),
            ),
          ),
      },
    },
    axes: [timeAxis(spanMs), priceAxis({ side: 1, size: 52 })],
    series: [{}, ...Array.from({ length: count }, (_, index) => line(index))],
  }
}
