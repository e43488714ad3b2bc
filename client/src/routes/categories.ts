// Categories, which group markets.

import type { BodyOf, CallOptions, QueryOf, Transport } from '../transport.ts'

export class Categories {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  create(body: BodyOf<'POST /api/v1/categories'>, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/categories', { body }, options)
  }

  get(categoryId: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/categories/{}', { ids: [categoryId] }, options)
  }

  list(query: QueryOf<'GET /api/v1/categories'> = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/categories', { query }, options)
  }

  edit(categoryId: string, body: BodyOf<'PATCH /api/v1/categories/{}'>, options?: CallOptions) {
    const request = { ids: [categoryId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/categories/{}', request, options)
  }
}
