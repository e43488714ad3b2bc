// Plots contain every label inside the picture, and are the same for the same values.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type BarPlot, barPlot } from '../../bench/support/plots/bar-plot.ts'
import { type LinePlot, linePlot } from '../../bench/support/plots/line-plot.ts'
import { Plots } from '../../bench/support/plots/plots.ts'
import { linearScale } from '../../bench/support/plots/scale.ts'

const bars: BarPlot = {
  title: 'Pages <of> lists & more',
  axis: 'median, ms',
  series: [{ name: '10,000 rows' }, { name: '1,000,000 rows' }],
  groups: [
    { label: 'orders', bars: [bar(1), bar(2)] },
    { label: 'orders of one player, deep inside', bars: [bar(0), bar(40)] },
  ],
}

const line: LinePlot = {
  title: 'Orders a second',
  xAxis: 'markets',
  yAxis: 'orders/s',
  points: [1, 100, 10_000].map((x, step) => ({ x, value: 8_000 - step, text: `figure ${x}` })),
}

test('the length of a bar is proportional to its value, and its value is its label', () => {
  const svg = barPlot(bars)
  const long = [...svg.matchAll(/<rect [^>]*width="([\d.]+)" height="18"/g)].map(([, w]) =>
    Number(w),
  )
  assert.equal(long.length, 4)
  assert.ok(Math.abs(long[1]! / long[0]! - 2) < 0.05)
  assert.ok(Math.abs(long[3]! / long[0]! - 40) < 1)
  assert.ok(long[2]! > 0, 'a bar of 0 is still visible')
  for (const words of ['median, ms', '10,000 rows', 'orders of one player', 'value 40']) {
    assert.ok(svg.includes(words), words)
  }
})

test('the points of a line plot are spaced by the logarithm of x', () => {
  const xs = [...linePlot(line).matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x))
  assert.equal(xs.length, 3)
  assert.ok(Math.abs(xs[1]! - (xs[0]! + xs[2]!) / 2) < 0.2)
})

test('the label of a point is placed where the line does not cross it', () => {
  const heights = (values: readonly number[]) => {
    const points = values.map((value, step) => ({ x: 10 ** step, value, text: `figure ${step}` }))
    const svg = linePlot({ ...line, points })
    const dots = [...svg.matchAll(/<circle cx="[\d.]+" cy="([\d.]+)"/g)].map(([, y]) => Number(y))
    const texts = textsIn(svg).filter(({ text }) => text.startsWith('figure'))
    return texts.map(({ y }, step) => (y < dots[step]! ? 'above' : 'below'))
  }
  assert.deepEqual(heights([1, 1, 1]), ['above', 'above', 'above'])
  assert.deepEqual(heights([9, 1, 9]), ['above', 'below', 'above'])
  assert.deepEqual(heights([1, 9, 1]), ['below', 'above', 'below'])
  // In the middle of a slope it is above, on the side away from the line.
  assert.deepEqual(heights([1, 5, 9]), ['below', 'above', 'above'])
})

test('every text of a plot is inside the picture and overlaps no other text', () => {
  for (const svg of [barPlot(bars), linePlot(line)]) {
    const [, width, height] = /width="(\d+)" height="(\d+)" viewBox/.exec(svg)!.map(Number)
    const texts = textsIn(svg)
    for (const { from, to, y, text } of texts) {
      assert.ok(from >= 0 && to <= width! && y > 0 && y <= height!, text)
    }
    for (const one of texts) {
      for (const other of texts) {
        if (one === other || Math.abs(one.y - other.y) > 10) continue
        assert.ok(
          one.to <= other.from || other.to <= one.from,
          `${one.text} overlaps ${other.text}`,
        )
      }
    }
  }
})

test('plots follow the light or dark setting of the reader, and escape their texts', () => {
  const svg = barPlot(bars)
  assert.match(svg, /prefers-color-scheme: dark/)
  assert.match(svg, /<title>Pages &lt;of&gt; lists &amp; more<\/title>/)
})

test('the same values give a plot of the same bytes', () => {
  assert.equal(barPlot(bars), barPlot(structuredClone(bars)))
  assert.equal(linePlot(line), linePlot(structuredClone(line)))
})

test('an axis goes from 0 in round steps to at least the largest value', () => {
  assert.deepEqual(linearScale([0.29, 0.1]).ticks, [0, 0.1, 0.2, 0.3])
  assert.deepEqual(linearScale([8_499]).ticks, [0, 2_000, 4_000, 6_000, 8_000, 10_000])
  assert.equal(linearScale([8_499]).at(5_000), 0.5)
  assert.equal(linearScale([0]).at(0), 0)
})

test('a saved report links and saves its plots under its name; another has no plots', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-plots-'))
  try {
    const plots = new Plots('2026-01-01-lists')
    assert.deepEqual(plots.add('pages', 'Pages', '<svg/>'), [
      '![Pages](2026-01-01-lists-pages.svg)',
      '',
    ])
    plots.save(folder)
    assert.deepEqual(readdirSync(folder), ['2026-01-01-lists-pages.svg'])
    assert.equal(readFileSync(join(folder, '2026-01-01-lists-pages.svg'), 'utf8'), '<svg/>')
    assert.deepEqual(new Plots(null).add('pages', 'Pages', '<svg/>'), [])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function bar(value: number) {
  return { value, text: `value ${value}` }
}

type Placed = { readonly from: number; readonly to: number; readonly y: number; text: string }

// Assumes that a letter is 7 pixels wide.
function textsIn(svg: string): Placed[] {
  const found = svg.matchAll(/<text x="([\d.-]+)" y="([\d.-]+)" text-anchor="(\w+)"[^>]*>([^<]*)/g)
  return [...found].map(([, x, y, anchor, text = '']) => {
    const wide = text.length * 7
    const from = Number(x) - (anchor === 'end' ? wide : anchor === 'middle' ? wide / 2 : 0)
    return { from, to: from + wide, y: Number(y), text }
  })
}
