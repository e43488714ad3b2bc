// The figures of the start bench, as a part of the report.

import type { StartStep } from '../../store/start.ts'
import { barPlot } from '../plots/bar-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from '../report.ts'

export function reportStart(steps: readonly StartStep[], plots: Plots): string[] {
  return [
    '## Start',
    '',
    'From the start of the process until GET /ready answers 200, on a SQLite store with so many',
    'open orders in 100 markets, of 100 players. After it was killed, the service checks its',
    'database before it loads. Memory is that of the whole process, once it is ready.',
    '',
    '| open orders | after a stop, s | after a kill, s | memory, MiB | wanted |',
    '|---|---|---|---|---|',
    ...steps.map(({ openOrders, afterStopMs, afterKillMs, residentMiB }) => {
      const memory = residentMiB === null ? '' : count(residentMiB)
      const wanted = openOrders === wantedOrders ? 'at most 10 s' : ''
      return row([count(openOrders), seconds(afterStopMs), seconds(afterKillMs), memory, wanted])
    }),
    '',
    ...plots.add('start', 'Seconds until ready', plotOf(steps)),
    concludeStart(steps),
    '',
  ]
}

const wantedOrders = 1_000_000

export function concludeStart(steps: readonly StartStep[]): string {
  const { openOrders, afterStopMs, afterKillMs } = steps.at(-1)!
  const times = `${seconds(afterStopMs)} s, after a kill in ${seconds(afterKillMs)} s`
  return `With ${count(openOrders)} open orders it is ready in ${times}.`
}

function plotOf(steps: readonly StartStep[]): string {
  return barPlot({
    title: 'From the start of the process until it takes orders',
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
