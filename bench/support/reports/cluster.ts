// The report of the cluster bench.

import type { ClusterResult } from '../../cluster/cluster.ts'
import type { Measurement, MeasurementName, Ratio } from '../../cluster/measurement.ts'
import { row } from './table.ts'

export function reportCluster({ options, measurements, missing }: ClusterResult): string[] {
  const ratios = measurements.flatMap(({ name, ratios }) =>
    ratios.map((each) => [name, each] as const),
  )
  return [
    '## Cluster',
    '',
    `Alternating rounds: ${options.rounds} of ${options.measureMs / 1000} s each; medians, and the`,
    'median of the ratios. The load and the database run on the same cores.',
    '',
    '| what | measured | goal | command |',
    '|---|---|---|---|',
    ...ratios.map(([name, ratio]) => rowOf(name, ratio)),
    '',
    ...missing.flatMap((why) => [`Not measured: ${why}`, '']),
    ...measurements.flatMap(tableOf),
  ]
}

export function summarizeCluster({ measurements, missing }: ClusterResult): string {
  const ratios = measurements.flatMap((measurement) => measurement.ratios)
  const lines = ratios.map(
    (ratio) => `${ratio.what}: ${shownValue(ratio)} (goal: ${goalOf(ratio)})`,
  )
  return [...lines, ...missing.map((why) => `Not measured: ${why}`)].join('\n')
}

function rowOf(name: MeasurementName, ratio: Ratio): string {
  const command = `\`npm run bench -- --only cluster --measure ${name}\``
  return row([ratio.what, shownValue(ratio), goalOf(ratio), command])
}

function tableOf({ title, about, columns, rows }: Measurement): string[] {
  return [
    `### ${title}`,
    '',
    ...about,
    '',
    row(columns),
    `|${columns.map(() => '---|').join('')}`,
    ...rows.map(row),
    '',
  ]
}

function shownValue({ value, unit }: Ratio): string {
  return unit === undefined ? value.toFixed(2) : `${value.toFixed(2)} ${unit}`
}

function goalOf({ goal, unit }: Ratio): string {
  const text = 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`
  return unit === undefined ? text : `${text} ${unit}`
}
