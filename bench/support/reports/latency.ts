// The report of the latency bench.

import {
  capacityConnections,
  type LatencyFigures,
  type LatencyResult,
  openConnections,
} from '../../http/latency.ts'
import { barPlot } from '../plots/bar-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from './table.ts'

export function reportLatency(result: LatencyResult, plots: Plots): string[] {
  const { options, capacity, steps } = result
  return [
    '## Latency of an order',
    '',
    'POST /api/v1/orders, stored in SQLite before it is answered. A closed-loop load of',
    `${capacityConnections} connections reached ${count(capacity)} orders/s. Then an open-loop`,
    `load sent orders evenly at a part of that rate, over up to ${openConnections} connections.`,
    'Latency counts from when an order was due, so a stall counts for every order due during it.',
    '"Sent late" is the median delay before an order was sent: the load checks its schedule every',
    'millisecond, or waits for a free connection. The load runs on the same cores.',
    `Alternating rounds: ${options.rounds} of ${options.measureMs / 1000} s each; medians.`,
    '',
    '| rate | server | answered/s | p50, ms | p99 | p99.9 | worst | sent late |',
    '|---|---|---|---|---|---|---|---|',
    ...steps.flatMap(({ part, perSecond, outcry, peer }) => {
      const rate = `${percent(part)}: ${count(perSecond)}/s`
      return [rowOf(rate, 'Outcry', outcry), rowOf(rate, 'bare node:http', peer)]
    }),
    '',
    ...plots.add('latency', 'Latency of an order, by percentile', plotOf(result)),
    summarizeLatency(result),
    '',
  ]
}

export function summarizeLatency({ steps }: LatencyResult): string {
  const texts = steps.map(({ part, outcry, peer }) => {
    const times = (outcry.p99 / peer.p99).toFixed(1)
    return `at ${percent(part)} of capacity ${ms(outcry.p99)} (${times}x bare node:http)`
  })
  return `p99 latency of an order: ${texts.join('; ')}.`
}

function rowOf(rate: string, server: string, figures: LatencyFigures): string {
  const { p50, p99, p999, worst, lateP50 } = figures
  const times = [p50, p99, p999, worst, lateP50].map((time) => time.toFixed(2))
  return row([rate, server, count(figures.perSecond), ...times])
}

function plotOf({ steps }: LatencyResult): string {
  const kinds = [
    { name: 'p50', of: ({ p50 }: LatencyFigures) => p50 },
    { name: 'p99', of: ({ p99 }: LatencyFigures) => p99 },
    { name: 'p99.9', of: ({ p999 }: LatencyFigures) => p999 },
  ]
  return barPlot({
    title: 'Latency of an order at 50 % and 90 % of capacity',
    axis: 'milliseconds from when the order was due',
    series: [{ name: 'Outcry, stored in SQLite' }, { name: 'bare node:http, stores nothing' }],
    groups: steps.flatMap(({ part, outcry, peer }) =>
      kinds.map(({ name, of }) => ({
        label: `${name} at ${percent(part)}`,
        bars: [
          { value: of(outcry), text: ms(of(outcry)) },
          { value: of(peer), text: ms(of(peer)) },
        ],
      })),
    ),
  })
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms`
}
