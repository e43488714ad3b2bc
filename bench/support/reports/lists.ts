// The figures of the lists bench, as a part of the report.

import type { ListResult } from '../../store/lists.ts'
import { barPlot } from '../plots/bar-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from '../report.ts'

export function reportLists(result: ListResult, plots: Plots): string[] {
  const { fewOrders, options, pages } = result
  const few = count(fewOrders)
  const many = count(options.orders)
  return [
    '## Pages of lists',
    '',
    `GET over HTTP, one at a time, from a store with ${few} orders and from one with ${many}; half`,
    'as many trades. 20 rows a page, 100 events a page. All belongs to one operator, and is spread',
    'evenly over 100 markets and 100 players. "Deep inside" is a page in the middle. Medians of',
    `${options.requests} requests each, in turns; the ratio is how much longer the larger takes.`,
    '',
    `| page | ${few} orders, ms | ${many} orders, ms | p99 | ratio | wanted |`,
    '|---|---|---|---|---|---|',
    ...pages.map(({ name, fewMs, manyMs, manyP99, ratio }) => {
      const times = [fewMs, manyMs, manyP99].map((time) => time.toFixed(2))
      const wanted = name.includes('player') ? '' : 'at most 2x'
      return row([name, ...times, `${ratio.toFixed(1)}x`, wanted])
    }),
    '',
    "The total of a player's orders is counted for each page; all other totals are kept.",
    '',
    ...plots.add('pages', 'Milliseconds for each page', plotOf(result)),
    concludeLists(result),
    '',
  ]
}

export function concludeLists({ fewOrders, options, pages }: ListResult): string {
  const worst = [...pages].sort((one, other) => other.ratio - one.ratio)[0]!
  const behind = count(options.orders / fewOrders)
  const times = `${worst.ratio.toFixed(1)}x as long (${worst.name})`
  return `With ${behind} times as many orders stored, a page takes at most ${times}.`
}

function plotOf({ fewOrders, options, pages }: ListResult): string {
  return barPlot({
    title: 'How long a page of a list takes',
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
