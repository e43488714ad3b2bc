// Orders: place, preview, amend, cancel and read them.

import { isOutcryError } from '../errors.ts'
import type { Order, PlaceOrder } from '../generated/wire.ts'
import { eachItem, pageSizeMax } from '../pages.ts'
import { wasNotExecuted } from '../retry.ts'
import { withTransactionId } from '../transaction-id.ts'
import type { BodyOf, CallOptions, QueryOf, Transport } from '../transport.ts'

type OrdersQuery = QueryOf<'GET /api/v1/orders'>

export class Orders {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Adds a transactionId if there is none, so that the order is executed only once. */
  place(order: PlaceOrder, options?: CallOptions) {
    const request = { body: withTransactionId(order), retry: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/orders', request, options)
  }

  /** One result per order, in the same order; a rejected order does not affect the others. */
  placeBatch(orders: readonly PlaceOrder[], options?: CallOptions) {
    const body = { orders: orders.map(withTransactionId) }
    return this.#transport.call('POST /api/v1/orders/batch', { body, retry: 'ALWAYS' }, options)
  }

  /** What the order would do and cost now, without placing it. */
  preview(order: PlaceOrder, options?: CallOptions) {
    const request = { body: order, retry: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/orders/preview', request, options)
  }

  get(orderId: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/orders/{}', { ids: [orderId] }, options)
  }

  /** One page, newest first. */
  list(query: OrdersQuery = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/orders', { query }, options)
  }

  /** All orders, page by page. */
  each(query: OrdersQuery = {}, options?: CallOptions) {
    const fetchPage = (page: OrdersQuery) => this.list({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ orders }) => orders, query)
  }

  /** How many orders at its price match before it. */
  queue(orderId: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/orders/{}/queue', { ids: [orderId] }, options)
  }

  /** The same of the open orders of a market or player: at most 1,000, newest first. */
  queues(query: QueryOf<'GET /api/v1/orders/queue'>, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/orders/queue', { query }, options)
  }

  /** All orders as CSV, one text for each page: write them one after the other. */
  csv(query: OrdersQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    return this.#transport.csv('GET /api/v1/orders', { query: paged }, options)
  }

  amend(orderId: string, body: BodyOf<'PATCH /api/v1/orders/{}'>, options?: CallOptions) {
    return this.#transport.call('PATCH /api/v1/orders/{}', { ids: [orderId], body }, options)
  }

  /** Also succeeds if the answer to a first attempt was lost. */
  async cancel(orderId: string, options?: CallOptions): Promise<Order> {
    const request = { ids: [orderId] }
    try {
      return await this.#transport.call('DELETE /api/v1/orders/{}', request, options)
    } catch (error) {
      const isUnknown = isOutcryError(error, 'NETWORK_ERROR', 'TIMEOUT', 'COMMIT_UNKNOWN')
      if (!isUnknown || wasNotExecuted(error)) throw error
    }
    try {
      const again = { ...request, retry: 'ALWAYS' } as const
      return await this.#transport.call('DELETE /api/v1/orders/{}', again, options)
    } catch (error) {
      if (!isOutcryError(error, 'ORDER_CANNOT_CANCEL')) throw error
      const order = await this.get(orderId, options)
      if (order.status === 'CANCELLED') return order
      throw error
    }
  }

  /** Cancels all open orders that match; at least one filter is required. */
  cancelAll(query: QueryOf<'DELETE /api/v1/orders'>, options?: CallOptions) {
    const request = { query, retry: 'ALWAYS' } as const
    return this.#transport.call('DELETE /api/v1/orders', request, options)
  }
}
