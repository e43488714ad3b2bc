// Prepares an exchange for a load over its own API: an operator, an open market with two outcomes,
// and players that hold enough shares of both to sell throughout the load.

import type { LoadTarget } from './load-target.ts'
import { players } from './order-requests.ts'

export const adminKey = 'an-admin-key-for-the-bench'

const sharesEach = 100_000
const mintsEach = 2
const mintsAtOnce = 16

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

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`Expected a string, got ${value}.`)
  return value
}
