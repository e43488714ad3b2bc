// The report of the core bench.

import type { CompleteSetsResult, CoreResult, CoreResults } from '../../core/core.ts'
import { barPlot } from '../plots/bar-plot.ts'
import type { Plots } from '../plots/plots.ts'
import { count, row } from './table.ts'

export function reportCore({ results, completeSets }: CoreResults, plots: Plots): string[] {
  return [
    '## Core',
    '',
    'One thread. 60 % LIMIT orders, 30 % cancels of open orders, 10 % MARKET orders; 1 to 100',
    'shares; 64 players of two operators per market; 0.4 trades per operation. Outcry checks',
    'holdings, reserves shares, keeps positions, computes fees and records every fact; the peer',
    'only matches. Before the clock starts, the trades of both are compared one by one. "With',
    'answers and events" adds the answer to every placement and the compact event records of every',
    'turn, as a store keeps them; a reader expands them to full events.',
    '',
    '| books | resting | Outcry, op/s | with answers and events | nodejs-order-book | ratio |',
    '|---|---|---|---|---|---|',
    ...results.map((result) =>
      row([
        count(result.books),
        count(result.prefill),
        count(result.outcry),
        count(result.outcryRecorded),
        count(result.peer),
        `${result.ratio.toFixed(1)}x`,
      ]),
    ),
    '',
    ...reportCompleteSets(completeSets),
    ...plots.add('core', 'Operations per second', plotOf(results)),
  ]
}

function reportCompleteSets({ off, on, ratio, tradesOff, tradesOn }: CompleteSetsResult) {
  return [
    'The same orders in both books of one market, without and with complete-set matching:',
    `${count(off)} and ${count(on)} operations per second, with ${count(tradesOff)} and`,
    `${count(tradesOn)} trades; ratio ${ratio.toFixed(2)} (target: 0.5).`,
    '',
  ]
}

export function summarizeCore({ results, completeSets }: CoreResults): string {
  const texts = results.map(({ books, outcry, ratio }) => {
    const times = `${ratio.toFixed(1)}x nodejs-order-book`
    return `${count(outcry)} operations/s with ${booksText(books)} (${times})`
  })
  const share = `${completeSets.ratio.toFixed(2)} of that with complete sets`
  return `The core reaches ${texts.join(', ')}; ${share}.`
}

function plotOf(results: readonly CoreResult[]): string {
  return barPlot({
    title: 'Operations per second of the core, in one thread',
    axis: 'operations/s',
    series: [{ name: 'Outcry' }, { name: 'nodejs-order-book, matches only' }],
    groups: results.map(({ books, outcry, peer, ratio }) => ({
      label: booksText(books),
      bars: [
        { value: outcry, text: `${count(outcry)}, ${ratio.toFixed(1)}x` },
        { value: peer, text: count(peer) },
      ],
    })),
  })
}

function booksText(books: number): string {
  return books === 1 ? '1 book' : `${count(books)} books`
}
