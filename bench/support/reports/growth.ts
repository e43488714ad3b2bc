// The figures of the growth bench, as a part of the report.

import { type GrowthResult, type GrowthStep, usualConnections } from '../../http/growth.ts'
import { barPlot } from '../plots/bar-plot.ts'
import { linePlot } from '../plots/line-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from '../report.ts'

export function reportGrowth(result: GrowthResult, plots: Plots): string[] {
  const { options, byMarkets, byStoredOrders, byConnections } = result
  return [
    '## Growth',
    '',
    'POST /api/v1/orders over connections that send when they were answered, stored in SQLite',
    `before each answer; ${usualConnections} connections where nothing else is said. The load runs`,
    `on the same cores. ${options.rounds} rounds of ${options.measureMs / 1000} s each, in turns;`,
    'medians, and the medians of the ratios to the first row.',
    '',
    'Markets: orders come in pairs that meet, spread over all markets, so that an order makes half',
    'a trade however many there are. Four players hold shares of every market.',
    '',
    ...tableOf('markets', byMarkets, '0.8'),
    ...plots.add('growth-markets', 'Orders a second by markets', lineOf(byMarkets, 'markets')),
    'Stored orders: closed ones of the operator that trades, and half as many trades with them.',
    'The load is that of "Orders over HTTP", in a new market.',
    '',
    ...tableOf('stored orders', byStoredOrders, '0.8'),
    ...plots.add('growth-stored', 'Orders a second by stored orders', barsOf(byStoredOrders)),
    'Connections: the same load, on the store that was empty at first.',
    '',
    ...tableOf('connections', byConnections, ''),
    ...plots.add(
      'growth-connections',
      'Orders a second by connections',
      lineOf(byConnections, 'connections'),
    ),
    concludeGrowth(result),
    '',
  ]
}

export function concludeGrowth({ byMarkets, byStoredOrders, byConnections }: GrowthResult): string {
  const texts = [
    { steps: byMarkets, name: 'markets' },
    { steps: byStoredOrders, name: 'stored orders' },
    { steps: byConnections, name: 'connections' },
  ].map(({ steps, name }) => {
    const last = steps.at(-1)!
    return `${last.ratio.toFixed(2)} with ${count(last.size)} ${name} (against ${steps[0]!.size})`
  })
  return `Of its orders a second, the service keeps ${texts.join(', ')}.`
}

function tableOf(name: string, steps: readonly GrowthStep[], wanted: string): string[] {
  return [
    `| ${name} | orders/s | ratio | wanted |`,
    '|---|---|---|---|',
    ...steps.map(({ size, perSecond, ratio }, step) =>
      row([count(size), count(perSecond), ratio.toFixed(2), step === 0 ? '' : wanted]),
    ),
    '',
  ]
}

function lineOf(steps: readonly GrowthStep[], name: string): string {
  return linePlot({
    title: `Orders a second with more ${name}, each stored before it is answered`,
    xAxis: `${name}, logarithmic`,
    yAxis: 'orders/s',
    points: steps.map((step) => ({ x: step.size, value: step.perSecond, text: figureOf(step) })),
  })
}

function barsOf(steps: readonly GrowthStep[]): string {
  return barPlot({
    title: 'Orders a second with more stored orders, each stored before it is answered',
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
