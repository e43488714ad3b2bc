// A line over a logarithmic x axis, for steps such as 1, 100 and 10,000 markets. Each point has its
// value as a label, placed where the line does not cross it.

import { linearScale } from './scale.ts'
import {
  colourOf,
  document,
  gridLine,
  short,
  textAt,
  tickText,
  topOf,
  width,
  widthOf,
} from './svg.ts'

export type LinePlot = {
  readonly title: string
  /** What the axes show, with their units. */
  readonly xAxis: string
  readonly yAxis: string
  readonly points: readonly Point[]
}

/** All x are above 0. */
export type Point = { readonly x: number; readonly value: number; readonly text: string }

const plotHeight = 240
const axisHeight = 50
const yNameHeight = 22
const textHeight = 20
const radius = 4
/** A line that rises by fewer pixels does not cross a label above its point. */
const slopeLeast = 8

export function linePlot(plot: LinePlot): string {
  const frame = { title: plot.title, series: [] }
  const scale = linearScale(plot.points.map(({ value }) => value))
  const top = topOf(frame) + yNameHeight + textHeight
  const bottom = top + plotHeight
  const left = 26 + Math.max(...scale.ticks.map((tick) => widthOf(tickText(tick))))
  // Half of the widest label on either side, so that the outer labels stay inside.
  const side = Math.max(...plot.points.map(({ text }) => widthOf(text))) / 2
  const yOf = (value: number) => bottom - scale.at(value) * plotHeight
  const xOf = logPlaces(plot.points, left + side, width - 12 - side)
  const grid = scale.ticks.flatMap((tick) => [
    gridLine(left, yOf(tick), width - 12, yOf(tick)),
    textAt({ x: left - 8, y: yOf(tick) + 4, text: tickText(tick), anchor: 'end', isQuiet: true }),
  ])
  const path = plot.points.map(({ x, value }) => `${short(xOf(x))},${short(yOf(value))}`).join(' ')
  const stroke = `stroke="${colourOf(0)}" stroke-width="2"`
  const marks = plot.points.flatMap(({ x, value, text }, step) => [
    `<circle cx="${short(xOf(x))}" cy="${short(yOf(value))}" r="${radius}" fill="${colourOf(0)}"/>`,
    textAt({ ...besideLine(plot.points, step, { xOf, yOf }), text, isBold: true }),
    textAt({ x: xOf(x), y: bottom + 20, text: tickText(x), anchor: 'middle', isQuiet: true }),
  ])
  const middle = (left + width - 12) / 2
  return document(frame, bottom + axisHeight, [
    ...grid,
    textAt({ x: 12, y: top - textHeight - 4, text: plot.yAxis, isQuiet: true }),
    textAt({ x: middle, y: bottom + 42, text: plot.xAxis, anchor: 'middle', isQuiet: true }),
    `<polyline points="${path}" fill="none" ${stroke}/>`,
    ...marks,
  ])
}

type Places = {
  readonly xOf: (x: number) => number
  readonly yOf: (value: number) => number
}

/** The position of a point's label at which it crosses neither of the adjacent lines. */
function besideLine(points: readonly Point[], step: number, { xOf, yOf }: Places) {
  const x = xOf(points[step]!.x)
  const y = yOf(points[step]!.value)
  const rises = [points[step - 1], points[step + 1]].map((other) =>
    other === undefined ? 0 : Math.sign(Math.round((y - yOf(other.value)) / slopeLeast)),
  )
  const [before = 0, after = 0] = rises
  if (before <= 0 && after <= 0) return { x, y: y - 10, anchor: 'middle' } as const
  const below = y + 22 < yOf(0) ? y + 22 : y - 10
  if (before >= 0 && after >= 0) return { x, y: below, anchor: 'middle' } as const
  if (after > 0) return { x: x - 4, y: y - 10, anchor: 'end' } as const
  return { x: x + 4, y: y - 10, anchor: 'start' } as const
}

function logPlaces(points: readonly Point[], from: number, to: number): (x: number) => number {
  const xs = points.map(({ x }) => Math.log10(x))
  const least = Math.min(...xs)
  const span = Math.max(...xs) - least || 1
  return (x) => from + ((Math.log10(x) - least) / span) * (to - from)
}
