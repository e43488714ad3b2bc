// The figures of the latency bench, as a part of the report.

import {
  capacityConnections,
  type LatencyFigures,
  type LatencyResult,
  openConnections,
} from '../../http/latency.ts'
import { barPlot } from '../plots/bar-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from '../report.ts'

export function reportLatency(result: LatencyResult, plots: Plots): string[] {
  const { options, capacity, steps } = result
  return [
    '## How long an order takes',
    '',
    `POST /api/v1/orders, stored in SQLite before it is answered. ${capacityConnections}`,
    `connections that send when they were answered reached ${count(capacity)} orders/s. Then`,
    `orders arrived evenly at a part of it, over up to ${openConnections} connections. The time of`,
    'each counts from when it was meant to be sent, so a stall is felt by all that arrive in it.',
    '"Sent late" is how much of the median passed before it was sent: the load looks at the clock',
    'every millisecond, or waits for a connection. The load runs on the same cores.',
    `${options.rounds} rounds of ${options.measureMs / 1000} s each, in turns; medians.`,
    '',
    '| rate | server | answered/s | p50, ms | p99 | p99.9 | worst | sent late |',
    '|---|---|---|---|---|---|---|---|',
    ...steps.flatMap(({ part, perSecond, outcry, peer }) => {
      const rate = `${percent(part)}: ${count(perSecond)}/s`
      return [rowOf(rate, 'Outcry', outcry), rowOf(rate, 'bare node:http', peer)]
    }),
    '',
    ...plots.add('latency', 'How long an order takes, by percentile', plotOf(result)),
    concludeLatency(result),
    '',
  ]
}

export function concludeLatency({ steps }: LatencyResult): string {
  const texts = steps.map(({ part, outcry, peer }) => {
    const times = (outcry.p99 / peer.p99).toFixed(1)
    return `at ${percent(part)} of capacity ${ms(outcry.p99)} (${times}x bare node:http)`
  })
  return `99 % of orders are answered within: ${texts.join('; ')}.`
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
    title: 'How long an order takes, at 50 % and 90 % of capacity',
    axis: 'milliseconds from when it was meant to be sent',
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
