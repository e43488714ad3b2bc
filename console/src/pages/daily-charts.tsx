// Charts of the trades by day, in all or of one category. The days are those of UTC. All charts
// read out the same day.

import { useCallback, useMemo, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { exchange } from '../exchange.ts'
import { grouped } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { Chart, type Readout } from '../market/chart.tsx'
import { axis, isNarrow, quietCursor } from '../market/chart-style.ts'
import { Segments, SelectField } from '../parts/form.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { useQueryFields } from '../route.ts'
import { colour } from '../theme.ts'
import type { DayStatistics } from '../wire.ts'

const ranges = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['366', '1 year'],
] as const
const dayMs = 86_400_000
const defaults = { days: '30', category: '' }

const metrics = [
  ['Shares traded', 'volume'],
  ['Fees', 'fees'],
  ['Trades', 'trades'],
  ['Active players', 'activePlayers'],
] as const
type Field = (typeof metrics)[number][1]

export function DailyCharts() {
  const [{ days, category }, change] = useQueryFields(defaults)
  const [range] = ranges.find(([each]) => each === days) ?? ranges[1]
  const loaded = useLoaded(() => loadDays(Number(range), category), [range, category])
  return (
    <Panel
      title="Day by day"
      tools={
        <>
          <CategoryChoice value={category} onValue={(to) => change({ category: to })} />
          <Segments
            name="Range"
            choices={ranges}
            value={range}
            onValue={(to) => change({ days: to })}
          />
          <button type="button" class="quiet" onClick={loaded.reload}>
            Refresh
          </button>
        </>
      }
    >
      {loaded.data === null || loaded.error !== null ? (
        <LoadState of={loaded} what="Statistics by day" />
      ) : loaded.data.every(({ trades }) => trades === 0) ? (
        <Empty>No trades in this time.</Empty>
      ) : (
        <Charts days={loaded.data} key={`${range} ${category}`} />
      )}
    </Panel>
  )
}

async function loadDays(count: number, categoryId: string): Promise<readonly DayStatistics[]> {
  const from = new Date(Date.now() - (count - 1) * dayMs).toISOString().slice(0, 10)
  const filter = categoryId === '' ? {} : { categoryId }
  const { days } = await exchange().dailyStatistics({ from, ...filter })
  return days
}

type ChoiceProps = { readonly value: string; readonly onValue: (value: string) => void }

function CategoryChoice({ value, onValue }: ChoiceProps) {
  const { data } = useLoaded(() => exchange().categories.list({ includeGlobal: true }), [])
  if (data === null || data.length === 0) return null
  const choices = data.map(({ id, name }) => [id, name] as const)
  return (
    <SelectField
      name="Category"
      choices={[['', 'All categories'], ...choices]}
      value={value}
      onValue={onValue}
    />
  )
}

function Charts({ days }: { days: readonly DayStatistics[] }) {
  const [at, setAt] = useState<number | null>(null)
  return (
    <div class="daily-charts">
      {metrics.map(([name, field]) => (
        <DayChart key={field} {...{ name, field, days, at }} onPoint={setAt} />
      ))}
    </div>
  )
}

type DayChartProps = {
  readonly name: string
  readonly field: Field
  readonly days: readonly DayStatistics[]
  /** The day that is read out; null for the last. */
  readonly at: number | null
  readonly onPoint: Readout['onPoint']
}

function DayChart({ name, field, days, at, onPoint }: DayChartProps) {
  const shown = days[at ?? days.length - 1] ?? days.at(-1)
  const options = useCallback(() => chartOptions(days), [days])
  const data = useMemo<uPlot.AlignedData>(
    () => [days.map((_, index) => index), days.map((day) => Number(day[field]))],
    [days, field],
  )
  if (shown === undefined) return null
  const [date, value] = [dayText(shown.date), grouped(String(shown[field]))]
  return (
    <div class="daily-chart">
      <h3>{name}</h3>
      <dl class="readout">
        <div>
          <dt>{date}</dt>
          <dd>{value}</dd>
        </div>
      </dl>
      <Chart
        name={`${name} by day`}
        height={isNarrow ? 150 : 190}
        data={data}
        options={options}
        readout={{ at, text: `${date}, ${value}`, onPoint }}
      />
    </div>
  )
}

const ofUtc = { day: '2-digit', month: 'short', timeZone: 'UTC' } as const
const longDates = new Intl.DateTimeFormat(undefined, { ...ofUtc, year: 'numeric' })
const shortDates = new Intl.DateTimeFormat(undefined, ofUtc)
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })

function dayText(date: string): string {
  return longDates.format(new Date(date))
}

/** Steps between the days of the axis. */
const daySteps = [1, 2, 5, 7, 14, 30, 60]

function chartOptions(days: readonly DayStatistics[]): Omit<uPlot.Options, 'width' | 'height'> {
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] })
  const shade = colour('series-1')
  const dateAt = (index: number) => {
    const date = days[index]?.date
    return date === undefined ? '' : shortDates.format(new Date(date))
  }
  return {
    legend: { show: false },
    cursor: { ...quietCursor, points: { show: false } },
    padding: [8, 0, 0, 20],
    scales: {
      x: { time: false, range: [-0.5, days.length - 0.5] },
      y: { range: ({ data: [, values] }) => [0, highestOf(values) * 1.1 || 1] },
    },
    axes: [
      axis({
        ...{ space: 70, size: 30, incrs: daySteps },
        values: (_plot, indexes) => indexes.map(dateAt),
      }),
      axis({
        ...{ side: 1, size: 52 },
        values: (_plot, values) => values.map((value) => compact.format(value)),
      }),
    ],
    series: [
      {},
      {
        stroke: shade,
        fill: shade,
        width: 0,
        points: { show: false },
        ...(bars && { paths: bars }),
      },
    ],
  }
}

function highestOf(values: ArrayLike<number | null | undefined> | undefined): number {
  return Math.max(0, ...Array.from(values ?? [], (value) => value ?? 0))
}
