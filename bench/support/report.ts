// The figures of each bench as a part of the report, in Markdown.

import type { CompleteSetsResult, CoreResult } from '../core/core.ts'
import type { MemoryResult } from '../core/memory.ts'
import type { Figures, HttpResult, Pairing } from '../http/http.ts'
import type { ReplayResult } from '../store/replay.ts'
import type { FanOutFigures, FanOutResult } from '../stream/fan-out.ts'

export function reportCore(
  results: readonly CoreResult[],
  { off, on, ratio, tradesOff, tradesOn }: CompleteSetsResult,
): string[] {
  return [
    '## Core',
    '',
    'One thread. 60 % LIMIT orders, 30 % cancels of open orders, 10 % MARKET orders; 1 to 100',
    'shares; 64 players of two operators a market; 0.4 trades an operation. Outcry checks',
    'holdings, reserves, keeps positions, computes fees and writes every fact down; the peer',
    'matches only. The meetings of orders were compared one by one before the clock started.',
    '"With all that is told" adds the answer to every placement and the compact tellings of every',
    'turn, as a store keeps them; they become full events where they are read.',
    '',
    '| books | resting | Outcry, op/s | with all that is told | nodejs-order-book | ratio |',
    '|---|---|---|---|---|---|',
    ...results.map((result) =>
      row([
        count(result.books),
        count(result.prefill),
        count(result.outcry),
        count(result.outcryTold),
        count(result.peer),
        `${result.ratio.toFixed(1)}x`,
      ]),
    ),
    '',
    'The same orders in both books of one market, without and with matching by complete sets:',
    `${count(off)} and ${count(on)} operations a second, with ${count(tradesOff)} and`,
    `${count(tradesOn)} trades; ratio ${ratio.toFixed(2)} (wanted: 0.5).`,
    '',
  ]
}

export function reportMemory(memory: MemoryResult): string[] {
  return [
    '## Memory',
    '',
    `${count(memory.outcomes)} outcomes, ${count(memory.orders)} resting orders and`,
    `${count(memory.positions)} positions in one process of ${count(memory.residentMiB)} MiB.`,
    '',
    '| of one | bytes | at most |',
    '|---|---|---|',
    `| empty book, with its share of the market | ${count(memory.perEmptyBook)} | 1,024 |`,
    `| position | ${count(memory.perPosition)} | 150 |`,
    `| resting order, each at a price of its own | ${count(memory.perOrder)} | 200 |`,
    '',
  ]
}

export function reportHttp(result: HttpResult): string[] {
  const { options, pairings } = result
  const keys = options.hasTransactionIds ? 'each with a transactionId' : 'without transactionIds'
  return [
    '## Orders over HTTP',
    '',
    `POST /api/v1/orders over ${options.connections} connections that stay open, each of which`,
    `sends when it was answered. LIMIT orders, ${keys}, of 64 players in both`,
    'outcomes of a market; about a third meet resting ones. The load runs on the same cores.',
    `Requests have ${count(result.requestBytes)} bytes, the bodies of answers`,
    `${count(result.answerBytes)}. Outcry stores in SQLite and answers when the disk has it; 4 KiB`,
    `are synced to that disk in ${result.syncMs.toFixed(2)} ms. ${options.rounds} rounds of`,
    `${options.measureMs / 1000} s each, in turns; medians, and the median of the ratios.`,
    '',
    '| against | Outcry, orders/s | peer, orders/s | ratio | wanted |',
    '|---|---|---|---|---|',
    ...pairings.map(rowOfPairing),
    '',
    ...result.missing.map((text) => `Not measured: ${text}\n`),
    ...figuresHead,
    ...pairings.flatMap(({ against, outcry, peer }) => [
      rowOfFigures(`Outcry, beside ${against}`, outcry),
      rowOfFigures(against, peer),
    ]),
    '',
  ]
}

export function reportFanOut(result: FanOutResult): string[] {
  const { options, outcry, peer, spreadRatio, cpuRatio } = result
  const cpu = cpuRatio === null ? 'unknown' : cpuRatio.toFixed(2)
  return [
    '## One book update to many subscribers',
    '',
    `${count(options.subscribers)} subscribers of each server, in one process on the same cores;`,
    `one update of ${count(result.messageBytes)} bytes at a time. The peer is a loop over \`ws\``,
    'that sends the same text to each. An update of Outcry is an order that is placed over HTTP',
    `and stored first. ${options.rounds} rounds of ${options.updates} updates, in turns; medians.`,
    '',
    '| server | first to last, ms | request to last, ms | server, us of CPU a message |',
    '|---|---|---|---|',
    rowOfFanOut('Outcry', outcry),
    rowOfFanOut('bare ws', peer),
    '',
    `Ratios, the peer's by Outcry's: first to last ${spreadRatio.toFixed(2)}, processor time`,
    `${cpu} (wanted: 1.0).`,
    '',
  ]
}

function rowOfFanOut(name: string, { spreadMs, wholeMs, cpuMicros }: FanOutFigures): string {
  const cpu = cpuMicros === null ? '' : cpuMicros.toFixed(1)
  return row([name, spreadMs.toFixed(1), wholeMs.toFixed(1), cpu])
}

export function reportReplay({ events, pages }: ReplayResult): string[] {
  return [
    `## A page of the replay, among ${count(events)} events of one operator`,
    '',
    '| what is asked for | ms |',
    '|---|---|',
    ...Object.entries(pages).map(([name, ms]) => row([name, ms.toFixed(2)])),
    '',
  ]
}

/** Processor time is that of the Node process alone, with all its threads. */
export const figuresHead = [
  '| server | p50, ms | p99 | p99.9 | trades an order | server, us of CPU a request | load, us |',
  '|---|---|---|---|---|---|---|',
]

export function rowOfFigures(name: string, figures: Figures): string {
  const { p50, p99, p999, tradesPerOrder, serverMicros, loadMicros } = figures
  const times = [p50, p99, p999].map((time) => time.toFixed(1))
  const trades = tradesPerOrder === null ? '' : tradesPerOrder.toFixed(2)
  const server = serverMicros === null ? '' : count(serverMicros)
  return row([name, ...times, trades, server, count(loadMicros)])
}

function rowOfPairing({ against, outcry, peer, ratio, wanted }: Pairing): string {
  return row([against, count(outcry.perSecond), count(peer.perSecond), ratio.toFixed(2), wanted])
}

export function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

export function count(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}
