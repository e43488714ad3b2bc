// What the benches against a peer come to: in a sentence, and as a plot.

import type { CompleteSetsResult, CoreResult } from '../../core/core.ts'
import type { MemoryResult } from '../../core/memory.ts'
import type { HttpResult } from '../../http/http.ts'
import type { FanOutResult } from '../../stream/fan-out.ts'
import { barPlot } from '../plots/bar-plot.ts'
import { count } from '../report.ts'

export function concludeCore(
  results: readonly CoreResult[],
  completeSets: CompleteSetsResult,
): string {
  const texts = results.map(({ books, outcry, ratio }) => {
    const times = `${ratio.toFixed(1)}x nodejs-order-book`
    return `${count(outcry)} operations/s with ${namesOf(books)} (${times})`
  })
  const share = `${completeSets.ratio.toFixed(2)} of that with complete sets`
  return `The core reaches ${texts.join(', ')}; ${share}.`
}

export function plotCore(results: readonly CoreResult[]): string {
  return barPlot({
    title: 'Operations a second of the rules alone, in one thread',
    axis: 'operations/s',
    series: [{ name: 'Outcry' }, { name: 'nodejs-order-book, matches only' }],
    groups: results.map(({ books, outcry, peer, ratio }) => ({
      label: namesOf(books),
      bars: [
        { value: outcry, text: `${count(outcry)}, ${ratio.toFixed(1)}x` },
        { value: peer, text: count(peer) },
      ],
    })),
  })
}

function namesOf(books: number): string {
  return books === 1 ? '1 book' : `${count(books)} books`
}

export function concludeMemory({ perOrder, perPosition, perEmptyBook }: MemoryResult): string {
  const sizes = `${count(perOrder)} bytes, a position ${count(perPosition)}`
  return `A resting order takes ${sizes}, an empty book ${count(perEmptyBook)}.`
}

export function concludeHttp({ pairings }: HttpResult): string {
  const texts = pairings.map(({ against, ratio }) => `${ratio.toFixed(2)} of ${against}`)
  return `Orders a second over HTTP: ${texts.join(', ')}.`
}

export function plotHttp({ pairings }: HttpResult): string {
  return barPlot({
    title: 'Orders a second over HTTP, each stored before it is answered',
    axis: 'orders/s',
    series: [{ name: 'Outcry' }, { name: 'what stands at the left' }],
    groups: pairings.map(({ against, outcry, peer, ratio }) => ({
      label: against,
      bars: [
        { value: outcry.perSecond, text: `${count(outcry.perSecond)}, ${ratio.toFixed(2)}x` },
        { value: peer.perSecond, text: count(peer.perSecond) },
      ],
    })),
  })
}

export function concludeFanOut({ options, outcry, spreadRatio }: FanOutResult): string {
  const within = `${outcry.spreadMs.toFixed(1)} ms from first to last`
  const times = `${spreadRatio.toFixed(2)}x as fast as a bare loop of ws`
  return `An update reaches ${count(options.subscribers)} subscribers in ${within}, ${times}.`
}
