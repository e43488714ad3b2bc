// The report of the HTTP bench.

import type { Figures, HttpResult, Pairing } from '../../http/http.ts'
import { barPlot } from '../plots/bar-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from './table.ts'

export function reportHttp(result: HttpResult, plots: Plots): string[] {
  const { options, pairings } = result
  const keys = options.hasTransactionIds ? 'each with a transactionId' : 'without transactionIds'
  return [
    '## Orders over HTTP',
    '',
    `POST /api/v1/orders over ${options.connections} keep-alive connections, each of which sends`,
    `its next order when the last one is answered. LIMIT orders, ${keys}, of 64`,
    'players in both outcomes of a market; about a third match resting orders. The load runs on',
    `the same cores. Requests have ${count(result.requestBytes)} bytes, the bodies of answers`,
    `${count(result.answerBytes)}. Outcry stores an order in SQLite and syncs the disk before it`,
    `answers; a sync of 4 KiB takes ${result.syncMs.toFixed(2)} ms. Alternating`,
    `rounds: ${options.rounds} of ${options.measureMs / 1000} s each; medians, and the median of`,
    'the ratios.',
    '',
    '| server | orders/s | against | orders/s | ratio | target |',
    '|---|---|---|---|---|---|',
    ...pairings.map(rowOfPairing),
    '',
    ...result.missing.map((text) => `Not measured: ${text}\n`),
    ...figuresHead,
    ...pairings.flatMap(({ name, against, outcry, peer }) => [
      rowOfFigures(name, outcry),
      rowOfFigures(against, peer),
    ]),
    '',
    ...plots.add('http', 'Orders per second', plotOf(pairings)),
  ]
}

export function summarizeHttp({ pairings }: HttpResult): string {
  const texts = pairings.map(
    ({ name, against, ratio }) => `${name} ${ratio.toFixed(2)}x ${against}`,
  )
  return `Orders per second over HTTP: ${texts.join('; ')}.`
}

/** CPU time is that of the Node process alone, with all its threads. */
export const figuresHead = [
  '| server | p50, ms | p99 | p99.9 | trades per order | CPU us per order | load us per request |',
  '|---|---|---|---|---|---|---|',
]

export function rowOfFigures(name: string, figures: Figures): string {
  const { p50, p99, p999, tradesPerOrder, serverMicros, loadMicros } = figures
  const times = [p50, p99, p999].map((time) => time.toFixed(1))
  const trades = tradesPerOrder === null ? '' : tradesPerOrder.toFixed(2)
  const server = serverMicros === null ? '' : count(serverMicros)
  return row([name, ...times, trades, server, count(loadMicros)])
}

function rowOfPairing({ name, against, outcry, peer, ratio, target }: Pairing): string {
  const [ours, theirs] = [count(outcry.perSecond), count(peer.perSecond)]
  return row([name, ours, against, theirs, ratio.toFixed(2), target])
}

function plotOf(pairings: readonly Pairing[]): string {
  return barPlot({
    title: 'Orders per second over HTTP, each stored before it is answered',
    axis: 'orders/s',
    series: [{ name: 'Outcry' }, { name: 'compared with' }],
    groups: pairings.map(({ name, against, outcry, peer, ratio }) => ({
      label: name === 'Outcry' ? against : `${name}: ${against}`,
      bars: [
        { value: outcry.perSecond, text: `${count(outcry.perSecond)}, ${ratio.toFixed(2)}x` },
        { value: peer.perSecond, text: count(peer.perSecond) },
      ],
    })),
  })
}
