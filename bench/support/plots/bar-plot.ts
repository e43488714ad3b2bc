// Horizontal bars in groups, each followed by its value. Long labels fit, and nothing overlaps
// however many bars there are.

import { linearScale } from './scale.ts'
import {
  colourOf,
  document,
  gridLine,
  type Series,
  short,
  textAt,
  tickText,
  topOf,
  width,
  widthOf,
} from './svg.ts'

export type BarPlot = {
  readonly title: string
  /** What the axis shows, with its unit. */
  readonly axis: string
  /** One for each bar of a group. */
  readonly series: readonly Series[]
  readonly groups: readonly {
    readonly label: string
    readonly bars: readonly { readonly value: number; readonly text: string }[]
  }[]
}

const barHeight = 18
const barGap = 3
const groupGap = 12
const axisHeight = 46
const barLeast = 1

export function barPlot(plot: BarPlot): string {
  const bars = plot.groups.flatMap((group) => group.bars)
  const left = Math.max(...plot.groups.map(({ label }) => widthOf(label))) + 24
  const right = width - Math.max(...bars.map(({ text }) => widthOf(text))) - 20
  const scale = linearScale(bars.map(({ value }) => value))
  const xOf = (value: number) => left + scale.at(value) * (right - left)
  const drawn: string[] = []
  let y = topOf(plot)
  const top = y
  for (const { label, bars: ofGroup } of plot.groups) {
    const height = ofGroup.length * (barHeight + barGap) - barGap
    drawn.push(textAt({ x: left - 10, y: y + height / 2 + 5, text: label, anchor: 'end' }))
    for (const [number, { value, text }] of ofGroup.entries()) {
      const barY = y + number * (barHeight + barGap)
      const long = short(Math.max(barLeast, xOf(value) - left))
      const place = `x="${short(left)}" y="${short(barY)}" width="${long}" height="${barHeight}"`
      drawn.push(`<rect ${place} rx="2" fill="${colourOf(number)}"/>`)
      drawn.push(textAt({ x: xOf(value) + 7, y: barY + 14, text }))
    }
    y += height + groupGap
  }
  const grid = scale.ticks.map((tick) => gridLine(xOf(tick), top - 6, xOf(tick), y))
  const axis = ticksThatFit(scale.ticks, right - left).map((tick) =>
    textAt({ x: xOf(tick), y: y + 16, text: tickText(tick), anchor: 'middle', isQuiet: true }),
  )
  const middle = (left + right) / 2
  const name = textAt({ x: middle, y: y + 36, text: plot.axis, anchor: 'middle', isQuiet: true })
  return document(plot, y + axisHeight, [...grid, ...drawn, ...axis, name])
}

/** Drops ticks evenly until their numbers do not overlap. */
function ticksThatFit(ticks: readonly number[], space: number): readonly number[] {
  const widest = Math.max(...ticks.map((tick) => widthOf(tickText(tick)))) + 14
  const every = Math.max(1, Math.ceil((widest * (ticks.length - 1)) / space))
  return ticks.filter((_, number) => number % every === 0)
}
