// Markets, from creation to settlement, and their complete sets.

import { eachItem, pageSizeMax } from '../pages.ts'
import { withTransactionId } from '../transaction-id.ts'
import type { BodyOf, CallOptions, QueryOf, Transport } from '../transport.ts'

type MarketsQuery = QueryOf<'GET /api/v1/markets'>

export class Markets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates a DRAFT; the default outcomes are Yes and No. */
  create(body: BodyOf<'POST /api/v1/markets'>, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/markets', { body }, options)
  }

  get(marketId: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/markets/{}', { ids: [marketId] }, options)
  }

  /** One page, newest first. */
  list(query: MarketsQuery = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/markets', { query }, options)
  }

  /** All markets, page by page. */
  each(query: MarketsQuery = {}, options?: CallOptions) {
    const fetchPage = (page: MarketsQuery) => this.list({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ markets }) => markets, query)
  }

  /** All markets as CSV, one text for each page: write them one after the other. */
  csv(query: MarketsQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    return this.#transport.csv('GET /api/v1/markets', { query: paged }, options)
  }

  /** The last 24 hours of up to 25 markets, for a list. */
  summaries(marketIds: readonly string[], options?: CallOptions) {
    const request = { query: { marketIds: marketIds.join(',') } }
    return this.#transport.call('GET /api/v1/markets/summaries', request, options)
  }

  edit(marketId: string, body: BodyOf<'PATCH /api/v1/markets/{}'>, options?: CallOptions) {
    const request = { ids: [marketId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/markets/{}', request, options)
  }

  open(marketId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/markets/{}/open', { ids: [marketId] }, options)
  }

  suspend(marketId: string, reason: string, options?: CallOptions) {
    const request = { ids: [marketId], body: { reason } }
    return this.#transport.call('POST /api/v1/markets/{}/suspend', request, options)
  }

  resume(marketId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/markets/{}/resume', { ids: [marketId] }, options)
  }

  close(marketId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/markets/{}/close', { ids: [marketId] }, options)
  }

  /** Of an OPEN or SUSPENDED market; the end is a time in the future. */
  changeTradingWindow(
    marketId: string,
    body: BodyOf<'POST /api/v1/markets/{}/trading-window'>,
    options?: CallOptions,
  ) {
    const request = { ids: [marketId], body }
    return this.#transport.call('POST /api/v1/markets/{}/trading-window', request, options)
  }

  resolve(
    marketId: string,
    body: BodyOf<'POST /api/v1/markets/{}/resolve'>,
    options?: CallOptions,
  ) {
    const request = { ids: [marketId], body }
    return this.#transport.call('POST /api/v1/markets/{}/resolve', request, options)
  }

  cancel(marketId: string, reason: string, options?: CallOptions) {
    const request = { ids: [marketId], body: { reason } }
    return this.#transport.call('POST /api/v1/markets/{}/cancel', request, options)
  }

  /** Settles every position. Raise `timeoutMs` for very large markets. */
  settle(marketId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/markets/{}/settle', { ids: [marketId] }, options)
  }

  /** What a settlement would pay; without a result, that of the resolved market. */
  previewSettlement(
    marketId: string,
    body: BodyOf<'POST /api/v1/markets/{}/settlement-preview'> = {},
    options?: CallOptions,
  ) {
    const request = { ids: [marketId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/markets/{}/settlement-preview', request, options)
  }

  settlementStatus(marketId: string, options?: CallOptions) {
    const request = { ids: [marketId] }
    return this.#transport.call('GET /api/v1/markets/{}/settlement-status', request, options)
  }

  /** Sets failed settlements back to COMPLETED, so that they can be paid again. */
  retrySettlements(marketId: string, options?: CallOptions) {
    const request = { ids: [marketId] }
    return this.#transport.call('POST /api/v1/markets/{}/retry-settlements', request, options)
  }

  /** Gives a player complete sets: shares of every outcome. The operator collects shares x 1. */
  mint(marketId: string, body: BodyOf<'POST /api/v1/markets/{}/mint'>, options?: CallOptions) {
    const request = { ids: [marketId], body: withTransactionId(body), retry: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/markets/{}/mint', request, options)
  }

  /** Takes complete sets back. The operator pays shares x 1. */
  redeem(marketId: string, body: BodyOf<'POST /api/v1/markets/{}/redeem'>, options?: CallOptions) {
    const request = { ids: [marketId], body: withTransactionId(body), retry: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/markets/{}/redeem', request, options)
  }

  /** Sets, shares and money of the operator's market, from the stored records. */
  reconciliation(marketId: string, options?: CallOptions) {
    const request = { ids: [marketId] }
    return this.#transport.call('GET /api/v1/markets/{}/reconciliation', request, options)
  }
}
