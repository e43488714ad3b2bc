// Webhooks, which receive events.

import type { BodyOf, CallOptions, QueryOf, Transport } from '../transport.ts'

export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Keep the secret of the answer: it is not shown again. */
  create(body: BodyOf<'POST /api/v1/webhooks'>, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/webhooks', { body }, options)
  }

  list(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/webhooks', {}, options)
  }

  edit(webhookId: string, body: BodyOf<'PATCH /api/v1/webhooks/{}'>, options?: CallOptions) {
    const request = { ids: [webhookId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('PATCH /api/v1/webhooks/{}', request, options)
  }

  /** Keep the new secret of the answer: it is not shown again. */
  rotateSecret(
    webhookId: string,
    body: BodyOf<'POST /api/v1/webhooks/{}/rotate-secret'> = {},
    options?: CallOptions,
  ) {
    const request = { ids: [webhookId], body }
    return this.#transport.call('POST /api/v1/webhooks/{}/rotate-secret', request, options)
  }

  delete(webhookId: string, options?: CallOptions) {
    return this.#transport.call('DELETE /api/v1/webhooks/{}', { ids: [webhookId] }, options)
  }

  /** The attempts, newest first. */
  deliveries(
    webhookId: string,
    query: QueryOf<'GET /api/v1/webhooks/{}/deliveries'> = {},
    options?: CallOptions,
  ) {
    const request = { ids: [webhookId], query }
    return this.#transport.call('GET /api/v1/webhooks/{}/deliveries', request, options)
  }

  /** Sends a PING and returns the result. */
  test(webhookId: string, options?: CallOptions) {
    return this.#transport.call('POST /api/v1/webhooks/{}/test', { ids: [webhookId] }, options)
  }

  /** One more attempt of the events of a range, or of every delivery that has failed. */
  redeliver(
    webhookId: string,
    body: BodyOf<'POST /api/v1/webhooks/{}/redeliver'>,
    options?: CallOptions,
  ) {
    const request = { ids: [webhookId], body }
    return this.#transport.call('POST /api/v1/webhooks/{}/redeliver', request, options)
  }
}
