// A running service that may deliver webhooks to this machine, and requests that tests send to it.

import { createHmac } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { OperatorClient } from '../http/operator-client.ts'
import {
  type Answer,
  type Json,
  newFolder,
  Service,
  type ServiceOptions,
} from '../process/outcry-process.ts'
import { Receiver, type Respond } from './receiver.ts'

export const insecure = { WEBHOOK_ALLOW_INSECURE: 'true' }

export type Operator = { readonly id: string; readonly key: string }
export type Hook = {
  readonly id: string
  readonly secret: string
  readonly signingSecret: string
}

export class WebhookFixture {
  service: Service
  readonly dataDir: string
  readonly #env: Readonly<Record<string, string>>
  readonly #receivers: Receiver[] = []

  private constructor(service: Service, dataDir: string, env: Readonly<Record<string, string>>) {
    this.service = service
    this.dataDir = dataDir
    this.#env = env
  }

  static async open({ env = {} }: ServiceOptions = {}): Promise<WebhookFixture> {
    const dataDir = await newFolder()
    const all = { ...insecure, RATE_LIMIT_REQUESTS: '0', RATE_LIMIT_ORDERS: '0', ...env }
    const service = await Service.start({ dataDir, env: all })
    return new WebhookFixture(service, dataDir, all)
  }

  async receiver(respond?: Respond, options?: { isSecure?: boolean }): Promise<Receiver> {
    const receiver = await Receiver.open(respond, options)
    this.#receivers.push(receiver)
    return receiver
  }

  request(method: string, path: string, { key }: Operator, body?: unknown): Promise<Answer> {
    return this.service.request(method, path, body === undefined ? { key } : { key, body })
  }

  async webhook(operator: Operator, url: string, more: object = {}): Promise<Hook> {
    const { status, body } = await this.request('POST', '/api/v1/webhooks', operator, {
      url,
      ...more,
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data
  }

  /** Two events: MARKET_CREATED, MARKET_STATUS_CHANGED. */
  market(operator: Operator, title = 'Rain?'): Promise<Json> {
    return new OperatorClient(this.service, operator).openMarket({ title })
  }

  /** Three events: ORDER_PLACED, ORDER_BOOK_UPDATE, PRICE_UPDATED for the first at its price. */
  bid(operator: Operator, market: Json, price: number, more: object = {}): Promise<Answer> {
    return this.request('POST', '/api/v1/orders', operator, {
      marketId: market.id,
      outcomeId: market.outcomes[0].id,
      playerId: 'bob',
      side: 'BUY',
      type: 'LIMIT',
      shares: 1,
      price,
      ...more,
    })
  }

  /** All stored events after that sequence. */
  events(operator: Operator, since = 0): Promise<readonly Json[]> {
    return new OperatorClient(this.service, operator).events('', since)
  }

  async deliveries(operator: Operator, { id }: Hook): Promise<readonly Json[]> {
    const { body } = await this.request('GET', `/api/v1/webhooks/${id}/deliveries`, operator)
    return body.data.deliveries
  }

  async restart(end: 'stop' | 'kill', env = this.#env): Promise<void> {
    await this.service[end]()
    this.service = await Service.start({ dataDir: this.dataDir, env })
  }

  async close(): Promise<void> {
    await this.service.stop()
    for (const receiver of this.#receivers) await receiver.close()
    await rm(this.dataDir, { recursive: true, force: true })
  }
}

/** Independent of the service's own code on purpose. */
export function isSigned(body: Buffer, header: string, secret: string): boolean {
  const hmac = createHmac('sha256', Buffer.from(secret, 'ascii'))
  hmac.update(body.toString('latin1'), 'latin1')
  return header === `sha256=${Buffer.from(hmac.digest()).toString('hex')}`
}
