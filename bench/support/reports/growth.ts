// The report of the growth bench.

import { defaultConnections, type GrowthResult, type GrowthStep } from '../../http/growth.ts'
import { barPlot } from '../plots/bar-plot.ts'
import { linePlot } from '../plots/line-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from './table.ts'

export function reportGrowth(result: GrowthResult, plots: Plots): string[] {
  const { options, byMarkets, byStoredOrders, byConnections } = result
  return [
    '## Growth',
    '',
    'POST /api/v1/orders over connections that send their next order when the last one is',
    `answered, each stored in SQLite before its answer; ${defaultConnections} connections unless`,
    `stated otherwise. The load runs on the same cores. Alternating rounds: ${options.rounds} of`,
    `${options.measureMs / 1000} s each; medians, and the medians of the ratios to the first row.`,
    '',
    'Markets: orders come in matching pairs, spread over all markets, so that each makes half a',
    'trade however many markets there are. Four players hold shares in every market.',
    '',
    ...tableOf('markets', byMarkets, '0.8'),
    ...plots.add('growth-markets', 'Orders per second by markets', lineOf(byMarkets, 'markets')),
    'Stored orders: closed orders of the operator that trades, and half as many trades. The load',
    'is the one of "Orders over HTTP", in a new market.',
    '',
    ...tableOf('stored orders', byStoredOrders, '0.8'),
    ...plots.add('growth-stored', 'Orders per second by stored orders', barsOf(byStoredOrders)),
    'Connections: the same load, on a store that was empty at the start.',
    '',
    ...tableOf('connections', byConnections, ''),
    ...plots.add(
      'growth-connections',
      'Orders per second by connections',
      lineOf(byConnections, 'connections'),
    ),
    summarizeGrowth(result),
    '',
  ]
}

export function summarizeGrowth({
  byMarkets,
  byStoredOrders,
  byConnections,
}: GrowthResult): string {
  const texts = [
    { steps: byMarkets, name: 'markets' },
    { steps: byStoredOrders, name: 'stored orders' },
    { steps: byConnections, name: 'connections' },
  ].map(({ steps, name }) => {
    const last = steps.at(-1)!
    return `${last.ratio.toFixed(2)} with ${count(last.size)} ${name} (from ${steps[0]!.size})`
  })
  return `Ratio of orders per second: ${texts.join(', ')}.`
}

function tableOf(name: string, steps: readonly GrowthStep[], target: string): string[] {
  return [
    `| ${name} | orders/s | ratio | target |`,
    '|---|---|---|---|',
    ...steps.map(({ size, perSecond, ratio }, step) =>
      row([count(size), count(perSecond), ratio.toFixed(2), step === 0 ? '' : target]),
    ),
    '',
  ]
}

function lineOf(steps: readonly GrowthStep[], name: string): string {
  return linePlot({
    title: `Orders per second with more ${name}, each stored before it is answered`,
    xAxis: `${name}, logarithmic`,
    yAxis: 'orders/s',
    points: steps.map((step) => ({ x: step.size, value: step.perSecond, text: figureOf(step) })),
  })
}

function barsOf(steps: readonly GrowthStep[]): string {
  return barPlot({
    title: 'Orders per second with more stored orders, each stored before it is answered',
    axis: 'orders/s',
    series: [{ name: 'Outcry' }],
    groups: steps.map((step) => ({
      label: `${count(step.size)} stored orders`,
      bars: [{ value: step.perSecond, text: figureOf(step) }],
    })),
  })
}

function figureOf({ perSecond, ratio }: GrowthStep): string {
  return `${count(perSecond)}, ${ratio.toFixed(2)}x`
}
