// The report of the lists bench.

import type { ListResult } from '../../store/lists.ts'
import { barPlot } from '../plots/bar-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from './table.ts'

export function reportLists(result: ListResult, plots: Plots): string[] {
  const { fewOrders, options, pages } = result
  const few = count(fewOrders)
  const many = count(options.orders)
  return [
    '## Pages of lists',
    '',
    `GET over HTTP, one at a time, from a store with ${few} orders and from one with ${many}; half`,
    'as many trades. 20 rows or 100 events per page. All rows belong to one operator, spread',
    'evenly over 100 markets and 100 players. "Deep inside" is a page in the middle. Medians of',
    `${options.requests} alternating requests each; the ratio is the time in the larger store`,
    'divided by the time in the smaller one.',
    '',
    `| page | ${few} orders, ms | ${many} orders, ms | p99 | ratio | target |`,
    '|---|---|---|---|---|---|',
    ...pages.map(({ name, fewMs, manyMs, manyP99, ratio }) => {
      const times = [fewMs, manyMs, manyP99].map((time) => time.toFixed(2))
      const target = name.includes('player') ? '' : 'at most 2x'
      return row([name, ...times, `${ratio.toFixed(1)}x`, target])
    }),
    '',
    "The total of a player's orders is counted for each page; all other totals are stored.",
    '',
    ...plots.add('pages', 'Milliseconds per page', plotOf(result)),
    summarizeLists(result),
    '',
  ]
}

export function summarizeLists({ fewOrders, options, pages }: ListResult): string {
  const worst = [...pages].sort((one, other) => other.ratio - one.ratio)[0]!
  const behind = count(options.orders / fewOrders)
  const times = `${worst.ratio.toFixed(1)}x as long (${worst.name})`
  return `With ${behind} times as many orders stored, a page takes at most ${times}.`
}

function plotOf({ fewOrders, options, pages }: ListResult): string {
  return barPlot({
    title: 'Time to read one page of a list',
    axis: 'milliseconds, median',
    series: [fewOrders, options.orders].map((orders) => ({ name: `${count(orders)} orders` })),
    groups: pages.map(({ name, fewMs, manyMs, ratio }) => ({
      label: name,
      bars: [
        { value: fewMs, text: fewMs.toFixed(2) },
        { value: manyMs, text: `${manyMs.toFixed(2)}, ${ratio.toFixed(1)}x` },
      ],
    })),
  })
}
