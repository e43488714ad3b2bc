// A running service, an operator, and clients with its keys.

import { type ClientOptions, OutcryClient } from '../../client/src/outcry.ts'
import { adminKey, Service, type ServiceOptions } from '../support/process/outcry-process.ts'

export class ClientFixture {
  readonly service: Service
  readonly operatorId: string
  readonly apiKey: string
  readonly client: OutcryClient

  private constructor(service: Service, { id, key }: { id: string; key: string }) {
    this.service = service
    this.operatorId = id
    this.apiKey = key
    this.client = this.clientOf()
  }

  static async open(options: ServiceOptions = {}): Promise<ClientFixture> {
    const service = await Service.start(options)
    return new ClientFixture(service, await service.newOperator())
  }

  clientOf(more: Partial<ClientOptions> = {}): OutcryClient {
    const { apiKey } = this
    return new OutcryClient({ baseUrl: this.service.url, apiKey, adminKey, ...more })
  }

  /** Opens a market of two outcomes in which the player ann holds 1,000 complete sets. */
  async market() {
    const { id } = await this.client.markets.create({ title: 'Will it rain?' })
    const market = await this.client.markets.open(id)
    await this.client.markets.mint(id, { playerId: 'ann', shares: 1_000 })
    const [yes, no] = market.outcomes.map((outcome) => outcome.id)
    if (yes === undefined || no === undefined) throw new Error('Expected a market of two outcomes.')
    return { marketId: id, outcomeId: yes, otherId: no }
  }

  async close(): Promise<void> {
    await this.service.stop()
  }
}

type MarketRef = { readonly marketId: string; readonly outcomeId: string }

export function limit(
  { marketId, outcomeId }: MarketRef,
  side: 'BUY' | 'SELL',
  { price = 0.5, shares = 10, playerId = side === 'BUY' ? 'bob' : 'ann' } = {},
) {
  return { marketId, outcomeId, playerId, side, type: 'LIMIT', shares, price } as const
}
