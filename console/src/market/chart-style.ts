// How all charts look: quiet axes, thin lines, figures in the fonts of the page.

import type uPlot from 'uplot'
import { colour } from '../theme.ts'

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

export const quietCursor: uPlot.Cursor = { y: false, drag: { x: false, y: false } }

/** On a phone charts are lower, so that more than one thing is in view. */
export const isNarrow = matchMedia('(max-width: 760px)').matches
