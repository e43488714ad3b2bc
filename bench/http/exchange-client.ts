// Prepares an exchange for a load over its own API: an operator, an open market with two outcomes,
// and players that hold enough shares of both to sell throughout the load.

import type { LoadMarket, LoadTarget } from './load-target.ts'
import { players } from './order-requests.ts'

export const adminKey = 'an-admin-key-for-the-bench'

const sharesEach = 100_000
const mintsEach = 2
const mintsAtOnce = 16
const batchMost = 100

// In hundredths. A third of the orders of a load match these, in 0.57 trades per order: the same as
// in books that it has traded in for long. So one market is comparable with ten thousand.
const restingPrices = { BUY: [48, 46, 44], SELL: [52, 54, 56] }
const restingShares = 35

type Json = Readonly<Record<string, unknown>>

export class ExchangeClient {
  readonly #port: number
  #apiKey: string

  /** Without a key, call makeOperator first. */
  constructor(port: number, apiKey = '') {
    this.#port = port
    this.#apiKey = apiKey
  }

  /** Without a shard, the service chooses one. */
  async makeOperator(shard?: number): Promise<void> {
    const operator = { name: 'bench', ...(shard === undefined ? {} : { shard }) }
    const made = await this.#call('POST', 'admin/operators', operator)
    this.#apiKey = text(made.apiKey)
  }

  /** Opens a new market, so that every round starts with empty books. */
  async openMarket(): Promise<LoadTarget> {
    const market = await this.#call('POST', 'markets', { title: 'Bench' })
    const marketId = text(market.id)
    await this.#call('POST', `markets/${marketId}/open`, {})
    const mints = players.flatMap((player) => Array.from({ length: mintsEach }, () => player))
    while (mints.length > 0) {
      const batch = mints.splice(0, mintsAtOnce)
      await Promise.all(
        batch.map((playerId) =>
          this.#call('POST', `markets/${marketId}/mint`, { playerId, shares: sharesEach }),
        ),
      )
    }
    const outcomes = Array.isArray(market.outcomes) ? market.outcomes : []
    const outcomeIds = outcomes.map((outcome: Json) => text(outcome.id))
    return { port: this.#port, apiKey: this.#apiKey, marketId, outcomeIds }
  }

  /** Places orders in every book, so that a load matches orders from its start. */
  async placeResting(markets: readonly LoadMarket[]): Promise<void> {
    const waiting = markets.flatMap(restingOrdersOf)
    while (waiting.length > 0) {
      await this.#call('POST', 'orders/batch', { orders: waiting.splice(0, batchMost) })
    }
  }

  /** Trades of the service since its start. */
  async tradesTotal(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/metrics`)
    const total = /^outcry_trades_total (\d+)/m.exec(await response.text())?.[1]
    if (total === undefined) throw new Error('The metrics have no number of trades.')
    return Number(total)
  }

  async tradesOf(marketId: string): Promise<number> {
    const market = await this.#call('GET', `markets/${marketId}`)
    return Number(market.totalTrades)
  }

  async #call(method: 'GET' | 'POST', path: string, body?: Json): Promise<Json> {
    const key: Record<string, string> = path.startsWith('admin/')
      ? { 'X-Admin-Key': adminKey }
      : { 'X-Api-Key': this.#apiKey }
    const headers = { 'Content-Type': 'application/json', ...key }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const url = `http://127.0.0.1:${this.#port}/api/v1/${path}`
    const response = await fetch(url, { method, headers, ...sent })
    const answer: { readonly data: Json } = JSON.parse(await response.text())
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.data
  }
}

function restingOrdersOf({ marketId, outcomeIds, holders }: LoadMarket): Json[] {
  const order = { marketId, playerId: holders[0]!, type: 'LIMIT', shares: restingShares }
  return outcomeIds.flatMap((outcomeId) =>
    (['BUY', 'SELL'] as const).flatMap((side) =>
      restingPrices[side].map((price) => ({ ...order, outcomeId, side, price: price / 100 })),
    ),
  )
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`Expected a string, got ${value}.`)
  return value
}
