// The brake of an operator on all of its players, and whether the exchange is trading.

import type { BodyOf, CallOptions, Transport } from '../transport.ts'

export class Controls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/controls', {}, options)
  }

  /** Resolves when the last order is cancelled. */
  put(body: BodyOf<'PUT /api/v1/controls'>, options?: CallOptions) {
    return this.#transport.call('PUT /api/v1/controls', { body, retry: 'ALWAYS' }, options)
  }

  /** Whether the whole exchange is trading; needs no key. */
  status(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/status', {}, options)
  }
}
