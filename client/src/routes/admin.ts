// Routes of the administrator: operators, their keys, global categories, the audit log, and the
// cluster.

import { pageSizeMax } from '../pages.ts'
import type { BodyOf, CallOptions, QueryOf, Transport } from '../transport.ts'

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

  /** One page of an operator's markets. */
  markets(
    operatorId: string,
    query: QueryOf<'GET /api/v1/admin/operators/{}/markets'> = {},
    options?: CallOptions,
  ) {
    const request = { ids: [operatorId], query }
    return this.#transport.call('GET /api/v1/admin/operators/{}/markets', request, options)
  }

  /** All markets of an operator as CSV, one text for each page. */
  marketsCsv(
    operatorId: string,
    query: QueryOf<'GET /api/v1/admin/operators/{}/markets'> = {},
    options?: CallOptions,
  ) {
    const request = { ids: [operatorId], query: { limit: pageSizeMax, ...query } }
    return this.#transport.csv('GET /api/v1/admin/operators/{}/markets', request, options)
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

  /** The global categories; those that are not active only with `activeOnly: false`. */
  categories(query: QueryOf<'GET /api/v1/admin/categories'> = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/admin/categories', { query }, options)
  }

  editCategory(
    categoryId: string,
    body: BodyOf<'PATCH /api/v1/admin/categories/{}'>,
    options?: CallOptions,
  ) {
    const request = { ids: [categoryId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/admin/categories/{}', request, options)
  }

  /** One page of the acts of all operators and of the administrator, newest first. */
  audit(query: QueryOf<'GET /api/v1/admin/audit'> = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/admin/audit', { query }, options)
  }

  /** All these acts as CSV, one text for each page. */
  auditCsv(query: QueryOf<'GET /api/v1/admin/audit'> = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    return this.#transport.csv('GET /api/v1/admin/audit', { query: paged }, options)
  }

  /** The administrator's brake on an operator. */
  operatorControls(operatorId: string, options?: CallOptions) {
    const request = { ids: [operatorId] }
    return this.#transport.call('GET /api/v1/admin/operators/{}/controls', request, options)
  }

  putOperatorControls(
    operatorId: string,
    body: BodyOf<'PUT /api/v1/admin/operators/{}/controls'>,
    options?: CallOptions,
  ) {
    const request = { ids: [operatorId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('PUT /api/v1/admin/operators/{}/controls', request, options)
  }

  /** The brake on the whole exchange. */
  controls(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/admin/controls', {}, options)
  }

  /** In force on every shard when it resolves. */
  putControls(body: BodyOf<'PUT /api/v1/admin/controls'>, options?: CallOptions) {
    const request = { body, retry: 'ALWAYS' } as const
    return this.#transport.call('PUT /api/v1/admin/controls', request, options)
  }

  /** Outside of a cluster: one node that owns all shards. */
  cluster(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/admin/cluster', {}, options)
  }

  /** Resolves once the node runs the shard, which stays there; null lets the nodes balance it. */
  moveShard(
    shard: number,
    body: BodyOf<'POST /api/v1/admin/shards/{}/move'>,
    options?: CallOptions,
  ) {
    const request = { ids: [String(shard)], body, retry: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/admin/shards/{}/move', request, options)
  }

  /** The node hands over its shards and claims none, until it is started again. */
  drainNode(nodeId: string, options?: CallOptions) {
    const request = { ids: [nodeId], retry: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/admin/nodes/{}/drain', request, options)
  }
}
