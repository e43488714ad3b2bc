// The audit log of an operator: who has managed what, when and why.

import { eachItem, type Paged, pageSizeMax } from '../pages.ts'
import type { CallOptions, QueryOf, Transport } from '../transport.ts'

type AuditQuery = QueryOf<'GET /api/v1/audit'>

export class Audit {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** One page, newest first. */
  list(query: AuditQuery = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/audit', { query }, options)
  }

  /** All acts that match, page by page. */
  each(query: AuditQuery = {}, options?: CallOptions) {
    const fetchPage = (page: Paged) => this.list({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ entries }) => entries, query)
  }

  /** All acts that match as CSV, one text for each page: write them one after the other. */
  csv(query: AuditQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    return this.#transport.csv('GET /api/v1/audit', { query: paged }, options)
  }
}
