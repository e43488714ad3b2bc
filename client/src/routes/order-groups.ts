// Order groups: orders of a player that are cancelled once they are filled too fast.

import type { CreateOrderGroup } from '../generated/wire.ts'
import { eachItem, pageSizeMax } from '../pages.ts'
import type { CallOptions, QueryOf, Transport } from '../transport.ts'

type GroupsQuery = QueryOf<'GET /api/v1/order-groups'>

export class OrderGroups {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  create(body: CreateOrderGroup, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/order-groups', { body }, options)
  }

  get(groupId: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/order-groups/{}', { ids: [groupId] }, options)
  }

  /** One page, newest first. */
  list(query: GroupsQuery = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/order-groups', { query }, options)
  }

  /** All groups, page by page. */
  each(query: GroupsQuery = {}, options?: CallOptions) {
    const fetchPage = (page: GroupsQuery) => this.list({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ orderGroups }) => orderGroups, query)
  }

  /** All groups as CSV, one text for each page: write them one after the other. */
  csv(query: GroupsQuery = {}, options?: CallOptions) {
    return this.#transport.csv(
      'GET /api/v1/order-groups',
      { query: { limit: pageSizeMax, ...query } },
      options,
    )
  }

  limit(groupId: string, limitShares: number, options?: CallOptions) {
    const request = { ids: [groupId], body: { limitShares }, retry: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/order-groups/{}', request, options)
  }

  /** Cancels what is open in it; no order may be placed in it until it is reset. */
  trigger(groupId: string, options?: CallOptions) {
    const request = { ids: [groupId], retry: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/order-groups/{}/trigger', request, options)
  }

  /** Orders may be placed in it again, and what was filled before does not count any more. */
  reset(groupId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/order-groups/{}/reset', { ids: [groupId] }, options)
  }

  /** Cancels what is open in it. */
  delete(groupId: string, options?: CallOptions) {
    return this.#transport.call('DELETE /api/v1/order-groups/{}', { ids: [groupId] }, options)
  }
}
