// The common style of all charts.

import type uPlot from 'uplot'
import { priceLabels } from '../figures.ts'
import { colour } from '../theme.ts'

/** The smallest step is the tick of a price. */
const priceSteps = [0.0001, 0.001, 0.01, 0.1].flatMap((unit) => [unit, 2 * unit, 5 * unit])
const font = '11px Inter, ui-sans-serif, system-ui, sans-serif'

export function axis(more: uPlot.Axis): uPlot.Axis {
  const line = { stroke: colour('line'), width: 1 }
  return {
    stroke: colour('text-quiet'),
    font,
    grid: line,
    ticks: { ...line, size: 4 },
    gap: 6,
    ...more,
  }
}

export function priceAxis(more: uPlot.Axis): uPlot.Axis {
  const values: uPlot.Axis.DynamicValues = (_plot, prices, _axis, _space, step) =>
    priceLabels(prices, step)
  return axis({ incrs: priceSteps, values, ...more })
}

export const quietCursor: uPlot.Cursor = { y: false, drag: { x: false, y: false } }

/** Charts are lower on a phone, so that more fits on the screen. */
export const isNarrow = matchMedia('(max-width: 760px)').matches
