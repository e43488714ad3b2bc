// The report of the fan-out bench.

import type { FanOutFigures, FanOutResult } from '../../stream/fan-out.ts'
import { count, row } from './table.ts'

export function reportFanOut(result: FanOutResult): string[] {
  const { options, outcry, peer, spreadRatio, cpuRatio } = result
  const cpu = cpuRatio === null ? 'unknown' : cpuRatio.toFixed(2)
  return [
    '## One book update to many subscribers',
    '',
    `${count(options.subscribers)} subscribers per server, in one process on the same cores; one`,
    `update of ${count(result.messageBytes)} bytes at a time. The peer is a loop over \`ws\` that`,
    'sends the same text to each. An update of Outcry starts with an order over HTTP, which is',
    'stored first.',
    `Alternating rounds: ${options.rounds} of ${options.updates} updates each; medians.`,
    '',
    '| server | first to last, ms | request to last, ms | server, us of CPU per message |',
    '|---|---|---|---|',
    rowOf('Outcry', outcry),
    rowOf('bare ws', peer),
    '',
    `The peer's figures divided by Outcry's: first to last ${spreadRatio.toFixed(2)}, CPU time`,
    `${cpu} (target: 1.0).`,
    '',
  ]
}

export function summarizeFanOut({ options, outcry, spreadRatio }: FanOutResult): string {
  const within = `${outcry.spreadMs.toFixed(1)} ms from first to last`
  const times = `${spreadRatio.toFixed(2)}x as fast as a bare loop over ws`
  return `An update reaches ${count(options.subscribers)} subscribers in ${within}, ${times}.`
}

function rowOf(name: string, { spreadMs, wholeMs, cpuMicros }: FanOutFigures): string {
  const cpu = cpuMicros === null ? '' : cpuMicros.toFixed(1)
  return row([name, spreadMs.toFixed(1), wholeMs.toFixed(1), cpu])
}
