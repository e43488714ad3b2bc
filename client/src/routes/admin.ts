// What the administrator does, with the administrator's key: operators, their keys, global
// categories.

import type { BodyOf, CallOptions, Transport } from '../transport.ts'

export class Admin {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Answers with its first key, which is shown this once. */
  createOperator(body: BodyOf<'POST /api/v1/admin/operators'>, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/admin/operators', { body }, options)
  }

  operators(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/admin/operators', {}, options)
  }

  operator(operatorId: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/admin/operators/{}', { ids: [operatorId] }, options)
  }

  editOperator(
    operatorId: string,
    body: BodyOf<'PATCH /api/v1/admin/operators/{}'>,
    options?: CallOptions,
  ) {
    const ask = { ids: [operatorId], body, repeat: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/admin/operators/{}', ask, options)
  }

  /** The key is shown this once. */
  createKey(
    operatorId: string,
    body: BodyOf<'POST /api/v1/admin/operators/{}/keys'> = {},
    options?: CallOptions,
  ) {
    const ask = { ids: [operatorId], body }
    return this.#transport.call('POST /api/v1/admin/operators/{}/keys', ask, options)
  }

  keys(operatorId: string, options?: CallOptions) {
    const ask = { ids: [operatorId] }
    return this.#transport.call('GET /api/v1/admin/operators/{}/keys', ask, options)
  }

  revokeKey(operatorId: string, keyId: string, options?: CallOptions) {
    const ask = { ids: [operatorId, keyId] }
    return this.#transport.call('DELETE /api/v1/admin/operators/{}/keys/{}', ask, options)
  }

  createCategory(body: BodyOf<'POST /api/v1/admin/categories'>, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/admin/categories', { body }, options)
  }

  editCategory(
    categoryId: string,
    body: BodyOf<'PATCH /api/v1/admin/categories/{}'>,
    options?: CallOptions,
  ) {
    const ask = { ids: [categoryId], body, repeat: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/admin/categories/{}', ask, options)
  }
}
