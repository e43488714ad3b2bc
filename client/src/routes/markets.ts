// Markets: their whole life, and the complete sets that shares come from.

import { eachItem } from '../pages.ts'
import { withTransactionId } from '../transaction-id.ts'
import type { BodyOf, CallOptions, QueryOf, Transport } from '../transport.ts'

type MarketsQuery = QueryOf<'GET /api/v1/markets'>

export class Markets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** As a DRAFT; without outcomes: Yes and No. */
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

  /** All of them, page by page. */
  each(query: MarketsQuery = {}, options?: CallOptions) {
    const fetchPage = (page: MarketsQuery) => this.list({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ markets }) => markets, query)
  }

  edit(marketId: string, body: BodyOf<'PATCH /api/v1/markets/{}'>, options?: CallOptions) {
    const ask = { ids: [marketId], body, repeat: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/markets/{}', ask, options)
  }

  open(marketId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/markets/{}/open', { ids: [marketId] }, options)
  }

  suspend(marketId: string, reason: string, options?: CallOptions) {
    const ask = { ids: [marketId], body: { reason } }
    return this.#transport.call('POST /api/v1/markets/{}/suspend', ask, options)
  }

  resume(marketId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/markets/{}/resume', { ids: [marketId] }, options)
  }

  close(marketId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/markets/{}/close', { ids: [marketId] }, options)
  }

  resolve(
    marketId: string,
    body: BodyOf<'POST /api/v1/markets/{}/resolve'>,
    options?: CallOptions,
  ) {
    const ask = { ids: [marketId], body }
    return this.#transport.call('POST /api/v1/markets/{}/resolve', ask, options)
  }

  cancel(marketId: string, reason: string, options?: CallOptions) {
    const ask = { ids: [marketId], body: { reason } }
    return this.#transport.call('POST /api/v1/markets/{}/cancel', ask, options)
  }

  /** Pays every position. With very many of them, give it more time. */
  settle(marketId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/markets/{}/settle', { ids: [marketId] }, options)
  }

  settlementStatus(marketId: string, options?: CallOptions) {
    const ask = { ids: [marketId] }
    return this.#transport.call('GET /api/v1/markets/{}/settlement-status', ask, options)
  }

  /** Takes those that failed back to COMPLETED. */
  retrySettlements(marketId: string, options?: CallOptions) {
    const ask = { ids: [marketId] }
    return this.#transport.call('POST /api/v1/markets/{}/retry-settlements', ask, options)
  }

  /** One share of every outcome for each share asked for; the operator collects shares x 1. */
  mint(marketId: string, body: BodyOf<'POST /api/v1/markets/{}/mint'>, options?: CallOptions) {
    const ask = { ids: [marketId], body: withTransactionId(body), repeat: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/markets/{}/mint', ask, options)
  }

  /** The inverse; the operator pays shares x 1. */
  redeem(marketId: string, body: BodyOf<'POST /api/v1/markets/{}/redeem'>, options?: CallOptions) {
    const ask = { ids: [marketId], body: withTransactionId(body), repeat: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/markets/{}/redeem', ask, options)
  }

  /** Sets, shares and money of a market of one's own, from the stored records. */
  reconciliation(marketId: string, options?: CallOptions) {
    const ask = { ids: [marketId] }
    return this.#transport.call('GET /api/v1/markets/{}/reconciliation', ask, options)
  }
}
