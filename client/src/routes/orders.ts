// Orders: placing, previewing, amending, cancelling and reading them.

import { isOutcryError } from '../errors.ts'
import type { Order, PlaceOrder } from '../generated/wire.ts'
import { eachItem } from '../pages.ts'
import { withTransactionId } from '../transaction-id.ts'
import type { BodyOf, CallOptions, QueryOf, Transport } from '../transport.ts'

type OrdersQuery = QueryOf<'GET /api/v1/orders'>

export class Orders {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** A transactionId is made where there is none, so that it is carried out once in any case. */
  place(order: PlaceOrder, options?: CallOptions) {
    const ask = { body: withTransactionId(order), repeat: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/orders', ask, options)
  }

  /** Each an order of its own: a result for each, in order, and one refused touches no other. */
  placeBatch(orders: readonly PlaceOrder[], options?: CallOptions) {
    const body = { orders: orders.map(withTransactionId) }
    return this.#transport.call('POST /api/v1/orders/batch', { body, repeat: 'ALWAYS' }, options)
  }

  /** What it would do and cost now; nothing changes. */
  preview(order: PlaceOrder, options?: CallOptions) {
    const ask = { body: order, repeat: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/orders/preview', ask, options)
  }

  get(orderId: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/orders/{}', { ids: [orderId] }, options)
  }

  /** One page, newest first. */
  list(query: OrdersQuery = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/orders', { query }, options)
  }

  /** All of them, page by page. */
  each(query: OrdersQuery = {}, options?: CallOptions) {
    const fetchPage = (page: OrdersQuery) => this.list({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ orders }) => orders, query)
  }

  amend(orderId: string, body: BodyOf<'PATCH /api/v1/orders/{}'>, options?: CallOptions) {
    return this.#transport.call('PATCH /api/v1/orders/{}', { ids: [orderId], body }, options)
  }

  /** Also where the answer to a first try was lost. */
  async cancel(orderId: string, options?: CallOptions): Promise<Order> {
    const ask = { ids: [orderId] }
    try {
      return await this.#transport.call('DELETE /api/v1/orders/{}', ask, options)
    } catch (error) {
      if (!isOutcryError(error, 'NETWORK_ERROR', 'TIMEOUT', 'COMMIT_UNKNOWN')) throw error
    }
    try {
      const again = { ...ask, repeat: 'ALWAYS' } as const
      return await this.#transport.call('DELETE /api/v1/orders/{}', again, options)
    } catch (error) {
      if (!isOutcryError(error, 'ORDER_CANNOT_CANCEL')) throw error
      const order = await this.get(orderId, options)
      if (order.status === 'CANCELLED') return order
      throw error
    }
  }

  /** All open orders that match; at least one filter is needed. */
  cancelAll(query: QueryOf<'DELETE /api/v1/orders'>, options?: CallOptions) {
    const ask = { query, repeat: 'ALWAYS' } as const
    return this.#transport.call('DELETE /api/v1/orders', ask, options)
  }
}
