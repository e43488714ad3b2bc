// The report of the load that operators have.

import type { Figures } from '../../http/http.ts'
import { openConnections } from '../../http/latency.ts'
import type { MarketStep, OperatorLoadResult } from '../../http/operator-load.ts'
import {
  eventsPerPage,
  ordersPerPage,
  type PageLatency,
  pageEveryMs,
} from '../../http/page-reads.ts'
import { barPlot } from '../plots/bar-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from './table.ts'

export function reportOperatorLoad(result: OperatorLoadResult, plots: Plots): string[] {
  const { options, byMarkets, highestRate, byRate, pages, besidePages } = result
  const loads = byMarkets.map((step) => ({ name: nameOf(step), figures: step.figures }))
  return [
    '## Orders of an operator',
    '',
    `POST /api/v1/orders over ${options.connections} keep-alive connections, each of which sends`,
    'its next order when the last one is answered. LIMIT orders of 200 players in both outcomes of',
    '20 markets, each with a transactionId; about a third match resting orders. Then the same in',
    'one market and in thousands. Every order is synced to the disk in SQLite before its answer.',
    'The load runs on the same cores, with bytes that are prepared before the clock starts.',
    `Alternating rounds: ${options.rounds} of ${options.measureMs / 1000} s each; medians, and`,
    'the median of the ratios to 20 markets.',
    '',
    '| markets | orders/s | ratio | target |',
    '|---|---|---|---|',
    ...byMarkets.map(rowOfStep),
    '',
    'CPU time in us per order, by thread: the main thread, the one that commits, those that read,',
    'and the others of the process (garbage collector, compiler).',
    '',
    '| load | p50, ms | p99 | p99.9 | trades per order | main | writer | readers | rest | all |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...loads.map(({ name, figures }) => rowOfCpu(name, figures)),
    rowOfCpu(`${nameOf(byMarkets[0]!)}, pages read`, besidePages),
    '',
    `Latency at a part of the highest rate in 20 markets, ${count(highestRate)} orders/s. Orders`,
    `are sent evenly over up to ${openConnections} connections, and latency counts from when an`,
    'order was due.',
    '',
    '| rate | answered/s | p50, ms | p99 | p99.9 | worst |',
    '|---|---|---|---|---|---|',
    ...byRate.map(({ part, perSecond, figures }) => {
      const { p50, p99, p999, worst } = figures
      const times = [p50, p99, p999, worst].map((time) => time.toFixed(2))
      const rate = `${part * 100} %: ${count(perSecond)}/s`
      return row([rate, count(figures.perSecond), ...times])
    }),
    '',
    'Pages of the same operator, while orders in 20 markets arrive as fast as they are answered:',
    `the newest ${ordersPerPage} orders, and the next ${eventsPerPage} events, each every`,
    `${pageEveryMs} ms. Latency counts from when a page was due.`,
    '',
    '| page | pages | p50, ms | p99 | target |',
    '|---|---|---|---|---|',
    rowOfPages('GET /orders', pages.orders),
    rowOfPages('GET /events', pages.events),
    '',
    ...plots.add('operator-load', 'CPU time of an order by thread', plotOf(byMarkets)),
  ]
}

export function summarizeOperatorLoad({ byMarkets, byRate, pages }: OperatorLoadResult): string {
  const texts = byMarkets.map((step) => {
    const { cpu, perSecond } = step.figures
    const times =
      cpu === null ? '' : ` (main ${count(cpu.main)} us, writer ${count(cpu.writer)} us)`
    return `${count(perSecond)} in ${nameOf(step)}${times}`
  })
  const rates = byRate.map(({ part, figures }) => `${figures.p99.toFixed(1)} ms at ${part * 100} %`)
  return [
    `Orders per second: ${texts.join('; ')}.`,
    `p99 of an order: ${rates.join(', ')}.`,
    `p99 of a page: orders ${ms(pages.orders)}, events ${ms(pages.events)}.`,
  ].join('\n')
}

function nameOf({ markets }: MarketStep): string {
  return markets === 1 ? '1 market' : `${count(markets)} markets`
}

function rowOfStep({ markets, figures, ratio }: MarketStep): string {
  const target = markets === 10_000 ? '0.8' : ''
  return row([count(markets), count(figures.perSecond), ratio.toFixed(2), target])
}

function rowOfCpu(name: string, figures: Figures): string {
  const { p50, p99, p999, tradesPerOrder, cpu } = figures
  const times = [p50, p99, p999].map((time) => time.toFixed(1))
  const spent = cpu === null ? [] : [cpu.main, cpu.writer, cpu.readers, cpu.rest, cpu.all]
  const cells = cpu === null ? ['', '', '', '', ''] : spent.map((micros) => micros.toFixed(1))
  return row([name, ...times, tradesPerOrder?.toFixed(2) ?? '', ...cells])
}

function rowOfPages(name: string, page: PageLatency): string {
  return row([name, count(page.count), page.p50.toFixed(1), page.p99.toFixed(1), '50'])
}

function ms({ p99 }: PageLatency): string {
  return `${p99.toFixed(1)} ms`
}

function plotOf(steps: readonly MarketStep[]): string {
  return barPlot({
    title: 'CPU time of an order by thread, stored before it is answered',
    axis: 'microseconds per order',
    series: [{ name: 'main thread' }, { name: 'writer' }],
    groups: steps.map((step) => ({
      label: nameOf(step),
      bars: [step.figures.cpu?.main ?? 0, step.figures.cpu?.writer ?? 0].map((value) => ({
        value,
        text: count(value),
      })),
    })),
  })
}
