// An operator's backend: sends requests over HTTP with its API key. Methods return the data and
// fail on a refusal; `request` returns any response. Tests over HTTP make their markets with it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer, Json, RequestOptions, Service } from '../process/outcry-process.ts'
import { until } from './answers.ts'

export type Placing = {
  readonly player?: string
  readonly outcome?: number
  readonly price?: number
  readonly shares?: number
  readonly [more: string]: unknown
}

export class OperatorClient {
  readonly service: Service
  readonly id: string
  readonly key: string

  constructor(service: Service, { id, key }: { readonly id: string; readonly key: string }) {
    this.service = service
    this.id = id
    this.key = key
  }

  static async create(service: Service, more: object = {}): Promise<OperatorClient> {
    return new OperatorClient(service, await service.newOperator('operator', more))
  }

  /** The same operator with a new key. */
  async withKey(body: object): Promise<OperatorClient & { readonly keyId: string }> {
    const path = `/api/v1/admin/operators/${this.id}/keys`
    const { data } = (await this.service.admin('POST', path, body)).body
    const client = new OperatorClient(this.service, { id: this.id, key: data.apiKey })
    return Object.assign(client, { keyId: data.key.id })
  }

  request(
    method: string,
    path: string,
    body?: unknown,
    more: RequestOptions = {},
  ): Promise<Answer> {
    return this.service.request(method, `/api/v1${path}`, { key: this.key, body, ...more })
  }

  async #data(method: string, path: string, body?: unknown): Promise<Json> {
    const more = isBehindFrontEnd ? repeatable(method, path, body) : {}
    const ask = () => this.request(method, path, body, more)
    const answer = isBehindFrontEnd
      ? await until(ask, ({ status }) => status !== 503, 10_000)
      : await ask()
    const outcome = `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`
    assert.equal(answer.body.success, true, outcome)
    return answer.body.data
  }

  get(path: string): Promise<Json> {
    return this.#data('GET', path)
  }

  post(path: string, body?: unknown): Promise<Json> {
    return this.#data('POST', path, body)
  }

  patch(path: string, body: unknown): Promise<Json> {
    return this.#data('PATCH', path, body)
  }

  put(path: string, body: unknown): Promise<Json> {
    return this.#data('PUT', path, body)
  }

  delete(path: string): Promise<Json> {
    return this.#data('DELETE', path)
  }

  createMarket(body: object = {}): Promise<Json> {
    return this.post('/markets', { title: 'Will it rain?', ...body })
  }

  /** A new OPEN market; with the outcomes Yes and No unless the body has others. */
  async openMarket(body: object = {}): Promise<Json> {
    const { id } = await this.createMarket(body)
    return this.post(`/markets/${id}/open`)
  }

  /** A new OPEN market in which each player holds that many shares of every outcome. */
  async marketWithHolders(
    holders: Readonly<Record<string, number>>,
    body: object = {},
  ): Promise<Json> {
    const market = await this.openMarket(body)
    for (const [player, shares] of Object.entries(holders)) await this.mint(market, player, shares)
    return market
  }

  market({ id }: Json): Promise<Json> {
    return this.get(`/markets/${id}`)
  }

  /** Opens, suspends, resumes, closes, resolves or cancels. */
  act({ id }: Json, action: string, body?: object): Promise<Json> {
    return this.post(`/markets/${id}/${action}`, body)
  }

  suspend(market: Json): Promise<Json> {
    return this.act(market, 'suspend', { reason: 'pause' })
  }

  resolve(market: Json, outcome = 0): Promise<Json> {
    const winningOutcomeId = market.outcomes[outcome].id
    return this.act(market, 'resolve', { winningOutcomeId, resolutionSource: 'the news' })
  }

  /** From OPEN to SETTLED; returns the result of settling. */
  async finish(market: Json, outcome = 0): Promise<Json> {
    await this.act(market, 'close')
    await this.resolve(market, outcome)
    return this.act(market, 'settle')
  }

  mint({ id }: Json, playerId: string, shares: number, more: object = {}): Promise<Json> {
    return this.post(`/markets/${id}/mint`, { playerId, shares, ...more })
  }

  buy(market: Json, placing: Placing = {}): Promise<Json> {
    return this.post('/orders', orderBody(market, 'BUY', placing))
  }

  sell(market: Json, placing: Placing = {}): Promise<Json> {
    return this.post('/orders', orderBody(market, 'SELL', placing))
  }

  /** Places an order that may be refused. */
  tryOrder(market: Json, side: 'BUY' | 'SELL', placing: Placing = {}): Promise<Answer> {
    return this.request('POST', '/orders', orderBody(market, side, placing))
  }

  cancel({ id }: Json): Promise<Json> {
    return this.delete(`/orders/${id}`)
  }

  /** The position of a player in an outcome. */
  async position(market: Json, playerId: string, outcome = 0): Promise<Json> {
    const found = await this.get(`/positions?marketId=${market.id}&playerId=${playerId}`)
    const { id } = market.outcomes[outcome]
    return found.find((each: Json) => each.outcomeId === id)
  }

  book(market: Json, outcome = 0, query = ''): Promise<Json> {
    return this.get(`/markets/${market.id}/orderbook/${market.outcomes[outcome].id}${query}`)
  }

  prices(market: Json, outcome = 0): Promise<Json> {
    return this.get(`/markets/${market.id}/prices/${market.outcomes[outcome].id}`)
  }

  /** Every event after a sequence, over all pages. */
  async events(query = '', since = 0): Promise<Json[]> {
    const all: Json[] = []
    for (let after = since; ; ) {
      const page = await this.get(`/events?limit=1000&since=${after}${query}`)
      all.push(...page.events)
      if (!page.hasMore) return all
      after = page.lastSequence
    }
  }
}

/** By default a LIMIT order of 10 shares at 0.5 in the first outcome. */
export function orderBody(market: Json, side: 'BUY' | 'SELL', placing: Placing = {}): Json {
  const { player = 'ann', outcome = 0, price = 0.5, shares = 10, ...more } = placing
  return {
    marketId: market.id,
    outcomeId: market.outcomes[outcome].id,
    playerId: player,
    side,
    type: 'LIMIT',
    shares,
    price,
    ...more,
  }
}

/**
 * A node that was without a processor for long gives up its link and answers 503. Then the client
 * repeats its request, with a key so that nothing is done twice.
 */
const isBehindFrontEnd = process.env.TEST_FRONT !== undefined

function repeatable(method: string, path: string, body: unknown): RequestOptions {
  const hasKeys = path === '/orders/batch' || Object(body).transactionId !== undefined
  return method !== 'POST' || hasKeys ? {} : { headers: { 'idempotency-key': randomUUID() } }
}
