// The report of the start bench.

import type { StartStep } from '../../store/start.ts'
import { barPlot } from '../plots/bar-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from './table.ts'

export function reportStart(steps: readonly StartStep[], plots: Plots): string[] {
  return [
    '## Start',
    '',
    'Time from the start of the process until GET /ready answers 200, on a SQLite store with open',
    'orders of 100 players in 100 markets. After a kill, the service checks its database before it',
    'loads. Memory is that of the whole process when it is ready.',
    '',
    '| open orders | after a stop, s | after a kill, s | memory, MiB | target |',
    '|---|---|---|---|---|',
    ...steps.map(({ openOrders, afterStopMs, afterKillMs, residentMiB }) => {
      const memory = residentMiB === null ? '' : count(residentMiB)
      const target = openOrders === targetOrders ? 'at most 10 s' : ''
      return row([count(openOrders), seconds(afterStopMs), seconds(afterKillMs), memory, target])
    }),
    '',
    ...plots.add('start', 'Seconds until ready', plotOf(steps)),
    summarizeStart(steps),
    '',
  ]
}

const targetOrders = 1_000_000

export function summarizeStart(steps: readonly StartStep[]): string {
  const { openOrders, afterStopMs, afterKillMs } = steps.at(-1)!
  const times = `${seconds(afterStopMs)} s, after a kill in ${seconds(afterKillMs)} s`
  return `With ${count(openOrders)} open orders, the service is ready in ${times}.`
}

function plotOf(steps: readonly StartStep[]): string {
  return barPlot({
    title: 'Time from the start of the process until it accepts orders',
    axis: 'seconds',
    series: [{ name: 'after a stop' }, { name: 'after a kill' }],
    groups: steps.map(({ openOrders, afterStopMs, afterKillMs }) => ({
      label: `${count(openOrders)} open orders`,
      bars: [afterStopMs, afterKillMs].map((ms) => ({
        value: ms / 1000,
        text: `${seconds(ms)} s`,
      })),
    })),
  })
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}
