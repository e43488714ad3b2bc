// Does a page of a list take longer if the list is longer? Reads pages of orders, trades and events
// over HTTP, one at a time, the first page and one from the middle: from a store with few orders,
// and from one with very many.

import { cursorOf } from '../../src/api/parse/cursor.ts'
import { startService } from '../http/servers-under-test.ts'
import { percentile } from '../support/percentiles.ts'
import { type FilledStore, fillStore, removeStore, trading } from './filled-store.ts'
import { playerName } from './filler.ts'

export type ListOptions = {
  /** Orders in the larger store. */
  readonly orders: number
  /** Requests for each page, after some warm-up requests. */
  readonly requests: number
}

export type ListPage = {
  readonly name: PageName
  /** Medians in milliseconds, in the smaller and in the larger store. */
  readonly fewMs: number
  readonly manyMs: number
  readonly manyP99: number
  readonly ratio: number
}

export type ListResult = {
  readonly options: ListOptions
  readonly fewOrders: number
  readonly pages: readonly ListPage[]
}

export const defaultLists: ListOptions = { orders: 1_000_000, requests: 200 }
export const fewOrders = 10_000

type Say = (text: string) => void
type Side = { readonly base: string; readonly store: FilledStore }
type Timing = { readonly p50: number; readonly p99: number }

export async function benchLists(
  options: ListOptions,
  large: FilledStore,
  say: Say,
): Promise<ListResult> {
  const small = await fillStore(trading(fewOrders))
  const undo: (() => Promise<void> | void)[] = [() => removeStore(small)]
  try {
    const sides: Side[] = []
    for (const store of [small, large]) {
      const { port, stop } = await startService('src/main.ts', { rounds: 1, store })
      undo.push(stop)
      sides.push({ base: `http://127.0.0.1:${port}`, store })
    }
    const pages: ListPage[] = []
    for (const name of pageNames) {
      say(`Lists, ${name} ...`)
      const [few, many] = await timePage(name, sides, options)
      const figures = { fewMs: few!.p50, manyMs: many!.p50, manyP99: many!.p99 }
      pages.push({ name, ...figures, ratio: many!.p50 / few!.p50 })
    }
    return { options, fewOrders, pages }
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/** Alternates between the stores, so that other load on the machine affects both. */
async function timePage(
  name: PageName,
  sides: readonly Side[],
  { requests }: ListOptions,
): Promise<Timing[]> {
  const times: number[][] = sides.map(() => [])
  const warmUps = Math.ceil(requests / 4)
  for (let request = -warmUps; request < requests; request += 1) {
    for (const [at, side] of sides.entries()) {
      const ms = await timeRequest(`${side.base}${pathOf(name, side.store)}`, side.store)
      if (request >= 0) times[at]!.push(ms)
    }
  }
  return times.map((list) => {
    list.sort((a, b) => a - b)
    return { p50: percentile(list, 0.5), p99: percentile(list, 0.99) }
  })
}

/** A page without rows would be fast for another reason. */
const emptyPageBytes = 1_000

async function timeRequest(url: string, { apiKey }: FilledStore): Promise<number> {
  const start = performance.now()
  const response = await fetch(url, { headers: { 'x-api-key': apiKey } })
  const text = await response.text()
  const ms = performance.now() - start
  if (!response.ok || text.length < emptyPageBytes) throw new Error(`${url}: ${text}`)
  return ms
}

const pageNames = [
  'orders',
  'orders, deep inside',
  'orders of a market',
  'orders of a market, deep inside',
  'orders of a player',
  'orders of a player, deep inside',
  'trades',
  'trades, deep inside',
  'trades of a market',
  'trades of a market, deep inside',
  'events',
  'events, deep inside',
] as const
type PageName = (typeof pageNames)[number]

// The serial of an order in the middle is also in the middle of the trades.
function pathOf(name: PageName, { markets, middleOrderId, lastSequence }: FilledStore): string {
  const isInside = name.endsWith('deep inside')
  if (name.startsWith('events')) {
    return `/api/v1/events?limit=100&since=${isInside ? Math.floor(lastSequence / 2) : 0}`
  }
  const market = name.includes('of a market') ? `&marketId=${markets[0]!.marketId}` : ''
  const player = name.includes('of a player') ? `&playerId=${playerName(0)}` : ''
  const list = name.startsWith('orders') ? 'orders' : 'trades'
  const cursor = isInside ? `&cursor=${cursorOf(list, middleOrderId)}` : ''
  return `/api/v1/${list}?limit=20${market}${player}${cursor}`
}
