// The common style of all charts.

import type uPlot from 'uplot'
import { priceLabels } from '../figures.ts'
import { intervals } from '../live/candles.ts'
import { colour } from '../theme.ts'

/** The smallest step is the tick of a price. */
const priceSteps = [0.0001, 0.001, 0.01, 0.1].flatMap((unit) => [unit, 2 * unit, 5 * unit])
const font = 'Inter, ui-sans-serif, system-ui, sans-serif'

/** Of an axis, or of text that is drawn with so many pixels for one. */
export function chartFont(ratio = 1): string {
  return `${11 * ratio}px ${font}`
}

export function axis(more: uPlot.Axis): uPlot.Axis {
  const line = { stroke: colour('line'), width: 1 }
  return {
    stroke: colour('text-quiet'),
    font: chartFont(),
    grid: line,
    ticks: { ...line, size: 4 },
    gap: 6,
    ...more,
  }
}

export function priceAxis(more: uPlot.Axis, filter?: uPlot.Axis.Filter): uPlot.Axis {
  const values: uPlot.Axis.DynamicValues = (_plot, prices, _axis, _space, step) =>
    priceLabels(prices, step)
  const all = axis({ incrs: priceSteps, values, ...more })
  if (filter === undefined) return all
  return { ...all, filter, grid: { ...all.grid, filter }, ticks: { ...all.ticks, filter } }
}

const hours = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const days = new Intl.DateTimeFormat(undefined, { day: '2-digit', month: 'short' })

/** Hours of one day, else days. */
export function timeAxis(spanMs: number): uPlot.Axis {
  const format = spanMs <= 2 * intervals['1d'] ? hours : days
  return axis({
    space: 80,
    size: 30,
    values: (_plot, ticks) => ticks.map((at) => format.format(at * 1_000)),
  })
}

/** Adds margins, and a minimum span, so that one tick does not look like a crash. */
export function paddedPrices(prices: Iterable<number>): [number, number] {
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const margin = Math.max(0.02, (high - low) * 0.1)
  return [Math.max(0, low - margin), Math.min(1, high + margin)]
}

export const quietCursor: uPlot.Cursor = { y: false, drag: { x: false, y: false } }

/** Charts are lower on a phone, so that more fits on the screen. */
export const isNarrow = matchMedia('(max-width: 760px)').matches
/** Of charts with prices over time. */
export const chartHeight = isNarrow ? 232 : 360
