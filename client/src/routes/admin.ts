// Routes of the administrator: operators, their keys, and global categories.

import type { BodyOf, CallOptions, Transport } from '../transport.ts'

export class Admin {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The answer contains the operator's first key, which is not shown again. */
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
    const request = { ids: [operatorId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/admin/operators/{}', request, options)
  }

  /** The answer contains the key, which is not shown again. */
  createKey(
    operatorId: string,
    body: BodyOf<'POST /api/v1/admin/operators/{}/keys'> = {},
    options?: CallOptions,
  ) {
    const request = { ids: [operatorId], body }
    return this.#transport.call('POST /api/v1/admin/operators/{}/keys', request, options)
  }

  keys(operatorId: string, options?: CallOptions) {
    const request = { ids: [operatorId] }
    return this.#transport.call('GET /api/v1/admin/operators/{}/keys', request, options)
  }

  revokeKey(operatorId: string, keyId: string, options?: CallOptions) {
    const request = { ids: [operatorId, keyId] }
    return this.#transport.call('DELETE /api/v1/admin/operators/{}/keys/{}', request, options)
  }

  createCategory(body: BodyOf<'POST /api/v1/admin/categories'>, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/admin/categories', { body }, options)
  }

  editCategory(
    categoryId: string,
    body: BodyOf<'PATCH /api/v1/admin/categories/{}'>,
    options?: CallOptions,
  ) {
    const request = { ids: [categoryId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/admin/categories/{}', request, options)
  }
}
