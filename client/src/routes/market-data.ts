// Public data of a market; needs no key.

import { eachItem } from '../pages.ts'
import type { CallOptions, QueryOf, Transport } from '../transport.ts'

type BookQuery = QueryOf<'GET /api/v1/markets/{}/orderbook/{}'>
type CandlesQuery = QueryOf<'GET /api/v1/markets/{}/candles/{}'>
type TapeQuery = QueryOf<'GET /api/v1/markets/{}/trades/{}'>

export class MarketData {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  orderBook(marketId: string, outcomeId: string, query: BookQuery = {}, options?: CallOptions) {
    const request = { ids: [marketId, outcomeId], query }
    return this.#transport.call('GET /api/v1/markets/{}/orderbook/{}', request, options)
  }

  /** The prices of every outcome. */
  prices(marketId: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/markets/{}/prices', { ids: [marketId] }, options)
  }

  price(marketId: string, outcomeId: string, options?: CallOptions) {
    const request = { ids: [marketId, outcomeId] }
    return this.#transport.call('GET /api/v1/markets/{}/prices/{}', request, options)
  }

  candles(marketId: string, outcomeId: string, query: CandlesQuery, options?: CallOptions) {
    const request = { ids: [marketId, outcomeId], query }
    return this.#transport.call('GET /api/v1/markets/{}/candles/{}', request, options)
  }

  /** A market with a public page, as anybody may read it. */
  publicMarket(marketId: string, options?: CallOptions) {
    const request = { ids: [marketId] }
    return this.#transport.call('GET /api/v1/public/markets/{}', request, options)
  }

  /** All trades of the public tape, page by page. */
  eachTrade(marketId: string, outcomeId: string, query: TapeQuery = {}, options?: CallOptions) {
    const fetchPage = (page: TapeQuery) => this.tape(marketId, outcomeId, page, options)
    return eachItem(fetchPage, ({ trades }) => trades, query)
  }

  /** The public tape: one page, newest first. */
  tape(marketId: string, outcomeId: string, query: TapeQuery = {}, options?: CallOptions) {
    const request = { ids: [marketId, outcomeId], query }
    return this.#transport.call('GET /api/v1/markets/{}/trades/{}', request, options)
  }
}
